/** On what the parts of an answer rest: one vocabulary for all answers. */
import type { CheckedLink, SignedLink, Step } from '@signet/verify';
import { VerificationError } from '../errors.js';
import type { Look } from '../look/look.js';
import type { SeenByOthers } from '../observers/observer-options.js';
import type { Completeness } from './paged-list.js';

/** On what an answer rests, part by part. `server` is the word of the server alone. */
export interface Resting {
  /** That the Avatar's key signed what the answer follows from: `signature` where this client checked it. */
  key: 'signature' | 'server';
  /** That it is part of the public history: `log` with `demand: { log }` and `{ complete }`. */
  record: 'log' | 'server';
  /** That nothing of it is left out, such as a newer revoke: `map` with `demand: { complete }`. */
  whole: 'map' | 'server';
  /** By which state of the map that is so; null unless `whole` is `map`. */
  map: Completeness | null;
}

/** On what a binding rests. */
export interface BindingResting extends Resting {
  /**
   * That the identity agreed to the binding. `wallet`: its own signature, which this client checked. `seen by me`: the
   * post or record, which this program looked at. `platform`: what the account's server or the zone has signed of it,
   * which this client checked. `seen by 2 of 3`: that many of the observers, who signed that they saw it. `server`: a
   * post, a record or a contract wallet, which the server says that it has seen.
   */
  identity: 'wallet' | 'seen by me' | 'platform' | `seen by ${number} of ${number}` | 'server';
  /** `me` where the page of a website names the key by `rel="me"` and not this binding; null otherwise. */
  rel: 'me' | null;
  /** What the platform showed to this program, with `demand: { posts }`; null where it did not look. */
  look: Look | null;
  /** What other servers saw, with `demand: { observers }`; null without, and for wallets. */
  observers: SeenByOthers | null;
}

/** A binding, as far as the link that made it is known by it. */
export type BindingOfLink = Pick<SignedLink, 'platform' | 'identity' | 'created_at'>;

/** What bears out a binding besides the link that made it. */
export interface Witnesses {
  look: Look | null;
  observers: SeenByOthers | null;
  /** Whether the platform has signed it, which was checked. */
  isProved: boolean;
}

/** Of an answer that nothing was checked of. */
export const ON_THE_SERVER: Resting = { key: 'server', record: 'server', whole: 'server', map: null };

/** Of a binding that nothing was checked of. */
export const BOUND_BY_THE_SERVER: BindingResting = {
  ...ON_THE_SERVER,
  identity: 'server',
  rel: null,
  look: null,
  observers: null,
};

/** Of a binding whose link was checked. */
export function bindingResting(made: CheckedLink, base: Resting, witnesses: Witnesses): BindingResting {
  const { look, observers } = witnesses;
  const rel = made.link.extra?.rel === 'me' ? 'me' : null;
  return { ...base, identity: identityWord(made, witnesses), rel, look, observers };
}

/**
 * What shows that the identity of a binding agreed, by the link that made it, which was checked and did not fail:
 * `wallet` if every check was made, but for `time`, and `server` where a post, a record or a contract had to be asked.
 * A clock that was wrong leaves open when the identity agreed, and not that it did.
 */
export function identityOfLink({ steps }: Pick<CheckedLink, 'steps'>): 'wallet' | 'server' {
  return steps.every(({ name, state }) => state === 'ok' || name === 'time') ? 'wallet' : 'server';
}

function identityWord(made: CheckedLink, { look, observers, isProved }: Witnesses): BindingResting['identity'] {
  if (identityOfLink(made) === 'wallet') return 'wallet';
  if (look?.state === 'seen') return 'seen by me';
  if (isProved) return 'platform';
  return observers?.result === 'seen' ? `seen by ${observers.count} of ${observers.of}` : 'server';
}

/** A binding that was checked, and what the server says of it. */
export interface BorneOut {
  made: CheckedLink;
  isValid: boolean;
  resting: BindingResting;
}

/**
 * Refuses bindings that rest on the word of the server, for `demand: { here }`, and with `takesPlatform` for
 * `demand: { platform }`. One that the server calls invalid, and whose post this program did not see either, rests on
 * no word of the server.
 * @throws VerificationError (`not_shown_here`) that names them
 */
export function demandHere(bindings: BorneOut[], takesPlatform = false): void {
  const isHere = ({ isValid, resting: { identity, look } }: BorneOut) =>
    identity === 'wallet' ||
    identity === 'seen by me' ||
    (takesPlatform && identity === 'platform') ||
    (!isValid && look?.state === 'not_seen');
  const others = bindings.filter((one) => !isHere(one));
  if (others.length === 0) return;
  const names = others.map(({ made }) => nameOf(made.link));
  const steps = others.flatMap(({ made: { link, steps: own } }): Step[] =>
    own.filter(({ state }) => state !== 'ok').map((step) => ({ ...step, detail: `${nameOf(link)}: ${step.detail}` })),
  );
  throw new VerificationError(`Rests on the word of the server: ${names.join(', ')}.`, steps, 'not_shown_here');
}

/** How messages name a binding. */
export function nameOf({ platform, identity }: Pick<BindingOfLink, 'platform' | 'identity'>): string {
  return `${platform} ${JSON.stringify(identity)}`;
}
