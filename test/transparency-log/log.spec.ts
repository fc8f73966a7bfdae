import { linkRecord, patchRecord } from '@signet/verify/internal/log';
import {
  decodeHex,
  encodeHex,
  isSignedBy,
  readCheckpoint,
  readLogProof,
  verifyLogProof,
  verifyMapAnswer,
} from '@signet/verify/log';
import {
  avatarKey,
  holderKey,
  identityKey,
  provenValue,
  readMapEntry,
  SparseTree,
  valueHash,
  valueText,
} from '@signet/verify/internal/map';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import type { AnsweredLink } from '../support/chain-checks.js';
import { ENGINES } from '../support/engines.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';
import { writeKv } from '../kv/kv-scenario.js';
import { problemsOfLog } from './log-checks.js';
import { getRaw, headOfRecords, policyOf, proofOf, readEntries, readHead, rootOf, rootOfTiles } from './log-client.js';

const alice = anAvatar('alice');
const bob = anAvatar('bob');

describe.each(ENGINES)('the log of a server on %s', (engine) => {
  let running: RunningApp;

  beforeAll(async () => {
    running = await startApp({ engine });
  });
  afterAll(() => running?.close());

  it('signs a tree head when there is nothing, with the empty map alone', async () => {
    const head = await headOfRecords(running, 0);

    const { body } = await running.get('/v1/log');
    const [log] = (await policyOf(running)).logs;
    expect(body).toMatchObject({
      state: 'ok',
      problem: '',
      size: 1,
      waiting: 0,
      policy_met: null,
      cosigned: null,
      witnesses: [],
    });
    expect(head.origin).toBe(body.origin);
    expect(body.origin).toMatch(/^self-[0-9a-f]{16}$/);
    expect(isSignedBy(head.note, log!.key)).toBe(true);
  });

  it('proves by the empty map that there is nothing', async () => {
    await headOfRecords(running, 0);
    const policy = await policyOf(running);
    const identity = aWallet('nobody has it').address;
    const avatar = alice.key.compressed;
    for (const question of [
      { avatar },
      { platform: 'ethereum', identity },
      { platform: 'ethereum', identity, avatar },
    ]) {
      const { status, body } = await running.get(`/v1/log/map?${new URLSearchParams(question).toString()}`);

      expect({ status, code: body.code }).toEqual({ status: 200, code: undefined });
      expect(verifyMapAnswer(body, question, { policy })).toMatchObject({ ok: true, value: null, holder: null });
    }
  });

  it('has every link and every patch, in the order of their feeds, and the entries hold what the feeds answer', async () => {
    await linkWallet(running, alice, aWallet('one'));
    await writeKv(running, alice, { name: 'Alice' });
    await linkWallet(running, bob, aWallet('two'));
    await writeKv(running, bob, '{"name":"Bob","__proto__":[1e2]}');
    const head = await headOfRecords(running, 4);

    const entries = await readEntries(running, head.size);
    const links = (await running.get('/v1/proofchain/changes?last_id=0')).body.links;
    const patches = (await running.get('/v1/kv/changes?last_id=0')).body.patches;
    const of = (kind: string) => entries.map(({ entry }) => entry).filter((entry) => entry.kind === kind);
    expect(of('link').map(({ id }) => id)).toEqual([1, 2]);
    expect(of('kv').map(({ id }) => id)).toEqual([1, 2]);
    expect(of('link').map(({ record }) => record)).toEqual(
      links.map((link: Parameters<typeof linkRecord>[0]) => linkRecord(link)),
    );
    expect(of('kv').map(({ record }) => record)).toEqual(
      patches.map((patch: Parameters<typeof patchRecord>[0]) => patchRecord(patch)),
    );
    expect(Math.abs(Date.now() / 1000 - of('link')[0]!.recorded_at)).toBeLessThan(300);
    expect(rootOf(entries)).toEqual(head.root);
    expect(await rootOfTiles(running, head.size)).toEqual(head.root);
  });

  it('ends each tree head with an entry of the map, which is what the entries before it give', async () => {
    expect(await problemsOfLog(running, [])).toEqual([]);
  });

  it('answers what the map says of an Avatar and of an identity, and of what it does not have, with proof', async () => {
    const carol = anAvatar('carol');
    const wallet = aWallet('one');
    await linkWallet(running, bob, wallet);
    await linkWallet(running, bob, aWallet('two'), { action: 'delete' });
    const policy = await policyOf(running);
    await headOfRecords(running, 6);
    const links = (await running.get('/v1/proofchain/changes?last_id=0')).body.links as AnsweredLink[];
    const ask = async (query: Record<string, string>) => {
      const { status, body } = await running.get(`/v1/log/map?${new URLSearchParams(query).toString()}`);
      expect(status).toBe(200);
      const shown = verifyLogProof(body.log_proof, { policy });
      const entry = readMapEntry(readLogProof(body.log_proof)!.extra!)!;
      expect(readLogProof(body.log_proof)!.index).toBe(entry.size);
      expect(readCheckpoint(readLogProof(body.log_proof)!.checkpoint)!.size).toBe(entry.size + 1);
      return { body, entry, shown };
    };
    const shownBy = ({ body, entry }: Awaited<ReturnType<typeof ask>>, key: Uint8Array) =>
      provenValue(decodeHex(entry.root)!, key, proofIn(body.proof));
    const entries = (await readEntries(running, (await readHead(running))!.size)).map(({ entry }) => entry);
    const entryOf = (id: number) => entries.findIndex(({ kind, id: one }) => kind === 'link' && one === id);
    const identity = wallet.address.toLowerCase();

    const ofBob = await ask({ avatar: bob.key.uncompressed });
    expect(ofBob.body.value).toEqual({
      ...{ link: entryOf(4), links: 3, patches: 1 },
      patch: entries.findLastIndex(({ kind }) => kind === 'kv'),
    });
    expect(shownBy(ofBob, avatarKey(bob.key.compressed))).toEqual({
      valueHash: valueHash(valueText(ofBob.body.value)),
    });
    const ofCarol = await ask({ avatar: carol.key.compressed });
    expect(ofCarol.body.value).toBeNull();
    expect(shownBy(ofCarol, avatarKey(carol.key.compressed))).toEqual({ valueHash: null });

    const ofWallet = await ask({ platform: 'ethereum', identity: wallet.address });
    expect(links.map(({ avatar, action }) => [avatar, action])).toEqual([
      [alice.key.compressed, 'create'],
      [bob.key.compressed, 'create'],
      [bob.key.compressed, 'create'],
      [bob.key.compressed, 'delete'],
    ]);
    const holders = ofWallet.body.holders as { avatar: string; link: number }[];
    expect(holders.toSorted((one, other) => one.link - other.link)).toEqual([
      { avatar: alice.key.compressed, link: entryOf(1) },
      { avatar: bob.key.compressed, link: entryOf(3) },
    ]);
    const tree = new SparseTree();
    for (const { avatar, link } of holders) tree.set(holderKey(avatar), valueHash(valueText({ link })));
    expect(ofWallet.body.value).toEqual({ holders: 2, root: encodeHex(tree.root()) });
    expect(shownBy(ofWallet, identityKey('ethereum', identity))).toEqual({
      valueHash: valueHash(valueText(ofWallet.body.value)),
    });
    const ofHolder = await ask({ platform: 'ethereum', identity, avatar: bob.key.compressed });
    const { value, proof } = ofHolder.body.holder;
    expect(value).toEqual({ link: entryOf(3) });
    expect(provenValue(tree.root(), holderKey(bob.key.compressed), proofIn(proof))).toEqual({
      valueHash: valueHash(valueText(value)),
    });
    const revoked = await ask({ platform: 'ethereum', identity: aWallet('two').address });
    expect(revoked.body).toMatchObject({ value: null, holders: [], holder: null });
    expect(shownBy(revoked, identityKey('ethereum', aWallet('two').address.toLowerCase()))).toEqual({
      valueHash: null,
    });
  });

  it('answers each question to the map from one state, while links come', async () => {
    const policy = await policyOf(running);
    const dora = anAvatar('dora');
    // How many links the answers counted: it has to change meanwhile.
    const counts = new Set<number>();
    const LINKS_BETWEEN_COUNTS = 15;
    const isOver = () => counts.size >= 3;
    const writing = (async () => {
      for (let n = 0; !isOver(); n++) {
        await linkWallet(running, dora, aWallet(`dora ${n % 3}`), { action: actionOf(n) });
        // The tests behind this one need a log of less than one tile, however fast the machine is.
        await until(() => isOver() || n < LINKS_BETWEEN_COUNTS * (counts.size + 1));
      }
    })();
    const identity = aWallet('dora 0').address.toLowerCase();
    while (!isOver()) {
      for (const question of [{ avatar: dora.key.compressed }, { platform: 'ethereum', identity }]) {
        const { status, body } = await running.get(`/v1/log/map?${new URLSearchParams(question).toString()}`);
        expect(status).toBe(200);
        const { ok, steps, value } = verifyMapAnswer(body, question, { policy });
        expect({ ok, failed: steps.filter(({ state }) => state === 'failed') }).toEqual({ ok: true, failed: [] });
        if (value && 'links' in value) counts.add(value.links);
      }
    }
    await writing;
    // Later tests compare proofs, which are by the newest tree head: the last link is to be in it.
    const { body } = await running.get(`/v1/proofchain?public_key=${dora.key.compressed}`);
    await proofOf(running, `uuid=${body.proof_chain.at(-1).uuid}`);
  });

  it.each([
    ['', 'invalid_request'],
    ['platform=ethereum', 'invalid_request'],
    ['identity=x', 'invalid_request'],
    ['avatar=0x02', 'invalid_public_key'],
    ['avatar=0x02&avatar=0x03', 'invalid_request'],
    ['platform=nowhere&identity=x', 'unknown_platform'],
    ['platform=ethereum&identity=x', 'invalid_identity'],
  ])('answers a question to the map of "%s" with 400 %s', async (query, code) => {
    const { status, body } = await running.get(`/v1/log/map?${query}`);

    expect({ status, code: body.code }).toEqual({ status: 400, code });
  });

  it('proves a link and a patch offline, by their uuid and by their number', async () => {
    const policy = await policyOf(running);
    const [link] = (await running.get('/v1/proofchain/changes?last_id=1')).body.links;
    const [patch] = (await running.get('/v1/kv/changes?last_id=1')).body.patches;

    const ofLink = await proofOf(running, `uuid=${link.uuid}`);
    const ofPatch = await proofOf(running, `kind=kv&id=${patch.id}`);

    expect(verifyLogProof(ofLink, { policy, link })).toMatchObject({ ok: true, entry: { kind: 'link', id: 2 } });
    expect(verifyLogProof(ofPatch, { policy, patch })).toMatchObject({ ok: true, entry: { kind: 'kv', id: 2 } });
    expect(verifyLogProof(ofLink, { policy, link: { ...link, identity: `0x${'0'.repeat(40)}` } }).ok).toBe(false);
    // A proof ends with the newest head: two are equal once the log has taken in what other tests have written.
    const isOne = async (...of: [string, string]) =>
      new Set(await Promise.all(of.map((query) => proofOf(running, query)))).size === 1;
    await until(() => isOne(`uuid=${patch.uuid}`, 'kind=kv&id=2'));
    await until(() => isOne(`uuid=${link.uuid}`, 'kind=link&id=2'));
  });

  it('says of what caches may keep it, and for how long', async () => {
    const { size } = (await readHead(running))!;
    const checkpoint = await getRaw(running, '/log/checkpoint');
    const tile = await getRaw(running, `/log/tile/0/000.p/${size}`);
    const bundle = await getRaw(running, `/log/tile/entries/000.p/${size}`);

    expect(checkpoint.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(checkpoint.headers.get('cache-control')).toBe('public, max-age=1');
    for (const { status, headers } of [tile, bundle]) {
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('application/octet-stream');
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('access-control-allow-origin')).toBe('*');
    }
    expect(tile.bytes).toHaveLength(32 * size);
    const [one, other] = [tile, bundle].map(({ headers }) => headers.get('etag')!);
    expect(one).toMatch(/^"[^"]+"$/);
    expect(one).not.toBe(other);
    const again = await fetch(`${running.baseUrl}/log/tile/0/000.p/${size}`, { headers: { 'if-none-match': one! } });
    expect(again.status).toBe(304);
    const proof = await getRaw(running, '/v1/log/proof?kind=link&id=1');
    expect(proof.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(proof.headers.get('cache-control')).toBe('no-cache');
  });

  it('serves smaller partial tiles for as long as there is no full one', async () => {
    const { size } = (await readHead(running))!;
    const whole = await getRaw(running, `/log/tile/0/000.p/${size}`);

    for (let width = 1; width < size; width++) {
      expect((await getRaw(running, `/log/tile/0/000.p/${width}`)).bytes).toEqual(whole.bytes.slice(0, 32 * width));
    }
  });

  it('takes the slashes of a path encoded, as generated clients send them', async () => {
    const { size } = (await readHead(running))!;
    const plain = await getRaw(running, `/log/tile/entries/000.p/${size}`);

    expect((await getRaw(running, `/log/tile/entries/000.p%2F${size}`)).bytes).toEqual(plain.bytes);
  });

  it.each([
    '/log/tile/0/000',
    '/log/tile/0/000.p/255',
    '/log/tile/0/000.p/0',
    '/log/tile/0/000.p/256',
    '/log/tile/00/000.p/1',
    '/log/tile/1/000.p/1',
    '/log/tile/0/0.p/1',
    '/log/tile/0/x000/000.p/1',
    '/log/tile/entries/000',
    '/log/tile/entries/001.p/1',
    '/log/tile/64/000.p/1',
    '/log/tile/0/000.p/1/2',
    '/log/cosigned/tile/0/000',
    '/log/cosigned/tile/entries/000',
  ])('has no %s', async (path) => {
    const { status, body, headers } = await running.get(path);

    expect({ status, code: body.code }).toEqual({ status: 404, code: 'tile_not_found' });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('shows no checkpoint of witnesses, because it has no policy', async () => {
    const { status, body } = await running.get('/log/cosigned/checkpoint');

    expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_cosigned' });
  });

  it.each([
    ['', 400, 'invalid_request'],
    ['kind=link', 400, 'invalid_request'],
    ['id=1', 400, 'invalid_request'],
    ['kind=event&id=1', 400, 'invalid_request'],
    ['kind=link&id=0', 400, 'invalid_request'],
    ['kind=link&id=x', 400, 'invalid_request'],
    ['uuid=nobody', 400, 'invalid_request'],
    ['kind=link&id=9999', 404, 'record_not_found'],
    ['kind=kv&id=9999', 404, 'record_not_found'],
    ['uuid=00000000-0000-4000-8000-000000000000', 404, 'record_not_found'],
  ])('answers a proof of "%s" with %d %s', async (query, status, code) => {
    const answer = await running.get(`/v1/log/proof?${query}`);

    expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
    expect(answer.body.message).toMatch(/^[a-zA-Z].*[a-z\d]\.$/);
  });
});

/** Binds each of three wallets, revokes each, and so on. */
function actionOf(n: number): 'create' | 'delete' {
  return Math.floor(n / 3) % 2 === 0 ? 'create' : 'delete';
}

/** A proof as it is answered. */
function proofIn({ siblings, end }: { siblings: string[]; end: { key: string; value_hash: string } | null }) {
  const bytes = (hex: string) => decodeHex(hex)!;
  return { siblings: siblings.map(bytes), end: end && { key: bytes(end.key), valueHash: bytes(end.value_hash) } };
}
