import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { AVATAR_KEY_FORM } from '../domain/avatar-key.js';
import type { Charge } from '../http/server/served-as.js';
import { OptionalChoice, OptionalText } from '../http/validation/fields.js';
import EXAMPLE from '../proof-chain/chain-link.example.json' with { type: 'json' };

/**
 * How a client checks what it reads, and the points of a request: the requests in whose place it stands, each of which
 * costs one.
 */
const POINTS = { none: 2, signatures: 4, log: 8, map: 14 };
export type ProvedBy = keyof typeof POINTS;
export const PROVED_BY = Object.keys(POINTS) as ProvedBy[];

/** GET /v1/resolve, query parameters: `platform` and `identity`, or `public_key`. Ours, beyond the contract. */
export class ResolveQueryDto {
  @OptionalText('must be one platform value', { description: 'Platform value.', example: EXAMPLE.platform })
  platform?: string;

  @OptionalText('must be one identity', {
    description: 'One identity on the platform, in any spelling.',
    example: EXAMPLE.identity,
  })
  identity?: string;

  @OptionalText('must be one key', {
    description: 'Avatar public key, in the place of `platform` and `identity`.',
    pattern: AVATAR_KEY_FORM,
    example: EXAMPLE.avatar,
  })
  public_key?: string;

  @OptionalChoice(PROVED_BY, {
    description:
      'What the caller checks the answers by: nothing, the signatures of chains, the proofs of the log too, or the map over it as well. `signatures` when absent.',
    enumName: 'ProvedBy',
  })
  proved_by?: ProvedBy;
}

export class GivenAnswerDto {
  @ApiProperty({
    description: 'Path and query of the request that this answers.',
    example: `/v1/proofchain?public_key=${EXAMPLE.avatar}&page=1`,
  })
  request: string;

  @ApiProperty({ description: 'The status of the answer, 200 or 404.', example: 200 })
  status: number;

  @ApiPropertyOptional({
    description: 'The body, where that is JSON.',
    type: 'object',
    additionalProperties: true,
    example: { pagination: { total: 0, per: 20, current: 1, next: 0 }, proof_chain: [] },
  })
  json?: object;

  @ApiPropertyOptional({ description: 'The body, where that is text: a proof of the log.' })
  text?: string;
}

/** GET /v1/resolve, response. */
export class ResolveDto {
  @ApiProperty({ description: 'As in GET /v1/platforms.', example: 'self' })
  service_name: string;

  @ApiProperty({
    type: [GivenAnswerDto],
    description:
      'In the order in which they were made. What is missing, because the answer is long or the log does not have it yet, is asked for by itself.',
  })
  answers: GivenAnswerDto[];
}

/** The charge of a request, from its query as it was sent. */
export function chargeOfResolve(query: unknown): Charge {
  const { proved_by: word } = (query ?? {}) as { proved_by?: unknown };
  const isKnown = typeof word === 'string' && Object.hasOwn(POINTS, word);
  return { name: 'reads', points: POINTS[isKnown ? (word as ProvedBy) : 'signatures'] };
}
