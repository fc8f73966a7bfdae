/** What is checked comes from strangers: an answer that was cut, an error in its place, anything that JSON can hold. */
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import * as badge from '../src/badge.js';
import * as rules from '../src/index.js';

type Check = (...given: unknown[]) => unknown;

const policy = { logs: [], witnesses: [], quorum: 'none' };
const secret = rules.webhookSecret(new Uint8Array(32));
const now = 1_718_000_000;
const avatar = `0x02${'a'.repeat(64)}`;
const place = { did: `did:plc:${'a'.repeat(24)}`, collection: 'app.bsky.feed.post', rkey: 'a' };
const headers = { 'webhook-id': 'a', 'webhook-timestamp': String(now), 'webhook-signature': 'v1,a' };

const { exports: entries } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  exports: Record<string, string | { default: string }>;
};
/** Every function of any entry that promises not to throw. */
const CHECKS = new Map<string, Check>();
for (const [entry, files] of Object.entries(entries)) {
  // What is below `internal` promises nothing.
  if (typeof files === 'string' || entry.startsWith('./internal')) continue;
  const exported = (await import(files.default.replace('./dist/', '../src/'))) as Record<string, Check>;
  for (const [name, check] of Object.entries(exported)) {
    if (/^verify[A-Z]/.test(name)) CHECKS.set(`${entry} ${name}`, check);
  }
}
/** Arguments that are right as far as they go, so that a wrong one is reached. */
const RIGHT: Record<string, unknown[]> = {
  verifyWebhook: [secret, headers, '{}', { now }],
  verifyLogProof: ['', { policy }],
  verifyReceipt: ['', { policy, now }],
  verifyMapAnswer: [{}, { avatar }, { policy }],
  verifyExportLog: [{}, { policy }],
  verifyExportSeen: [{}, { observers: { observers: [], quorum: null } }],
  verifyPlcOperations: [`did:plc:${'a'.repeat(24)}`, []],
  verifyAtprotoProof: [{ type: 'atproto', car: '', operations: [] }, place],
  verifyExportProofs: [{}, {}],
  verifyDnssecProof: [{ type: 'dnssec', chain: '' }, 'example.org', { at: now }],
  verifyExportDnssec: [{}, {}],
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
  expect(CHECKS.size).toBeGreaterThanOrEqual(23);
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

    // What a gateway serves is not checkable without the signature behind its id, and what is no file has no proofs.
    if (!/verify(DataItem|ExportProofs|ExportDnssec)$/.test(name))
      expect(results.filter((result) => !failures(result))).toEqual([]);
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
