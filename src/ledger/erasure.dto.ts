import type { Erasure } from '@signet/verify';
import { ApiProperty } from '@nestjs/swagger';

/** What is answered of a record whose text was erased for legal reasons (docs/log.md, "Erase a text"). */
export class ErasureDto implements Erasure {
  @ApiProperty({ description: 'When the text was erased, UNIX seconds.', example: 1795225700 })
  at: number;

  @ApiProperty({
    description:
      'What it was about: SHA-256 of `signet-map/1 identity`, the platform and the identity, one line each, as hex, as its entry of the log has it. Whoever knows the identity can compute it.',
    pattern: '^[0-9a-f]{64}$',
  })
  identity_key: string;

  @ApiProperty({ description: 'Why, as the operator says.', example: 'order of a court' })
  reason: string;

  @ApiProperty({
    description: 'The hash of what was erased, which its entry of the log holds (`record`).',
    pattern: '^[0-9a-f]{64}$',
  })
  record: string;
}

export const ERASED_DESCRIPTION =
  'Only where the text was erased for legal reasons: the other texts are empty then, but for platform, uuid and signature. An entry of the log says so, too.';
