import { isolatedName, withUnseen } from '@signet/verify/unseen';
import { shortKey } from '../domain/avatar-key.js';
import type { DomainEventName } from '../domain/domain-events.js';
import { PUSH_WORDINGS } from './wordings.js';

/** A language that notifications are written in. */
export type PushLanguage = keyof typeof PUSH_WORDINGS;
export const PUSH_LANGUAGES = Object.keys(PUSH_WORDINGS) as PushLanguage[];
export const DEFAULT_PUSH_LANGUAGE: PushLanguage = 'en';

/** The text for each type of news. */
const TEXTS = {
  welcome: 'welcome',
  'proof.bound': 'bound',
  'proof.bound_elsewhere': 'bound_elsewhere',
  'proof.revoked': 'revoked',
  'proof.invalidated': 'gone',
  'proof.restored': 'restored',
  'key.committed': 'key_committed',
  'key.pending': 'key_pending',
  'key.frozen': 'key_frozen',
  'key.thawed': 'key_thawed',
  'key.succeeded': 'key_succeeded',
  'key.vetoed': 'key_vetoed',
  'key.added': 'key_added',
  'key.revoked': 'key_revoked',
} as const satisfies Record<string, keyof (typeof PUSH_WORDINGS)['en']>;

/** What a browser can be told; `welcome` is the first message, and `proof.bound_elsewhere` is about another Avatar. */
export type PushNewsType = keyof typeof TEXTS;

/** One thing that happened. */
export interface PushNews {
  type: PushNewsType;
  /** `''` where it is about the key alone. */
  platform: string;
  identity: string;
  happenedAt: Date;
}

/** Characters of a name that are shown: identities may have hundreds. */
const MOST_CHARS = 100;

/** Whether browsers are told of events of this name: not of content, nor of the archive. */
export function isTold(name: DomainEventName): boolean {
  return Object.hasOwn(TEXTS, name);
}

/**
 * The text of a message, before it is encrypted: JSON with what a notification shows, in the language of the
 * subscription; `path` is where a press on it leads, `at` is in UNIX milliseconds.
 */
export function messageText(
  { avatar, language }: { avatar: string; language: string },
  { type, platform, identity, happenedAt }: PushNews,
  tag: string,
): string {
  const words = PUSH_WORDINGS[language as PushLanguage] ?? PUSH_WORDINGS[DEFAULT_PUSH_LANGUAGE];
  const values = { name: isolatedName(cut(withUnseen(identity))), platform };
  return JSON.stringify({
    title: words.title.replace('{key}', shortKey(avatar)),
    body: words[TEXTS[type]].replace(/\{(name|platform)\}/g, (_, value: keyof typeof values) => values[value]),
    tag,
    lang: language,
    path: pathOf(avatar, type, platform, identity),
    at: happenedAt.getTime(),
  });
}

/** What is on the page of a key is there; who else has bound an account stands on the page of the account. */
function pathOf(avatar: string, type: PushNewsType, platform: string, identity: string): string {
  if (type.startsWith('key.')) return `/recovery/${avatar}`;
  if (type !== 'proof.bound_elsewhere') return `/a/${avatar}`;
  return `/p/${encodeURIComponent(platform)}/${encodeURIComponent(identity)}`;
}

function cut(name: string): string {
  const letters = [...name];
  return letters.length > MOST_CHARS ? `${letters.slice(0, MOST_CHARS - 1).join('')}…` : name;
}
