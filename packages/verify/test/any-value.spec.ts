/** What is checked comes from strangers: an answer that was cut, an error in its place, anything that JSON can hold. */
import * as fc from 'fast-check';
import * as badge from '../src/badge.js';
import * as dataItem from '../src/data-item.js';
import * as rules from '../src/index.js';
import * as keyEvents from '../src/key-events/key-events.js';
import * as log from '../src/log.js';
import * as seen from '../src/seen.js';

type Check = (...given: unknown[]) => unknown;

const policy = { logs: [], witnesses: [], quorum: 'none' };
const secret = rules.webhookSecret(new Uint8Array(32));
const now = 1_718_000_000;
const avatar = `0x02${'a'.repeat(64)}`;
const headers = { 'webhook-id': 'a', 'webhook-timestamp': String(now), 'webhook-signature': 'v1,a' };

const ENTRIES = { index: rules, badge, 'data-item': dataItem, 'key-events': keyEvents, log, seen };
/** Every function of these entries that promises not to throw. */
const CHECKS = new Map<string, Check>(
  Object.entries(ENTRIES).flatMap(([entry, exported]) =>
    Object.entries(exported)
      .filter(([name]) => /^verify[A-Z]/.test(name))
      .map(([name, check]): [string, Check] => [`${entry} ${name}`, check as Check]),
  ),
);
/** Arguments that are right as far as they go, so that a wrong one is reached. */
const RIGHT: Record<string, unknown[]> = {
  verifyWebhook: [secret, headers, '{}', { now }],
  verifyLogProof: ['', { policy }],
  verifyReceipt: ['', { policy, now }],
  verifyMapAnswer: [{}, { avatar }, { policy }],
  verifyExportLog: [{}, { policy }],
  verifyExportSeen: [{}, { observers: { observers: [], quorum: null } }],
  verifyDataItem: ['id', new Uint8Array(1), { signature: 'AA' }],
};

const hostile = (): unknown[] => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const throwing = { get: () => { throw new Error('never'); }, has: () => { throw new Error('never'); } }; // prettier-ignore
  const round: Record<string, unknown> = {};
  round['round'] = round;
  return [proxy, new Proxy({}, throwing), new Proxy([], throwing), round, [round], 1n, Symbol('s'), () => 1];
};
const PLAIN = [undefined, null, true, 0, '', 'text', [], [undefined], [null], ['text'], [[]], [{}], {}, { steps: 1 }];

/** The results of a check: a verification, a step, or a list of verifications, of which at least one says no. */
function failures(result: unknown): boolean {
  if (Array.isArray(result)) return result.some(failures);
  const { ok, state } = result as { ok?: boolean; state?: string };
  return ok === false || state === 'failed';
}

it('has every check', () => {
  expect(CHECKS.size).toBeGreaterThanOrEqual(18);
});

describe.each([...CHECKS])('%s', (name, check) => {
  const right = RIGHT[name.split(' ')[1]!] ?? [undefined, {}];

  it.each(right.map((_, place) => place))('throws for no value of its argument %i', async (place) => {
    const ask = (value: unknown) => check(...right.with(place, value));
    const property = fc.asyncProperty(fc.oneof(fc.anything(), fc.jsonValue()), async (value) => {
      await ask(value);
    });

    for (const value of [...PLAIN, ...hostile()]) await ask(value);
    await fc.assert(property, { numRuns: 300 });
  });

  it('says no to what is hostile, and to an answer of an error', async () => {
    const refused = [...hostile(), { message: 'The key is not one.', code: 'invalid_request' }];
    const results = await Promise.all(refused.map((value) => check(value, ...right.slice(1))));

    // What a gateway serves is not checkable without the signature behind its id.
    if (!name.endsWith('verifyDataItem')) expect(results.filter((result) => !failures(result))).toEqual([]);
  });
});

describe('an empty list', () => {
  it.each([
    ['verifyChain', rules.verifyChain],
    ['verifyPatchChain', rules.verifyPatchChain],
    ['verifyChain of a badge', badge.verifyChain],
  ])('is not checkable for %s where an Avatar is named', (_name, check) => {
    expect(check([], { avatar })).toMatchObject({
      ...{ ok: true, complete: false, avatar },
      steps: [{ name: 'all', state: 'not_checkable' }],
    });
  });
});
