import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { PagedDto } from '../http/validation/paging.js';
import EXAMPLE from '../proof-chain/chain-link.example.json' with { type: 'json' };
import { CHECK_OUTCOMES, type CheckOutcome } from './check-outcome.js';

/* What is answered about the checks of a binding. Ours, beyond the contract. */

/** GET /v1/proof/evidence, response. */
export class EvidenceDto {
  @ApiProperty({
    description: 'What was read: a URL, or the name of a record.',
    example: 'https://api.github.com/gists/0123456789abcdef0123456789abcdef',
  })
  url: string;

  @ApiProperty({ description: 'When it was read, UNIX seconds.', example: EXAMPLE.created_at })
  seen_at: string;

  @ApiProperty({
    description: 'SHA-256 of the bytes that were read, hex.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  sha256: string;

  @ApiProperty({
    description: 'Stable id of the account on the platform; empty where it has none.',
    example: '9000001',
  })
  account_id: string;

  @ApiProperty({
    description:
      'The text in which the signature was found, up to 4 KiB; empty where the page names the key alone (`extra.rel` of the link), and after the binding was deleted.',
    example: '',
  })
  matched_text: string;

  @ApiPropertyOptional({
    description:
      'What the platform has signed of it: by its `type`, for `verifyAtprotoProof` or `verifyDnssecProof` of @signet/verify; absent where it signs nothing.',
    type: 'object',
    additionalProperties: true,
  })
  proof?: object;

  @ApiPropertyOptional({
    description: 'What the platform has signed of its end: that the record is not there any more.',
    type: 'object',
    additionalProperties: true,
  })
  gone_proof?: object;
}

export class CheckDto {
  @ApiProperty({ description: 'When it was checked, UNIX seconds.', example: EXAMPLE.created_at })
  checked_at: string;

  @ApiProperty({
    description:
      '`valid`: confirmed; `gone`: the platform said no; `unavailable`: it could not be asked; `misconfigured`: this server lacks a setting. The last two prove nothing.',
    enum: CHECK_OUTCOMES,
    enumName: 'CheckOutcome',
    example: 'valid',
  })
  outcome: CheckOutcome;

  @ApiProperty({ description: 'One sentence; empty when valid.', example: '' })
  reason: string;
}

/** GET /v1/proof/history, response. */
export class HistoryDto extends PagedDto {
  @ApiProperty({ type: [CheckDto], description: 'Newest first. The oldest ones are dropped after a while.' })
  checks: CheckDto[];
}
