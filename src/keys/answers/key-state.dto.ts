import { ApiProperty } from '@nestjs/swagger';
import { liveAppKeys } from '@signet/verify/internal/key-events';
import type { AvatarKeys } from '../key-chain.js';
import EXAMPLE from '../keys.example.json' with { type: 'json' };
import { ACTION, FIELDS, KEY_NAME } from './key-events.dto.js';

/** The recovery keys in force. */
export class CommittedDto {
  @ApiProperty({ description: 'The uuid of the event.', example: EXAMPLE.uuid })
  event: string;

  @ApiProperty({
    description: 'Names of recovery keys, highest first.',
    type: [String],
    example: EXAMPLE.fields.recovery,
  })
  recovery: string[];

  @ApiProperty({ description: 'How long what one key alone does is pending.', example: EXAMPLE.fields.delay_hours })
  delay_hours: number;
}

/** An event that is not yet in force. */
export class PendingKeyEventDto {
  @ApiProperty({ description: 'The uuid of the event.', example: EXAMPLE.uuid })
  event: string;

  @ApiProperty({ ...ACTION, example: 'key.commit' })
  action: string;

  @ApiProperty({ description: `Who signed it: ${KEY_NAME}`, example: 'main' })
  signer: string;

  @ApiProperty({ description: 'UNIX seconds: until then it can be vetoed.', example: EXAMPLE.due_at })
  due_at: number;

  @ApiProperty({ description: FIELDS, type: 'object', additionalProperties: true, example: EXAMPLE.fields })
  fields: object;
}

export class FreezeDto {
  @ApiProperty({ description: 'The uuid of the event.', example: EXAMPLE.uuid })
  event: string;

  @ApiProperty({ description: `Who signed it: ${KEY_NAME}`, example: 'main' })
  signer: string;

  @ApiProperty({ description: 'UNIX seconds of its end.', example: EXAMPLE.due_at })
  until: number;
}

/** A succession that is final. */
export class SuccessionDto {
  @ApiProperty({ description: 'The uuid of the event.', example: EXAMPLE.uuid })
  event: string;

  @ApiProperty({ description: 'The Avatar that comes after this one, compressed.', example: EXAMPLE.avatar })
  successor: string;

  @ApiProperty({ description: 'UNIX seconds from which on it is final.', example: EXAMPLE.due_at })
  at: number;

  @ApiProperty({ description: 'The uuid of the last link of the owner.', type: String, nullable: true, example: null })
  since_link: string | null;

  @ApiProperty({ description: 'The uuid of the last patch of the owner.', type: String, nullable: true, example: null })
  since_patch: string | null;
}

export class AppKeyDto {
  @ApiProperty({ description: 'The uuid of the event that added it last.', example: EXAMPLE.uuid })
  event: string;

  @ApiProperty({ description: '`<algorithm>:0x<compressed key>`.', example: `ed25519:0x${'1'.repeat(64)}` })
  key: string;

  @ApiProperty({ description: 'What it may sign.', type: [String], example: ['kv'] })
  scopes: string[];

  @ApiProperty({ description: 'UNIX seconds from which on it signs nothing.', example: EXAMPLE.due_at })
  expires_at: number;

  @ApiProperty({ description: 'Of the pages on which a passkey signs.', type: String, nullable: true, example: null })
  origin: string | null;
}

/** GET /v1/keys, response. */
export class KeysResponseDto {
  @ApiProperty({ description: 'Compressed public key.', example: EXAMPLE.avatar })
  avatar: string;

  @ApiProperty({ description: 'UNIX seconds for which all of this holds.', example: EXAMPLE.recorded_at })
  now: number;

  @ApiProperty({ type: CommittedDto, nullable: true, description: 'Null where no recovery key is in force.' })
  committed: CommittedDto | null;

  @ApiProperty({ type: [PendingKeyEventDto], description: 'A commit and a succession at most.' })
  pending: PendingKeyEventDto[];

  @ApiProperty({ type: FreezeDto, nullable: true, description: 'Null where no freeze is in force.' })
  freeze: FreezeDto | null;

  @ApiProperty({
    description: 'Whether writes are refused: by a freeze, or by a succession that is pending.',
    example: false,
  })
  is_frozen: boolean;

  @ApiProperty({ type: SuccessionDto, nullable: true, description: 'Null where this Avatar is in force itself.' })
  succession: SuccessionDto | null;

  @ApiProperty({ type: [AppKeyDto], description: 'Keys of apps that are neither revoked nor expired.' })
  app_keys: AppKeyDto[];

  @ApiProperty({
    description:
      'Up to 20 Avatars that this one has succeeded, by the word of this server: their own key events show it.',
    type: [String],
    example: [],
  })
  predecessors: string[];
}

export function toKeysResponse({ avatar, state, predecessors, now }: AvatarKeys): KeysResponseDto {
  const { committed, pendingCommit, pendingSuccession, freeze, isFrozen, succession } = state;
  const pending = [
    { action: 'key.commit', one: pendingCommit },
    { action: 'key.succeed', one: pendingSuccession },
  ].flatMap(({ action, one }) => (one ? [{ action, ...one }] : []));
  const apps = succession ? [] : liveAppKeys(state, now);
  const app_keys = apps.map(({ event, key, scopes, expires_at, origin }) => ({
    event,
    key,
    scopes,
    expires_at,
    origin,
  }));
  const said = { committed, pending, freeze, is_frozen: isFrozen, succession, app_keys };
  return { avatar: avatar.compressed, now, ...said, predecessors };
}
