import { createHmac } from 'node:crypto';
import { loadEnvironment } from '../../src/config/environment.js';
import { PayloadMismatchError, StaleChainError } from '../../src/domain/domain-errors.js';
import { fromUnixSeconds } from '../../src/domain/unix-time.js';
import { canonicalJson } from '@signet/verify';
import { UUID_PATTERN } from '@signet/verify/internal';
import type { ChainHead } from '../../src/ledger/signed-record.js';
import { type IssuedPayload, type KnownHeads, PayloadSeal, type SealedFields } from '../../src/ledger/payload.seal.js';

const KEY = Buffer.alloc(32, 7);
const NOW_SECONDS = 1_763_700_000;
const TTL_SECONDS = 600;
const SKEW_SECONDS = 300;

const fields: SealedFields = {
  kind: 'proof',
  avatar: '0x0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
  platform: 'github',
  identity: 'alice',
  action: 'create',
  patch: null,
};
const HEAD = 'c2lnbmF0dXJlIG9mIHRoZSBoZWFk';

const seal = sealWith(KEY);
const now = fromUnixSeconds(NOW_SECONDS);
const head: ChainHead = { signature: HEAD, createdAt: fromUnixSeconds(NOW_SECONDS - 60) };
const newer: ChainHead = { ...head, signature: 'newer' };
const onHead = headsOf(head);

function sealWith(key: Uint8Array): PayloadSeal {
  return new PayloadSeal(key, loadEnvironment({ PAYLOAD_TTL_SECONDS: String(TTL_SECONDS) }));
}

function headsOf(current: ChainHead | null, past: (string | null)[] = []): KnownHeads {
  return { current, past: async () => past };
}

/** As version 0.1.0 made it. */
function uuidOfVersion010(kv: SealedFields, prev: string, random: string): string {
  const text = canonicalJson({ ...kv, random, created_at: NOW_SECONDS, prev });
  const hash = createHmac('sha256', KEY).update(text).digest('hex');
  const variant = ((Number.parseInt(hash[4]!, 16) & 3) | 8).toString(16);
  return `${random.slice(0, 8)}-${random.slice(8)}-4${hash.slice(1, 4)}-${variant}${hash.slice(5, 8)}-${hash.slice(8, 20)}`;
}

/** `text` with its first character replaced. */
const altered = (text: string) => (text.startsWith('a') ? 'b' : 'a') + text.slice(1);

