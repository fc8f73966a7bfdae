/** Key events: what an Avatar says about its keys, as it is signed, recorded and answered. */
import { isAppKey, isOrigin } from './app-key.js';
import { isScope } from './app-keys.js';
import { isRecoveryKey } from './recovery-key.js';
import { isObject } from '../text/signed-text.js';
import { UUID_PATTERN } from '../text/payload-text.js';
import { canonicalJson } from '../text/canonical-json.js';
import { utf8 } from '../text/encoding.js';
import { KEY_RULES, type KeyAction, keyRuleOf } from './rules.js';

const NO_APP_KEY = 'Its key is neither secp256k1:, es256: nor ed25519: and a key in hex behind 0x, compressed.';

/** Names recovery keys, highest first, and the delay of what one key alone may do. */
export interface CommitFields {
  /** Hours. */
  delay_hours: number;
  /** `key:<hex SHA-256 of a compressed key>` or `eip155:<address>`, each once. */
  recovery: string[];
}

/** Names the Avatar that comes after this one. */
export interface SucceedFields {
  /** The uuid of the last link that the owner made; null where none is. Bindings made behind it count for nothing. */
  since_link: string | null;
  /** The uuid of the last patch that the owner made; null where none is. Content is what it was behind it. */
  since_patch: string | null;
  /** Compressed key. */
  successor: string;
}

/** Names the pending event that is void. */
export interface VetoFields {
  /** The uuid of that event. */
  event: string;
}

/** Names a key of an app, and what it may sign. */
export interface AddFields {
  /** UNIX seconds from which on it signs nothing. */
  expires_at: number;
  /** `<algorithm>:0x<hex>`; the algorithms are `secp256k1`, `es256` and `ed25519`. */
  key: string;
  /** The origin of the pages on which a passkey signs; null for a key that is no passkey of a page. */
  origin: string | null;
  /** `kv` for all content, or `kv:<platform>:<identity>`, each once. */
  scopes: string[];
}

/** Names the key of an app that signs nothing any more. */
export interface RevokeFields {
  key: string;
}

/** What an event says: its action, and the members that its text has beside those of all. */
export type KeyStatement =
  | { action: 'key.commit'; fields: CommitFields }
  | { action: 'key.freeze'; fields: Record<string, never> }
  | { action: 'key.thaw'; fields: Record<string, never> }
  | { action: 'key.succeed'; fields: SucceedFields }
  | { action: 'key.veto'; fields: VetoFields }
  | { action: 'key.add'; fields: AddFields }
  | { action: 'key.revoke'; fields: RevokeFields };

/** What the state of an Avatar follows from: an event as it was recorded, without its texts. */
export type KeyFact = KeyStatement & {
  uuid: string;
  /** `main`, the recovery key that signed it, or the key of an app that revokes itself. Where two did, the main key. */
  signer: string;
  /** The highest committed key, where it signed too; the key that is added; else null. */
  cosigner: string | null;
  /** How many links the Avatar had. */
  links: number;
  /** UNIX seconds at which the service accepted it. */
  recorded_at: number;
};

/**
 * A key event as servers answer it. What was signed is `signature_payload`; counts and times beside it are the word of
 * the server, which the entry of its log holds.
 */
export type SignedKeyEvent = KeyFact & {
  /** Compressed key, where the answer has it. */
  avatar?: string;
  /** UNIX seconds, as signed. */
  created_at: number;
  /** The exact text that was signed. */
  signature_payload: string;
  /** Base64 signature of `signer`; of a key of an app see `AppSignature`. */
  signature: string;
  /** Base64 signature of `cosigner` over the same text; else null. */
  cosignature: string | null;
  /** Base64 signature of the successor over the same text; null where there is none. */
  successor_signature: string | null;
  /** How many patches the Avatar had. */
  patches: number;
  /** UNIX seconds: when a commit or a succession takes effect, and a freeze ends; else `recorded_at`. */
  due_at: number;
};

/** The fields that are signed for one key event. */
export type KeyEventFields = KeyStatement & {
  /** Compressed key. */
  avatar: string;
  /** UNIX seconds. */
  created_at: number;
  /** Base64 `signature` of the Avatar's previous key event, or null for the first. */
  prev: string | null;
  uuid: string;
};

