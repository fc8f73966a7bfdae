/** The key events of an Avatar that has as many as one may have, of the dearest kinds. */
import { createHash } from 'node:crypto';
import { acceptKeyEvent, KEY_RULES, type KeyFact, NO_KEY_EVENTS } from '@signet/verify/key-events';

const { recoveryKeys, kept, events: MOST, appKeys, delayHours } = KEY_RULES;
const [HOUR, YEAR] = [3_600, 365 * 24 * 3_600];
/** So far apart that no limit of a day is met, and all of them fit into a year. */
const APART = 2 * HOUR;

const hexOf = (text: string) => createHash('sha256').update(text).digest('hex');
const recoveryOf = (what: string) =>
  Array.from({ length: recoveryKeys.most }, (_, place) => `key:${hexOf(`${what} ${place}`)}`);
/** Scopes of as many bytes as may be, with names that nothing makes shorter. */
const scopesOf = (what: string) => {
  const text = Array.from({ length: 20 }, (_, number) => hexOf(`${what} ${number}`)).join('');
  const whole = Math.floor(appKeys.scopes.bytes / 240);
  return Array.from({ length: whole }, (_, place) => `kv:dns:${text.slice(233 * place, 233 * (place + 1))}`);
};

/**
 * Key events that the rules take, up to the last one that an Avatar may have, oldest first; nearly each of them is
 * followed by what ends it, which does not count. With `commits` those that the main key may sign are commits of five
 * recovery keys, with `apps` keys of apps with the longest scopes, of which as many live on as may.
 * @param until UNIX seconds before which the last one is recorded
 */
export function largestHistory(kind: 'commits' | 'apps', until: number): KeyFact[] {
  const facts: KeyFact[] = [];
  let [state, at] = [NO_KEY_EVENTS, until - YEAR];
  const say = (said: object, links = 1) => {
    const number = String(facts.length).padStart(12, '0');
    const uuid = `${kind === 'apps' ? '1' : '0'}0000000-0000-4000-8000-${number}`;
    const event = { signer: 'main', cosigner: null, links, ...said, uuid, recorded_at: at } as KeyFact;
    const outcome = acceptKeyEvent(state, event);
    if (outcome.refusal !== null) throw new Error(`Event ${facts.length} is refused: ${outcome.refusal}`);
    ({ state } = outcome);
    facts.push(event);
    at += 1;
    return uuid;
  };
  const commit = (what: string) => ({
    ...{ action: 'key.commit', fields: { delay_hours: delayHours.least, recovery: recoveryOf(what) } },
  });
  const ofMain = MOST - (recoveryKeys.most + 1) * kept.events;
  const isLast = () => state.counted === ofMain - 1;
  while (kind === 'commits' && !isLast()) {
    say({ action: 'key.veto', fields: { event: say(commit(`${state.counted}`)) } });
    at += APART;
  }
  say(commit('in force'), kind === 'apps' ? 0 : 1);
  at += delayHours.usual * HOUR;
  while (kind === 'apps' && state.counted < ofMain) {
    const key = `ed25519:0x${hexOf(`app ${state.counted}`)}`;
    const fields = { key, scopes: scopesOf(key), origin: null, expires_at: at + appKeys.lifetime.most };
    say({ action: 'key.add', cosigner: key, fields });
    if (state.counted <= ofMain - appKeys.live) say({ action: 'key.revoke', fields: { key } });
    at += APART;
  }
  for (const signer of recoveryOf('in force').reverse()) {
    for (let number = 0; number < kept.events; number += 1, at += APART) {
      say({ action: 'key.freeze', signer, fields: {} });
      say({ action: 'key.thaw', signer, fields: {} });
    }
  }
  for (; state.counted < MOST; at += APART) say({ ...commit('in force'), cosigner: recoveryOf('in force')[0] });
  if (at > until) throw new Error('The last of them is behind the given time.');
  return facts;
}