describe('a payload', () => {
  it('has a uuid of version 4', () => {
    const { uuid } = seal.issue(fields, head, now);

    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(uuid).toMatch(UUID_PATTERN);
  });

  it('has another uuid every time, though all fields are the same', () => {
    const uuids = Array.from({ length: 100 }, () => seal.issue(fields, head, now).uuid);

    expect(new Set(uuids).size).toBe(100);
  });

  it('is dated in whole seconds, because that is what is sent', () => {
    const { createdAt } = seal.issue(fields, head, new Date(NOW_SECONDS * 1000 + 999));

    expect(createdAt).toEqual(now);
  });

  it('carries 74 bits of HMAC-SHA-256 over the canonical JSON of its fields', () => {
    const { uuid } = seal.issue(fields, head, now);

    const random = uuid.slice(0, 8) + uuid.slice(9, 13);
    const text =
      `{"action":"create","avatar":"${fields.avatar}","created_at":${NOW_SECONDS},"identity":"alice","kind":"proof",` +
      `"patch":null,"platform":"github","prev":"${HEAD}","random":"${random}"}`;
    const hash = createHmac('sha256', KEY).update(text).digest('hex');
    // The first digit gives way to the version, and two bits of the fifth to the variant.
    expect(uuid.slice(15, 18)).toBe(hash.slice(1, 4));
    expect(Number.parseInt(uuid[19]!, 16) & 3).toBe(Number.parseInt(hash[4]!, 16) & 3);
    expect(uuid.slice(20).replace('-', '')).toBe(hash.slice(5, 20));
  });

  it('carries chain and block of a contract wallet too, where it names them', () => {
    const chain = { block_number: 21_000_000, chain_id: 10 };
    const { uuid } = seal.issue({ ...fields, chain }, head, now);

    const random = uuid.slice(0, 8) + uuid.slice(9, 13);
    const text = canonicalJson({ ...fields, ...chain, created_at: NOW_SECONDS, prev: HEAD, random });
    const hash = createHmac('sha256', KEY).update(text).digest('hex');
    expect(text).toContain(`"avatar":"${fields.avatar}","block_number":21000000,"chain_id":10,"created_at":`);
    expect(uuid.slice(20).replace('-', '')).toBe(hash.slice(5, 20));
  });

  it('opens under the fields, the head and the key it was issued with', async () => {
    const issued = seal.issue(fields, head, now);

    await expect(seal.open(fields, issued, onHead, now)).resolves.toBeUndefined();
    await expect(sealWith(Buffer.alloc(32, 7)).open(fields, issued, onHead, now)).resolves.toBeUndefined();
  });

  it('opens on an empty chain too', async () => {
    const issued = seal.issue(fields, null, now);

    await expect(seal.open(fields, issued, headsOf(null), now)).resolves.toBeUndefined();
  });

  it('seals the patch of a key-value write', async () => {
    const kv: SealedFields = { ...fields, kind: 'kv', action: 'kv', patch: '{"a":1}' };
    const issued = seal.issue(kv, head, now);

    await expect(seal.open(kv, issued, onHead, now)).resolves.toBeUndefined();
    await expect(seal.open({ ...kv, patch: '{"a":2}' }, issued, onHead, now)).rejects.toThrow(PayloadMismatchError);
  });

  it('hashes a large patch once, however many heads are tried', async () => {
    const heads = Array.from({ length: 1000 }, (_, index) => `head ${index}`);
    const cpuMsFor = async (length: number) => {
      const patch = JSON.stringify({ a: 'x'.repeat(length) });
      const kv: SealedFields = { ...fields, kind: 'kv', action: 'kv', patch };
      const issued = seal.issue(kv, { ...head, signature: 'elsewhere' }, now);
      const before = process.cpuUsage();
      await expect(seal.open(kv, issued, headsOf(newer, heads), now)).rejects.toThrow(PayloadMismatchError);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    await cpuMsFor(1);
    const small = await cpuMsFor(1);
    const large: number[] = [];
    // Other threads of the process, and the collector of garbage, may work meanwhile: the best of three counts.
    for (let round = 0; round < 3; round++) large.push(await cpuMsFor(1024 * 1024));

    // Hashed anew for each head it takes twenty times as long and more.
    expect(Math.min(...large)).toBeLessThan(5 * small);
  });

  describe('of a patch, while servers of version 0.1.0 run beside this one', () => {
    const kv: SealedFields = { ...fields, kind: 'kv', action: 'kv', patch: '{"a":"é"}' };

    it('opens here if one of them issued it, with the text of the patch under the HMAC', async () => {
      const issued = { uuid: uuidOfVersion010(kv, HEAD, '0123456789ab'), createdAt: now };

      await expect(seal.open(kv, issued, onHead, now)).resolves.toBeUndefined();
      await expect(seal.open(kv, issued, headsOf(newer, [HEAD]), now)).rejects.toThrow(StaleChainError);
      await expect(seal.open({ ...kv, patch: '{"a":2}' }, issued, onHead, now)).rejects.toThrow(PayloadMismatchError);
    });

    it('opens there if it was issued here', () => {
      const { uuid } = seal.issue(kv, head, now);

      expect(uuid).toBe(uuidOfVersion010(kv, HEAD, uuid.replaceAll('-', '').slice(0, 12)));
    });
  });

  it.each<[string, Partial<SealedFields>]>([
    ['kind', { kind: 'kv' }],
    ['avatar', { avatar: fields.avatar.replace(/8$/, '9') }],
    ['platform', { platform: altered(fields.platform) }],
    ['identity', { identity: `${fields.identity}x` }],
    ['action', { action: 'delete' }],
    ['patch', { patch: '{}' }],
  ])('does not open under another %s', async (_name, change) => {
    const issued = seal.issue(fields, head, now);

    await expect(seal.open({ ...fields, ...change }, issued, onHead, now)).rejects.toMatchObject({
      code: 'payload_mismatch',
    });
  });

  it.each<[string, SealedFields['chain']]>([
    ['another chain', { block_number: 21_000_000, chain_id: 1 }],
    ['another block', { block_number: 21_000_001, chain_id: 10 }],
    ['none', undefined],
  ])('does not open under another chain of a contract wallet: %s', async (_what, chain) => {
    const signed = { ...fields, chain: { block_number: 21_000_000, chain_id: 10 } };
    const issued = seal.issue(signed, head, now);

    await expect(seal.open(signed, issued, onHead, now)).resolves.toBeUndefined();
    await expect(seal.open({ ...fields, chain }, issued, onHead, now)).rejects.toThrow(PayloadMismatchError);
    if (!chain) return;
    const bare = seal.issue(fields, head, now);
    await expect(seal.open({ ...fields, chain }, bare, onHead, now)).rejects.toThrow(PayloadMismatchError);
  });

  it('does not open under a uuid in which any digit is changed', async () => {
    const issued = seal.issue(fields, head, now);
    const digits = [...issued.uuid].flatMap((character, index) => (character === '-' ? [] : [index]));

    for (const index of digits) {
      const digit = (Number.parseInt(issued.uuid[index]!, 16) ^ 1).toString(16);
      const uuid = issued.uuid.slice(0, index) + digit + issued.uuid.slice(index + 1);
      await expect(seal.open(fields, { ...issued, uuid }, onHead, now)).rejects.toThrow(PayloadMismatchError);
    }
    expect(digits).toHaveLength(32);
  });

  it.each([-1, 1])('does not open under a time that differs by %i second', async (seconds) => {
    const { uuid } = seal.issue(fields, head, now);
    const issued = { uuid, createdAt: fromUnixSeconds(NOW_SECONDS + seconds) };

    await expect(seal.open(fields, issued, onHead, now)).rejects.toThrow(PayloadMismatchError);
  });

  it('does not open under the key of another deployment', async () => {
    const issued = sealWith(Buffer.alloc(32, 8)).issue(fields, head, now);

    await expect(seal.open(fields, issued, onHead, now)).rejects.toThrow(PayloadMismatchError);
  });

  it.each([
    ['a past head', head],
    ['the empty chain', null],
  ])('is stale if it was issued on %s', async (_what, past) => {
    const issued = seal.issue(fields, past, now);

    await expect(seal.open(fields, issued, headsOf(newer, ['older', past?.signature ?? null]), now)).rejects.toThrow(
      StaleChainError,
    );
  });

  it('asks for past heads only where the current one does not fit', async () => {
    const issued = seal.issue(fields, head, now);
    let asked = 0;
    const heads = (current: ChainHead): KnownHeads => ({ current, past: async () => ((asked += 1), []) });

    await seal.open(fields, issued, heads(head), now);
    expect(asked).toBe(0);

    await expect(seal.open(fields, issued, heads(newer), now)).rejects.toThrow(PayloadMismatchError);
    expect(asked).toBe(1);
  });

  it.each([
    [TTL_SECONDS, 'at its last second', null],
    [TTL_SECONDS + 1, 'a second later', `issued ${TTL_SECONDS + 1} seconds ago`],
    [-SKEW_SECONDS, 'by a clock that is five minutes behind', null],
    [-SKEW_SECONDS - 1, 'by a clock that is more than that behind', `lies ${SKEW_SECONDS + 1} seconds ahead`],
  ])('judges its age: opened after %i s, %s', async (seconds, _when, refusal) => {
    const issued = seal.issue(fields, head, now);

    const opened = seal.open(fields, issued, onHead, fromUnixSeconds(NOW_SECONDS + seconds));

    if (refusal === null) await expect(opened).resolves.toBeUndefined();
    else {
      const message: unknown = expect.stringContaining(refusal);
      await expect(opened).rejects.toMatchObject({ code: 'payload_expired', message });
    }
  });

  it('is never issued with a time before that of its head, and opens wherever the clock is right again', async () => {
    const ahead: ChainHead = { signature: HEAD, createdAt: fromUnixSeconds(NOW_SECONDS + 10_800) };

    const issued = seal.issue(fields, ahead, now);

    expect(issued.createdAt).toEqual(ahead.createdAt);
    for (const clock of [now, ahead.createdAt]) {
      await expect(seal.open(fields, issued, headsOf(ahead), clock)).resolves.toBeUndefined();
    }
  });

  it('does not open ahead of the clock where the head is not, however often it was the head', async () => {
    const early = seal.issue(fields, head, fromUnixSeconds(NOW_SECONDS + 10_800));

    await expect(seal.open(fields, early, onHead, now)).rejects.toMatchObject({ code: 'payload_expired' });
  });

  it.each<[string, Partial<SealedFields>, KnownHeads, string]>([
    ['a changed field', { identity: 'mallory' }, onHead, 'payload_mismatch'],
    ['a moved chain', {}, headsOf(newer, [HEAD]), 'stale_chain'],
  ])('says %s rather than that it has expired', async (_what, change, heads, code) => {
    const issued: IssuedPayload = seal.issue(fields, head, now);
    const muchLater = fromUnixSeconds(NOW_SECONDS + 10 * TTL_SECONDS);

    await expect(seal.open({ ...fields, ...change }, issued, heads, muchLater)).rejects.toMatchObject({ code });
  });
});
