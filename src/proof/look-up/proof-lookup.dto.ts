import { ApiProperty, ApiPropertyOptional, IntersectionType, PickType } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import { PageParameter, PagedDto, toPagination } from '../../http/validation/paging.js';
import { OptionalText, ReadWith, RequiredText } from '../../http/validation/fields.js';
import { unixSecondsText } from '../../domain/unix-time.js';
import type { Page } from '../../domain/page.js';
import { MAX_IDENTITY_LENGTH } from '../../platform/identity-text.js';
import EXAMPLE from '../../proof-chain/chain-link.example.json' with { type: 'json' };
import { ChainLinkDto } from '../../proof-chain/proof-chain.dto.js';
import type { Proof } from '../proof.entity.js';
import type { IdentityGroup } from './proof-lists.js';
import { PUBLIC_KEY } from '../proof.dto.js';

export const MAX_IDENTITIES = 50;

/** Something besides white space, and no comma, which separates. */
const LIST_ITEM = /^[^,]*[^,\s][^,]*$/;

/** Contract, GET /v1/proof, query parameters. */
export class FindProofsQueryDto {
  @OptionalText('must be one platform value', {
    description:
      'Platform value, or the name of the service (`self` by default) to look up by public key. Absent: all platforms.',
    example: EXAMPLE.platform,
  })
  platform?: string;

  @RequiredText({
    description: `Up to ${MAX_IDENTITIES} identities, separated by commas; one that is blank counts as none.`,
    type: [String],
    minItems: 1,
    maxItems: MAX_IDENTITIES,
    pattern: LIST_ITEM.source,
    maxLength: MAX_IDENTITY_LENGTH,
    example: [EXAMPLE.identity],
  })
  identity: string;

  @PageParameter()
  page: number = 1;

  @ApiPropertyOptional({
    description:
      'Exact match, which finds a binding as soon as it is recorded. When absent, a case-insensitive part of an identity matches: bindings of this moment are found within seconds.',
    type: Boolean,
    example: true,
  })
  @IsOptional()
  // A plain cast would turn the text "false" into true.
  @ReadWith((value) => (value === 'true' ? true : value === 'false' || value === '' ? false : value))
  @IsBoolean({ message: 'exact must be true or false' })
  exact?: boolean;
}

/** Contract, GET /v1/proof/exists, query parameters: one binding. */
export class BindingQueryDto {
  @RequiredText({ description: 'A platform value, as in GET /v1/platforms.', example: EXAMPLE.platform })
  platform: string;

  @RequiredText({ description: 'Identity on the platform, in any spelling.', example: EXAMPLE.identity })
  identity: string;

  @RequiredText(PUBLIC_KEY)
  public_key: string;
}

/** GET /v1/proof/history, query parameters. */
export class HistoryQueryDto extends BindingQueryDto {
  @PageParameter()
  page: number = 1;
}

/** Contract, Proof record as the exists response has it. */
export class ProofStateDto {
  @ApiProperty({ description: 'Creation time of the proof, UNIX seconds.', example: EXAMPLE.created_at })
  created_at: string;

  @ApiProperty({ description: 'Time of the last validation, UNIX seconds.', example: EXAMPLE.created_at })
  last_checked_at: string;

  @ApiProperty({ description: 'Validity according to the last validation.', example: true })
  is_valid: boolean;

  @ApiProperty({ description: 'Reason when not valid; empty when valid.', example: '' })
  invalid_reason: string;

  @ApiPropertyOptional({
    description:
      'Only for a contract wallet: the chain on which it accepted the signature (EIP-155 id). On another chain its address may have another owner.',
    type: 'integer',
    example: 10,
  })
  chain_id?: number;
}

/** Contract, Proof record inside an identity group. */
export class ProofRecordDto extends IntersectionType(
  ProofStateDto,
  PickType(ChainLinkDto, ['platform', 'identity'] as const),
) {}

/** Where a group of an answer keeps what it was made from, for the dialect. JSON leaves a symbol out. */
export const SOURCE = Symbol('source');

/** Contract, Identity group. */
export class IdentityGroupDto {
  @ApiProperty({ description: 'Compressed public key.', example: EXAMPLE.avatar })
  avatar: string;

  @ApiProperty({
    description: 'Archive id of the last link this Avatar signed; empty while it is not confirmed.',
    example: '',
  })
  last_archive_id: string;

  @ApiProperty({
    type: [ProofRecordDto],
    description:
      'All of them where one Avatar is answered. In a list of several, up to 50 of each: those that match, then the newest; look the Avatar up by its key for all.',
  })
  proofs: ProofRecordDto[];

  @ApiProperty({ description: 'Number of bindings that the Avatar holds.', type: 'integer', example: 1 })
  proofs_total: number;

  @ApiPropertyOptional({
    description: 'Only where a key of the Avatar has stopped its writes for a time: GET /v1/keys says until when.',
    type: Boolean,
    example: true,
  })
  frozen?: boolean;

  @ApiPropertyOptional({
    description:
      'Only where another Avatar has succeeded this one: its compressed key. GET /v1/keys/chain shows who said so.',
    type: String,
    example: EXAMPLE.avatar,
  })
  successor?: string;

  [SOURCE]?: IdentityGroup;
}

/** Contract, GET /v1/proof, response. */
export class FoundProofsDto extends PagedDto {
  @ApiProperty({
    type: [IdentityGroupDto],
    description:
      'The Avatar with the newest matching binding first; empty where none matches. The newest 1,000 that hold a name exactly, or that match.',
  })
  ids: IdentityGroupDto[];
}

type State = Pick<Proof, 'createdAt' | 'lastCheckedAt' | 'isValid' | 'invalidReason' | 'chainId'>;

export function toProofState(proof: State): ProofStateDto {
  return {
    created_at: unixSecondsText(proof.createdAt),
    last_checked_at: unixSecondsText(proof.lastCheckedAt),
    is_valid: proof.isValid,
    invalid_reason: proof.invalidReason,
    ...(proof.chainId === null ? {} : { chain_id: proof.chainId }),
  };
}

export function toFoundProofs(page: Page<IdentityGroup>): FoundProofsDto {
  return {
    pagination: toPagination(page),
    ids: page.items.map((group) => ({
      [SOURCE]: group,
      avatar: group.avatar,
      last_archive_id: group.lastArchiveId,
      proofs: group.proofs.map((proof) => ({
        platform: proof.platform,
        identity: proof.identity,
        ...toProofState(proof),
      })),
      proofs_total: group.proofsTotal,
      ...(group.hold === 'frozen' && { frozen: true }),
      ...(group.successor !== null && { successor: group.successor }),
    })),
  };
}
