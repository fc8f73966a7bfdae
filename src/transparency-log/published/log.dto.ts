import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, Matches } from 'class-validator';
import { LOG_CONDITIONS } from '../signing/heads/log-status.js';
import { WholeNumber } from '../../http/validation/fields.js';
import { QueryInt } from '../../http/validation/paging.js';
import { UUID_PATTERN } from '@signet/verify/internal';
import { erasureOf, type RecordKinds } from '../../ledger/record-kind.js';
import { RECORD_KINDS } from '../../records/record-kinds.js';

const EXAMPLE = {
  origin: 'self-3fe1f7f5f0d9b1a2',
  verifierKey: 'self-3fe1f7f5f0d9b1a2+b124aa86+AdBKsjJ0K7SrOhNovUYV5ObQIkq3GgFrr4UgozLJd4c3',
  root: 'h9UMXqS06cZqY1DcnPgMhWQabcLU6G++7tynUvpM20w=',
  uuid: '74913704-0904-4e3a-9fa1-ce6a90be6612',
};

const A_RECORD = RECORD_KINDS.either();

/** The kinds of entries: those of records, and those of their erasures. */
export function entryKinds({ names }: RecordKinds): string[] {
  return [...names, ...names.map(erasureOf)];
}

/** GET /v1/log/proof, query parameters: `uuid`, or `kind` and `id`. */
export class LogProofQueryDto {
  @ApiProperty({
    description: `The uuid of ${A_RECORD}. \`kind\` and \`id\` of its feed are accepted in its place.`,
    example: EXAMPLE.uuid,
  })
  @IsOptional()
  @Matches(UUID_PATTERN, { message: `uuid must be that of ${A_RECORD}` })
  uuid?: string;

  /** One of `entryKinds`, as the controller sees to. */
  @ApiPropertyOptional({
    description:
      'A record, or the erasure of its text. With `uuid` it chooses between the entry of the record and that of its erasure, which is proved otherwise where there is one.',
    enum: entryKinds(RECORD_KINDS),
    enumName: 'LogEntryKind',
  })
  @IsOptional()
  @IsString({ message: 'kind must be one kind of entries' })
  kind?: string;

  /** The `id` in `/v1/proofchain/changes` or `/v1/kv/changes`; not described, so that `uuid` is required. */
  @IsOptional()
  @QueryInt(WholeNumber(1))
  id?: number;
}

/** GET /v1/log/receipt, query parameters. */
export class LogReceiptQueryDto {
  @ApiProperty({ description: `The uuid of ${A_RECORD}.`, example: EXAMPLE.uuid })
  @Matches(UUID_PATTERN, { message: `uuid must be that of ${A_RECORD}` })
  uuid: string;
}

/** One witness of the policy of this log. */
export class LogWitnessDto {
  @ApiProperty({ description: 'The name of its key.', example: 'witness.example/w1' })
  name: string;

  @ApiProperty({
    description: 'That key (C2SP tlog-cosignature).',
    example: 'witness.example/w1+e0cd2864+BKCapfR6Z1mAL/lV+NwtKhSlyZ0jvpf4ZBJ/+Tg0VaTw',
  })
  verifier_key: string;

  @ApiProperty({ description: 'Entries of the newest tree head that it signed; 0 if it never did.', example: 5 })
  size: number;

  @ApiProperty({ description: 'When it signed that, UNIX seconds; 0 if it never did.', example: 1700000000 })
  cosigned_at: number;

  @ApiProperty({ description: 'Entries of the published tree head that it has not signed.', example: 0 })
  lag: number;

  @ApiProperty({ description: 'Why it did not sign when it was asked last; empty if it did.', example: '' })
  problem: string;
}

/** A tree head in `GET /v1/log`. */
export class LogHeadDto {
  @ApiProperty({ description: 'Its entries.', example: 5 })
  size: number;

  @ApiProperty({ description: 'Its root, Base64.', example: EXAMPLE.root })
  root: string;

  @ApiProperty({ description: 'When the log signed it, UNIX seconds.', example: 1700000000 })
  signed_at: number;
}

/** A log that has ended, in `GET /v1/log`. */
export class LogEndDto {
  @ApiProperty({ description: 'Its name.', example: EXAMPLE.origin })
  origin: string;

  @ApiProperty({
    description:
      'The note by which its key names the next log, for who holds a receipt of it (docs/verify.md, 12); empty where the key was not at hand.',
    example: '',
  })
  next: string;
}

/** GET /v1/log, response. */
export class LogDto {
  @ApiProperty({ description: 'The name of this log, as its checkpoints have it.', example: EXAMPLE.origin })
  origin: string;

  @ApiProperty({ description: 'The key that signs its checkpoints (C2SP signed-note).', example: EXAMPLE.verifierKey })
  verifier_key: string;

  @ApiProperty({
    description:
      '`catching_up`: what was there before the log is taken in, and nothing is signed before. `refused`: nothing is signed any more, because it could contradict what was signed before.',
    enum: LOG_CONDITIONS,
    enumName: 'LogState',
    example: 'ok',
  })
  state: string;

  @ApiProperty({ description: 'Why nothing is signed; empty unless `refused`.', example: '' })
  problem: string;

  @ApiProperty({
    description:
      'Why the server that answers cannot keep the newest tree head outside of the database, without which it may not notice a restore; empty if it can.',
    example: '',
  })
  head_problem: string;

  @ApiProperty({ description: 'Entries of the published tree head; 0 while there is none.', example: 5 })
  size: number;

  @ApiProperty({ description: 'Its root, Base64; empty while there is none.', example: EXAMPLE.root })
  root: string;

  @ApiProperty({ description: 'When it was signed, UNIX seconds; 0 while there is none.', example: 1700000000 })
  signed_at: number;

  @ApiProperty({ description: 'Records that are not in the log yet.', example: 0 })
  waiting: number;

  @ApiProperty({
    description:
      'Whether the published tree head has the cosignatures that the policy asks for; null without a policy. While writes never pause it is seldom true: see `cosigned`.',
    type: Boolean,
    nullable: true,
    example: null,
  })
  policy_met: boolean | null;

  @ApiProperty({
    description:
      'The newest tree head that has those cosignatures, at `/log/cosigned/checkpoint`; null while there is none, and without a policy that asks for any.',
    type: LogHeadDto,
    nullable: true,
    example: null,
  })
  cosigned: LogHeadDto | null;

  @ApiProperty({ type: [LogWitnessDto], description: 'The witnesses of the policy; empty without one.' })
  witnesses: LogWitnessDto[];

  @ApiProperty({
    type: [LogEndDto],
    description: 'The logs of this deployment that have ended, newest first; 20 at most.',
  })
  ended: LogEndDto[];
}
