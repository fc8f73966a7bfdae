/** What keys of apps may sign, and the events that add and revoke them (docs/keys.md). */
import type { AddFields, KeyFact } from './key-event.js';
import type { AppKey, KeyState } from './key-state.js';
import { MAIN_KEY } from './recovery-key.js';
import { KEY_RULES, type KeyRefusal } from './rules.js';

/** `kv`, or `kv:`, a platform, `:` and an identity of at most 256 characters, none of which is a control character. */
const SCOPE = /^kv(?::[a-z0-9][a-z0-9_.-]{0,63}:[^\p{Cc}\p{Cs}]{1,256})?$/u;

/** Whether a value, which may be anything, has the form of a scope. */
export function isScope(value: unknown): value is string {
  return typeof value === 'string' && SCOPE.test(value);
}

/** What a key of an app is to sign. */
export interface AppWrite {
  platform: string;
  /** Canonical identity. */
  identity: string;
  /** UNIX seconds. */
  at: number;
}

/** Why the rules do not let a key of an app sign. */
export type AppKeyRefusal = Extract<KeyRefusal, 'key_unknown' | 'key_revoked' | 'key_expired' | 'key_out_of_scope'>;

/** The key of this name; undefined for one that was never added. */
export function appKeyIn({ appKeys }: KeyState, key: string): AppKey | undefined {
  return Object.hasOwn(appKeys, key) ? appKeys[key] : undefined;
}

/**
 * Why a key of an app, undefined for one that was never added, may not write under an identity; null if it may. A
 * frozen Avatar, and one that was succeeded, writes nothing by any key.
 */
export function refusalOfWrite(
  key: Pick<AppKey, 'revoked' | 'expires_at' | 'scopes'> | undefined,
  { platform, identity, at }: AppWrite,
): AppKeyRefusal | null {
  if (!key) return 'key_unknown';
  if (key.revoked !== null) return 'key_revoked';
  if (key.expires_at <= at) return 'key_expired';
  const isInScope = key.scopes.some((scope) => scope === 'kv' || scope === `kv:${platform}:${identity}`);
  return isInScope ? null : 'key_out_of_scope';
}

/** The keys that are neither revoked nor expired at `at`, UNIX seconds. */
export function liveAppKeys({ appKeys }: KeyState, at: number): AppKey[] {
  return Object.values(appKeys).filter(({ revoked, expires_at: end }) => revoked === null && at < end);
}

/** Who may sign an event about a key of an app. */
export function refusalOfAppSigners({ committed }: KeyState, event: AppEvent): KeyRefusal | null {
  const { signer, cosigner, fields } = event;
  if (event.action === 'key.add') {
    if (signer !== MAIN_KEY) return 'only_main_key';
    return cosigner === fields.key ? null : 'wrong_cosigner';
  }
  if (cosigner !== null) return 'wrong_cosigner';
  const isKnown = signer === MAIN_KEY || signer === fields.key || (committed?.recovery ?? []).includes(signer);
  return isKnown ? null : 'key_not_committed';
}

/** An event about a key of an app. */
export type AppEvent = Extract<KeyFact, { action: 'key.add' | 'key.revoke' }>;

export function isAppEvent(event: KeyFact): event is AppEvent {
  return event.action === 'key.add' || event.action === 'key.revoke';
}

/** Why the rules refuse an event about a key of an app, beside who signs it. */
export function refusalOfAppEvent(state: KeyState, event: AppEvent): KeyRefusal | null {
  const known = appKeyIn(state, event.fields.key);
  if (known && known.revoked !== null) return 'key_revoked';
  if (event.action === 'key.revoke') return known ? null : 'key_unknown';
  return state.isFrozen ? 'avatar_frozen' : refusalOfAdd(state, event.fields, event.recorded_at);
}

function refusalOfAdd(state: KeyState, { expires_at: end, key }: AddFields, at: number): KeyRefusal | null {
  const { live, lifetime } = KEY_RULES.appKeys;
  if (end <= at) return 'key_expired';
  if (end > at + lifetime.most) return 'expiry_too_late';
  return stillLive(state, at).filter((name) => name !== key).length >= live ? 'too_many_app_keys' : null;
}

/** The state behind an event that the rules take; its keys of apps are those of `state`, changed in place. */
export function withAppEvent(state: KeyState, { action, fields, uuid, recorded_at: at }: AppEvent): KeyState {
  const { key } = fields;
  const appKeys: { [key: string]: AppKey } = state.appKeys;
  const others = stillLive(state, at).filter((name) => name !== key);
  if (action === 'key.add') appKeys[key] = { ...fields, event: uuid, revoked: null };
  else appKeys[key] = { ...appKeys[key]!, revoked: uuid };
  return { ...state, appKeys, live: action === 'key.add' ? [...others, key] : others };
}

function stillLive({ appKeys, live }: KeyState, at: number): string[] {
  return live.filter((name) => at < appKeys[name]!.expires_at);
}