/**
 * The signed text of a key event, canonical JSON:
 * `{"action":"key.freeze","avatar":"0x02…","created_at":1718000000,"prev":null,"uuid":"…"}`, with the fields of its
 * action among them. Every key that signs an event signs this same text with personal_sign.
 * @throws TypeError for what JSON cannot hold (`canonicalJson`)
 */
export function keyEventPayload({ action, avatar, created_at, fields, prev, uuid }: KeyEventFields): string {
  return canonicalJson({ ...fields, action, avatar, created_at, prev, uuid });
}

/**
 * Why something, which may be anything, is no statement about keys, as a sentence; null for one that is. The order of
 * members does not matter, and none may stand beside those of its action.
 */
export function problemOfStatement({ action, fields }: { action: unknown; fields: unknown }): string | null {
  const rule = typeof action === 'string' ? keyRuleOf(action) : undefined;
  if (!rule) return 'Its action is none of key events.';
  const names = rule.fields.join();
  if (!isObject(fields) || Object.keys(fields).sort().join() !== names) return `Its fields are not {${names}}.`;
  return problemOfFields(rule.action, fields);
}

function problemOfFields(action: KeyAction, fields: Record<string, unknown>): string | null {
  if (action === 'key.commit') return problemOfCommit(fields['recovery'], fields['delay_hours']);
  if (action === 'key.veto') return isUuid(fields['event']) ? null : 'Its event is not a uuid.';
  if (action === 'key.add') return problemOfAdd(fields);
  if (action === 'key.revoke') return isAppKey(fields['key']) ? null : NO_APP_KEY;
  if (action !== 'key.succeed') return null;
  const since = ['since_link', 'since_patch'].find((name) => fields[name] !== null && !isUuid(fields[name]));
  if (since) return `Its ${since} is neither a uuid nor null.`;
  return isCompressedKey(fields['successor']) ? null : 'Its successor is not a compressed key.';
}

function problemOfCommit(recovery: unknown, delay: unknown): string | null {
  const { delayHours, recoveryKeys } = KEY_RULES;
  if (!Array.isArray(recovery) || recovery.length < recoveryKeys.least || recovery.length > recoveryKeys.most) {
    return `Its recovery is not a list of ${recoveryKeys.least} to ${recoveryKeys.most} keys.`;
  }
  if (!recovery.every(isRecoveryKey))
    return 'One of its recovery keys is neither key:<64 hex digits> nor eip155:<address>, in small letters.';
  if (new Set(recovery).size < recovery.length) return 'Its recovery names a key twice.';
  const isHours = Number.isSafeInteger(delay) && (delay as number) >= delayHours.least;
  if (isHours && (delay as number) <= delayHours.most) return null;
  return `Its delay_hours is not a whole number from ${delayHours.least} to ${delayHours.most}.`;
}

function problemOfAdd({ expires_at: end, key, origin, scopes }: Record<string, unknown>): string | null {
  if (!isAppKey(key)) return NO_APP_KEY;
  if (origin !== null && !isOrigin(origin)) {
    return 'Its origin is neither null nor https:// and a host, with its port where that is not 443.';
  }
  if (!Number.isSafeInteger(end) || (end as number) < 0) return 'Its expires_at is not a time in UNIX seconds.';
  return problemOfScopes(scopes);
}

function problemOfScopes(scopes: unknown): string | null {
  const { least, most, bytes } = KEY_RULES.appKeys.scopes;
  if (!Array.isArray(scopes) || scopes.length < least || scopes.length > most) {
    return `Its scopes are not a list of ${least} to ${most}.`;
  }
  if (!scopes.every(isScope)) return 'One of its scopes is neither kv nor kv:<platform>:<identity>.';
  if (utf8(scopes.join('')).length > bytes) return `Its scopes are longer than ${bytes} bytes together.`;
  return new Set(scopes).size < scopes.length ? 'Its scopes name one twice.' : null;
}

function isUuid(value: unknown): boolean {
  return typeof value === 'string' && UUID_PATTERN.test(value);
}

function isCompressedKey(value: unknown): boolean {
  return typeof value === 'string' && /^0x0[23][0-9a-f]{64}$/.test(value);
}
