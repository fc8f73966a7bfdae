import { ApiProperty } from '@nestjs/swagger';
import { AVATAR_KEY_FORM } from '../domain/avatar-key.js';
import { unixSecondsText } from '../domain/unix-time.js';
import { NestedObject, OptionalChoice, RequiredText } from '../http/validation/fields.js';
import { PUSH_LANGUAGES } from './push-message.js';
import type { PushSubscription } from './push-subscription.entity.js';

const AVATAR_EXAMPLE = '0x03c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f';
const P256DH_EXAMPLE = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';

/** GET /v1/push, answer. */
export class PushStateDto {
  @ApiProperty({ description: 'Whether browsers can subscribe here.', example: true })
  is_on: boolean;

  @ApiProperty({
    description: 'Why not: `off` by the setting PUSH, or `no_https` where PUBLIC_URL is no https address; else `""`.',
    enum: ['', 'off', 'no_https'],
    enumName: 'PushOffReason',
    example: '',
  })
  off_reason: string;

  @ApiProperty({
    description:
      'The key of this server for `applicationServerKey` (RFC 8292): 65 bytes in Base64url; `""` where it is off.',
    example: 'BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs',
  })
  public_key: string;
}

/** What a browser encrypts by (Push API, `PushSubscription.toJSON`). */
class PushKeysDto {
  @RequiredText({
    description: 'Its public key on P-256, uncompressed: 65 bytes in Base64url.',
    pattern: '^[A-Za-z0-9_-]{87}$',
    example: P256DH_EXAMPLE,
  })
  p256dh: string;

  @RequiredText({
    description: 'Its secret: 16 bytes in Base64url.',
    pattern: '^[A-Za-z0-9_-]{22}$',
    example: 'BTBZMqHH6r4Tts7J_aSIgg',
  })
  auth: string;
}

/** POST /v1/push/subscriptions, body: the subscription of a browser as `toJSON` gives it, and what it is about. */
export class PushSubscriptionRequestDto {
  @RequiredText({
    description: 'Whose changes are told.',
    pattern: AVATAR_KEY_FORM,
    example: AVATAR_EXAMPLE,
  })
  avatar: string;

  @RequiredText({
    description: 'Address at the push service of the browser: https on a public host.',
    example: 'https://updates.push.services.mozilla.com/wpush/v2/gAAAAABlkqXg',
  })
  endpoint: string;

  @ApiProperty({ type: PushKeysDto, description: 'What messages are encrypted with (RFC 8291).' })
  @NestedObject(() => PushKeysDto)
  keys: PushKeysDto;

  @OptionalChoice(PUSH_LANGUAGES, {
    description: 'Language of what is told; absent: English.',
    enumName: 'PushLanguage',
    example: 'en',
  })
  language?: string;
}

/** A subscription, as who knows its id may see it. */
export class PushSubscriptionDto {
  @ApiProperty({ description: 'Who knows it may remove the subscription.', format: 'uuid' })
  id: string;

  @ApiProperty({
    description: 'Whose changes are told, compressed.',
    pattern: AVATAR_KEY_FORM,
    example: AVATAR_EXAMPLE,
  })
  avatar: string;

  @ApiProperty({ description: 'Language of what is told.', enum: PUSH_LANGUAGES, enumName: 'PushLanguage' })
  language: string;

  @ApiProperty({ description: 'UNIX seconds.', example: '1763700000' })
  created_at: string;
}

export function toPushSubscription({ id, avatar, language, createdAt }: PushSubscription): PushSubscriptionDto {
  return { id, avatar, language, created_at: unixSecondsText(createdAt) };
}
