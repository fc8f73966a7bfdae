import { readFileSync } from 'node:fs';
import { p256 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { encodeBase64 } from '../../src/text/encoding.js';
import { type PlcEntry, verifyAtprotoProof, verifyPlcOperations } from '../../src/atproto/atproto.js';
import { AtprotoAccount, type Curve, newKey } from '../support/atproto-account.js';

const POSTS = 'app.bsky.feed.post';
const RKEY = '3lprcc55bb222';
const POST = { $type: POSTS, text: 'A post.', createdAt: '2026-01-01T00:00:00Z' };

const { logs } = JSON.parse(readFileSync(new URL('plc-logs.json', import.meta.url), 'utf8')) as {
  logs: Record<string, PlcEntry[]>;
};
const names = Object.keys(logs);

async function accountWithPost(curve?: Curve): Promise<AtprotoAccount> {
  const account = await AtprotoAccount.create(curve ? { curve } : {});
  for (let other = 0; other < 40; other += 1) await account.put(POSTS, `3lprcc55bb2${other + 100}`, { ...POST, other });
  await account.put(POSTS, RKEY, POST);
  return account;
}

interface Operation {
  alsoKnownAs: string[];
  services: Record<string, { endpoint: string }>;
  verificationMethods: Record<string, string>;
}

const placeOf = ({ did }: { did: string }) => ({ did, collection: POSTS, rkey: RKEY });

async function proofOf(account: AtprotoAccount, options = {}) {
  const car = encodeBase64(await account.carOf(POSTS, RKEY, options));
  return { type: 'atproto' as const, car, operations: account.operations };
}

describe('operations of a did:plc', () => {
  it.each(names.filter((name) => !name.startsWith('invalid')))('take %s', async (name) => {
    const entries = logs[name]!;
    const { ok, complete, steps } = await verifyPlcOperations(entries[0]!.did, entries);
    expect({ ok, complete, steps: steps.map(({ state }) => state) }).toEqual({
      ok: true,
      complete: true,
      steps: ['ok'],
    });
  });

  it.each(names.filter((name) => name.startsWith('invalid')))('refuse %s', async (name) => {
    const entries = logs[name]!;
    const { ok, account } = await verifyPlcOperations(entries[0]!.did, entries);
    expect({ ok, account }).toEqual({ ok: false, account: null });
  });

  it('are ten good and ten bad logs', () => {
    expect(names.filter((name) => name.startsWith('invalid'))).toHaveLength(10);
    expect(names).toHaveLength(20);
  });

  it('say key, handle and server of the account, and since when', async () => {
    const entries = logs['bnewbold_robocracy']!;
    const { account } = await verifyPlcOperations(entries[0]!.did, entries);
    const { alsoKnownAs, services, verificationMethods } = entries.at(-1)!.operation as never as Operation;
    expect(account).toEqual({
      signingKey: verificationMethods['atproto'],
      handle: alsoKnownAs[0]!.slice('at://'.length),
      server: services['atproto_pds']!.endpoint,
      since: Math.floor(Date.parse(entries.at(-1)!.createdAt) / 1000),
    });
  });

  it('have no key behind a tombstone', async () => {
    const entries = logs['tombstone']!;
    const { account } = await verifyPlcOperations(entries[0]!.did, entries);
    expect(account).toMatchObject({ signingKey: null, handle: null, server: null });
  });

  it.each([
    [
      'a changed handle',
      (entry: PlcEntry) => ({ ...entry, operation: { ...entry.operation, alsoKnownAs: ['at://b.c'] } }),
    ],
    ['another DID', (entry: PlcEntry) => ({ ...entry, did: `did:plc:${'a'.repeat(24)}` })],
    ['a further member', (entry: PlcEntry) => ({ ...entry, operation: { ...entry.operation, also: 1 } })],
    ['a nullified first one', (entry: PlcEntry) => ({ ...entry, nullified: true })],
    ['no time', (entry: PlcEntry) => ({ ...entry, createdAt: 'yesterday' })],
  ])('are refused with %s', async (_, change) => {
    const { did, operations } = await AtprotoAccount.create();
    const { ok } = await verifyPlcOperations(did, [change(operations[0]!)]);
    expect(ok).toBe(false);
  });

  it('are refused where the directory leaves out the first', async () => {
    const account = await AtprotoAccount.create();
    await account.operate(account.facts, account.facts.rotationKeys[0]!);
    const { steps } = await verifyPlcOperations(account.did, account.operations.slice(1));
    expect(steps).toEqual([
      { name: 'did', state: 'failed', detail: 'Operation 1: the one that it follows is not there.' },
    ]);
  });
});

describe.each(['secp256k1', 'p256'] as const)('a record in a repository, with keys of %s', (curve) => {
  it('is there by a commit that the server signed', async () => {
    const account = await accountWithPost(curve);
    const result = await verifyAtprotoProof(await proofOf(account), placeOf(account));
    expect(result).toMatchObject({ ok: true, complete: true, record: POST, committedAt: Date.UTC(2026, 5, 1) / 1000 });
    expect(result.account).toMatchObject({ handle: 'alice.example.org', server: 'https://pds.example.org' });
    expect(result.steps.map(({ name }) => name)).toEqual(['shape', 'did', 'commit', 'record']);
  });

  it('is not there any more, by a newer commit', async () => {
    const account = await accountWithPost(curve);
    const before = await verifyAtprotoProof(await proofOf(account), placeOf(account));
    await account.delete(POSTS, RKEY);
    const after = await verifyAtprotoProof(await proofOf(account, { at: Date.UTC(2026, 6, 1) }), placeOf(account));
    expect(after).toMatchObject({ ok: true, complete: true, record: null });
    expect(after.steps.at(-1)!.detail).toMatch(/^There is no record /);
    expect(after.rev > before.rev).toBe(true);
  });

  it('shows nothing with a signature whose s is high', async () => {
    const account = await accountWithPost(curve);
    const { Fn } = (curve === 'p256' ? p256 : secp256k1).Point;
    const sign = async (bytes: Uint8Array<ArrayBuffer>) => {
      const signature = (await account.facts.signingKey.sign(bytes)).slice();
      signature.set(Fn.toBytes(Fn.neg(Fn.fromBytes(signature.slice(32)))), 32);
      return signature;
    };
    const { ok, steps } = await verifyAtprotoProof(await proofOf(account, { sign }), placeOf(account));
    expect({ ok, failed: steps.filter(({ state }) => state === 'failed').map(({ name }) => name) }).toEqual({
      ok: false,
      failed: ['commit'],
    });
  });
});

describe('a proof of a record', () => {
  it('shows that an empty repository has none', async () => {
    const account = await AtprotoAccount.create();
    expect(await verifyAtprotoProof(await proofOf(account), placeOf(account))).toMatchObject({
      ok: true,
      record: null,
    });
  });

  it('does not show absence where a part of the path is left out', async () => {
    const account = await accountWithPost();
    await account.delete(POSTS, RKEY);
    const whole = await account.carOf(POSTS, RKEY);
    const parts = blocksOf(whole);
    expect(parts.length).toBeGreaterThan(3);
    for (const left of parts.slice(1)) {
      const car = encodeBase64(Buffer.concat([headerOf(whole), ...parts.filter((part) => part !== left)]));
      const { ok } = await verifyAtprotoProof(
        { type: 'atproto', car, operations: account.operations },
        placeOf(account),
      );
      expect(ok).toBe(false);
    }
  });

  it('is refused with any bit of the file changed', async () => {
    const account = await accountWithPost();
    const car = await account.carOf(POSTS, RKEY);
    const accepted: number[] = [];
    for (let bit = 0; bit < car.length * 8; bit += 13) {
      const changed = car.slice();
      changed[bit >> 3]! ^= 1 << (bit & 7);
      const proof = { type: 'atproto' as const, car: encodeBase64(changed), operations: account.operations };
      const { ok, record } = await verifyAtprotoProof(proof, placeOf(account));
      // The header counts its roots, and one bit of it may leave all as it was.
      if (ok && JSON.stringify(record) !== JSON.stringify(POST)) accepted.push(bit);
      else if (ok && bit >> 3 > headerOf(car).length) accepted.push(bit);
    }
    expect(accepted).toEqual([]);
  });

  it('is refused with the file of another account', async () => {
    const [one, other] = [await accountWithPost(), await accountWithPost()];
    const proof = { ...(await proofOf(other)), operations: one.operations };
    const { ok, steps } = await verifyAtprotoProof(proof, placeOf(one));
    expect({ ok, commit: steps[2]!.state }).toEqual({ ok: false, commit: 'failed' });
  });

  it('is refused with the operations of another account', async () => {
    const [one, other] = [await accountWithPost(), await accountWithPost()];
    const proof = { ...(await proofOf(one)), operations: other.operations };
    const { ok, steps } = await verifyAtprotoProof(proof, placeOf(one));
    expect({ ok, did: steps[1]!.state }).toEqual({ ok: false, did: 'failed' });
  });

  it('is refused with a key that the operations have replaced, or that was nullified', async () => {
    const [high, low] = [await newKey('secp256k1'), await newKey('secp256k1')];
    const account = await AtprotoAccount.create({ rotationKeys: [high, low] });
    await account.put(POSTS, RKEY, POST);
    const [first, facts] = [account.operations[0]!, account.facts];
    const thief = await newKey('secp256k1');
    await account.operate({ ...facts, rotationKeys: [thief], signingKey: thief }, low);
    const byThief = await proofOf(account);
    expect(await verifyAtprotoProof(byThief, placeOf(account))).toMatchObject({ ok: true });
    await account.operate({ ...facts, signingKey: await newKey('secp256k1') }, high, { prev: first.cid });
    const { operations } = account;
    expect(operations.map(({ nullified }) => nullified)).toEqual([false, true, false]);
    const outcomes = await Promise.all(
      [byThief, await proofOf(account, { signer: facts.signingKey }), await proofOf(account)].map(async ({ car }) => {
        const { ok } = await verifyAtprotoProof({ type: 'atproto', car, operations }, placeOf(account));
        return ok;
      }),
    );
    expect(outcomes).toEqual([false, false, true]);
  });

  it('holds by the key of its time where the list of operations is cut', async () => {
    const account = await accountWithPost();
    const before = await proofOf(account);
    await account.operate({ ...account.facts, signingKey: await newKey('p256') }, account.facts.rotationKeys[0]!);
    const now = await proofOf(account);
    const cut = { ...now, operations: before.operations };
    const verified = await Promise.all([before, now, cut].map((proof) => verifyAtprotoProof(proof, placeOf(account))));
    expect(verified.map(({ ok }) => ok)).toEqual([true, true, false]);
    expect(verified[0]!.account!.since).toBeLessThan(verified[1]!.account!.since);
  });

  it('says that the key of a did:web is not known', async () => {
    const account = await accountWithPost();
    const did = 'did:web:alice.example.org';
    const proof = { ...(await proofOf(account, { did })), operations: null };
    const { ok, complete, steps } = await verifyAtprotoProof(proof, { ...placeOf(account), did });
    expect({ ok, complete, states: steps.map(({ state }) => state) }).toEqual({
      ok: true,
      complete: false,
      states: ['ok', 'not_checkable', 'not_checkable', 'ok'],
    });
  });

  it.each([undefined, null, 1, 'car', {}, { car: 'AA==' }, { car: '', operations: [] }, { car: '!' }])(
    'is refused where it is %j',
    async (proof) => {
      const { ok, steps } = await verifyAtprotoProof(proof as never, placeOf({ did: `did:plc:${'a'.repeat(24)}` }));
      expect({ ok, name: steps[0]!.name }).toEqual({ ok: false, name: 'shape' });
    },
  );
});

/** The parts of a CAR file behind its header; a length in front of each is one byte or two. */
function blocksOf(car: Uint8Array): Uint8Array[] {
  const blocks: Uint8Array[] = [];
  for (let at = headerOf(car).length; at < car.length;) {
    const [length, size] = lengthAt(car, at);
    blocks.push(car.slice(at, at + size + length));
    at += size + length;
  }
  return blocks;
}

function headerOf(car: Uint8Array): Uint8Array {
  const [length, size] = lengthAt(car, 0);
  return car.slice(0, size + length);
}

function lengthAt(car: Uint8Array, at: number): [length: number, size: number] {
  const first = car[at]!;
  return first < 128 ? [first, 1] : [(first & 127) + car[at + 1]! * 128, 2];
}
