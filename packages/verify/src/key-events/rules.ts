/** The rules of key events as data: code, `docs/keys.md` and tests read the same numbers and rows (docs/keys.md). */

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** The numbers of the rules. Times are in seconds. */
export const KEY_RULES = {
  /** Recovery keys of one commit. */
  recoveryKeys: { least: 1, most: 5 },
  /** How long a commit or a succession is pending, in hours; `usual` is in force where nothing is committed. */
  delayHours: { least: 24, usual: 72, most: 168 },
  /** How long a freeze lasts, by the key that made it. */
  freeze: { main: 7 * DAY, committed: 30 * DAY },
  /** How long a key may neither freeze nor succeed after it was stopped, and the main key not freeze after a freeze. */
  rest: 30 * DAY,
  /**
   * Key events of one Avatar at most. What only ends something does not count: vetoes, thaws and revokes; there is at
   * most one of them for each event that counts.
   */
  events: 1_000,
  /** Those in 24 hours at most. */
  eventsInADay: 30,
  /**
   * How many of both are kept for each place above the one of who signs, so that a thief of a lower key cannot use up
   * what a higher one needs.
   */
  kept: { events: 20, inADay: 2 },
  day: DAY,
  /** Avatars in a row of which each succeeded the one before, at most, counted in successions. */
  successionsInARow: 16,
  /** Keys of apps. */
  appKeys: {
    /** Of one Avatar that are neither revoked nor expired. */
    live: 32,
    /** From the second at which a key is added to its end, at most, and what a client proposes. */
    lifetime: { usual: 365 * DAY, most: 730 * DAY },
    /** Scopes of one key, and their bytes in UTF-8 together: more than one scope can have. */
    scopes: { least: 1, most: 16, bytes: 1_200 },
  },
} as const;

/** What an Avatar, or one of its recovery keys, can say about its keys. */
export type KeyAction =
  'key.commit' | 'key.freeze' | 'key.thaw' | 'key.succeed' | 'key.veto' | 'key.add' | 'key.revoke';

/** One row of the table of `docs/keys.md`. */
export interface KeyRule {
  action: KeyAction;
  /** The members that its text has beside those of all key events. */
  fields: readonly string[];
  /** Who may sign it. */
  signedBy: string;
  /** What it does. */
  effect: string;
}

const days = (seconds: number) => `${seconds / DAY} days`;
const { appKeys, delayHours, freeze, recoveryKeys, rest } = KEY_RULES;

/** The table of key events: each action once. */
export const KEY_TABLE: readonly KeyRule[] = [
  {
    action: 'key.commit',
    fields: ['delay_hours', 'recovery'],
    signedBy: 'the main key; the highest committed key may sign too',
    effect:
      `names ${recoveryKeys.least} to ${recoveryKeys.most} recovery keys, highest first, and a delay of ${delayHours.least} to ${delayHours.most} hours; ` +
      'in force at once for an Avatar that has no links and nothing committed, or where the highest committed key signs too; ' +
      `otherwise after the delay in force (${delayHours.usual} hours where nothing is committed)`,
  },
  {
    action: 'key.freeze',
    fields: [],
    signedBy: 'any key',
    effect:
      `stops all writes at once; ends after ${days(freeze.main)} where the main key made it, which may then not freeze for ${days(rest)}, ` +
      `and after ${days(freeze.committed)} where a committed key did; voids what lower keys have pending`,
  },
  {
    action: 'key.thaw',
    fields: [],
    signedBy: 'the key that froze, or a higher one',
    effect: 'ends the freeze at once',
  },
  {
    action: 'key.succeed',
    fields: ['since_link', 'since_patch', 'successor'],
    signedBy: 'any key, and the successor',
    effect:
      'names the Avatar that comes after this one, and the last link and patch that its owner made; ' +
      'final at once where the main key and the highest committed key sign; otherwise all writes stop, ' +
      'and it is final after the delay in force; voids what lower keys have pending',
  },
  {
    action: 'key.veto',
    fields: ['event'],
    signedBy: 'a key above the one that signed the event; the main key where nothing is committed',
    effect: 'the pending event is void, and stays in the chain',
  },
  {
    action: 'key.add',
    fields: ['expires_at', 'key', 'origin', 'scopes'],
    signedBy: 'the main key, and the key that is added',
    effect:
      'names a key of an app, which signs patches within its scopes from then on and before `expires_at`, ' +
      `at most ${days(appKeys.lifetime.most)} later; added once more, it has the scopes, the origin and the end of the newest event; ` +
      'refused while writes are stopped',
  },
  {
    action: 'key.revoke',
    fields: ['key'],
    signedBy: 'the main key, a committed key, or the key itself',
    effect: 'the key of an app signs nothing any more, at once, and is never added again; what it has signed stays',
  },
];

/** The row of an action; undefined for a text that is none. */
export function keyRuleOf(action: string): KeyRule | undefined {
  return KEY_TABLE.find((rule) => rule.action === action);
}

/** Why the rules refuse a key event, by stable words, with a sentence each. */
export const KEY_REFUSALS = {
  already_frozen: 'A freeze of this key, or of a higher one, is in force.',
  already_pending:
    'An event of this kind by this key, or by a higher one, is pending; it has to be vetoed first, or to take effect.',
  avatar_frozen: 'The writes of this Avatar are stopped, so no key of an app can be added.',
  avatar_succeeded: 'Another Avatar has succeeded this one, so that nothing more can be said of its keys.',
  expiry_too_late: 'A key of an app expires at most two years after it is added.',
  key_expired: 'The time of this key is over.',
  key_not_committed: 'It is signed by a key that is neither the main key nor in the list of recovery keys in force.',
  key_out_of_scope: 'This key may not sign for this identity.',
  key_outranked: 'A higher key has frozen this Avatar, or has a succession pending.',
  key_rests: 'This key was stopped within the last 30 days, and may neither freeze nor succeed until they are over.',
  key_revoked: 'This key was revoked, which is for good.',
  key_too_low: 'Only a higher key may do this.',
  key_unknown: 'This Avatar has not added this key.',
  not_frozen: 'No freeze is in force.',
  not_pending: 'No pending event has this uuid: it has taken effect, it is void, or it never was.',
  only_main_key: 'Only the main key may sign it, alone or with the highest committed key.',
  own_app_key: 'The main key and its recovery keys cannot be keys of apps, and no key of an app can be a recovery key.',
  own_recovery_key: 'The main key cannot be its own recovery key.',
  own_successor: 'An Avatar cannot succeed itself.',
  too_many_app_keys: 'This Avatar has as many keys of apps as one may have; one of them has to be revoked first.',
  too_many_key_events: 'This Avatar has as many key events as one may have; some are kept for higher keys.',
  too_many_key_events_today:
    'This Avatar has as many key events in 24 hours as one may have; some are kept for higher keys.',
  wrong_cosigner: 'Beside the main key only the highest committed key may sign, or the key that is added.',
} as const;

/** A word for why the rules refuse a key event. */
export type KeyRefusal = keyof typeof KEY_REFUSALS;
