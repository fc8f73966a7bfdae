import { readVectors, type SignedRecord } from '../support/vectors.js';
import type { SignedLink } from '../../src/index.js';
import { identityKey } from '../../src/internal/map.js';
import {
  encodeBase64,
  encodeHex,
  type FeedLink,
  leafHash,
  logOnlyPolicy,
  readEntry,
  readLogProof,
  readPolicy,
  treeRoot,
  verifyLogProof,
  writeLogProof,
  writeVerifierKey,
} from '../../src/log.js';
import {
  inclusionFromTiles,
  isEntryBefore,
  isEntryOf,
  linkEntry,
  linkRecord,
  patchEntry,
  patchRecord,
  readOtherEntry,
} from '../../src/internal/log.js';
import { cosigner, noteSigner, signCheckpoint } from '../../src/log-sign.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const [record] = readVectors<{ records: SignedRecord[] }>('proof-links.json').records;
const log = noteSigner('signet.example/log', new Uint8Array(32).fill(1));
const witness = cosigner('witness.example/w', new Uint8Array(32).fill(2));

const link: FeedLink = {
  id: 7,
  avatar: record!.public_key,
  action: 'create',
  platform: 'github',
  identity: 'alice',
  proof_location: 'abc',
  created_at: '1700000000',
  uuid: '3f0e9f0a-0000-4000-8000-000000000001',
  signature: record!.signature,
  signature_payload: JSON.stringify({ avatar: record!.public_key }),
  extra: { wallet_signature: 'AA==' },
};
const patch = {
  id: 3,
  avatar: link.avatar,
  platform: 'github',
  identity: 'alice',
  patch: { b: 1, a: [1.5, null] },
  created_at: 1_700_000_100,
  uuid: '3f0e9f0a-0000-4000-8000-000000000002',
  signature: link.signature,
  signature_payload: '{}',
};
const entries = [linkEntry({ ...link, id: 6 }, 1_700_000_001), linkEntry(link, 1_700_000_002), patchEntry(patch, 5)];
const leaves = entries.map((entry) => leafHash(bytes(entry)));
const tile = Uint8Array.from(leaves.flatMap((leaf) => [...leaf]));
const checkpoint = signCheckpoint({ origin: log.key.name, size: 3, root: treeRoot(leaves) }, log);
const body = checkpoint.slice(0, checkpoint.indexOf('\n\n') + 1);
const proofOf = async (index: number, note = checkpoint) =>
  writeLogProof({
    extra: bytes(entries[index]!),
    index,
    proof: await inclusionFromTiles(index, 3, async () => [tile]),
    checkpoint: note,
  });

const states = (result: { steps: { name: string; state: string }[] }) =>
  Object.fromEntries(result.steps.map(({ name, state }) => [name, state]));
const policy = logOnlyPolicy(log.key);
const ALL_OK = { proof: 'ok', entry: 'ok', inclusion: 'ok', log_signature: 'ok' };

describe('an entry of the log', () => {
  it('is canonical JSON that names what a link did, and the key in the map of what a record is about', () => {
    const key = (platform: string, identity: string) => encodeHex(identityKey(platform, identity));
    expect(entries[1]).toBe(
      `{"action":"create","avatar":"${link.avatar}","id":7,"identity_key":"${key(link.platform, link.identity)}","kind":"link","record":"${linkRecord(link)}","recorded_at":1700000002,"uuid":"${link.uuid}","v":1}`,
    );
    expect(entries[2]).toBe(
      `{"avatar":"${patch.avatar}","id":3,"identity_key":"${key(patch.platform, patch.identity)}","kind":"kv","record":"${patchRecord(patch)}","recorded_at":5,"uuid":"${patch.uuid}","v":1}`,
    );
    expect(readEntry(bytes(entries[2]!))).toMatchObject({ kind: 'kv', id: 3, recorded_at: 5 });
  });

  it('stays what it is when an answer has more members, or an archive id', () => {
    expect(linkRecord({ ...link, archive_id: 'x', later: 1 } as FeedLink)).toBe(linkRecord(link));
  });

  it.each(['action', 'avatar', 'created_at', 'id', 'identity', 'platform', 'proof_location', 'signature', 'uuid'])(
    'changes with %s of its link',
    (member) => {
      expect(linkRecord({ ...link, [member]: 'other' })).not.toBe(linkRecord(link));
      expect(() => linkRecord({ ...link, [member]: undefined })).toThrow(TypeError);
    },
  );

  it.each([
    ['white space', entries[1]!.replace(',', ', ')],
    ['another order', entries[1]!.replace(/("avatar":"[^"]+"),("id":7)/, '$2,$1')],
    ['another action', entries[1]!.replace('"create"', '"update"')],
    ['no action', entries[1]!.replace('"action":"create",', '')],
    ['no key of an identity', entries[1]!.replace(/"identity_key":"\w+",/, '')],
    ['half a key of an identity', entries[1]!.replace(/("identity_key":"\w{32})\w+/, '$1')],
    ['the action of a link in that of a patch', entries[2]!.replace('{', '{"action":"create",')],
    ['a kind that is not known', entries[2]!.replace('"kv"', '"key"')],
    ['another version', entries[1]!.replace('"v":1', '"v":2')],
    ['a member more', entries[1]!.replace('"v":1', '"v":1,"w":1')],
    ['a time that is a text', entries[1]!.replace('1700000002', '"1700000002"')],
    ['a record in capitals', entries[1]!.replace(linkRecord(link), linkRecord(link).toUpperCase())],
    ['nothing', ''],
    ['null', 'null'],
  ])('is refused with %s', (_what, text) => {
    expect(readEntry(bytes(text))).toBeNull();
  });

  it.each([
    ['a kind of later versions, whatever else it says', '{"kind":"seat","later":[1,{"a":null}]}', 'seat'],
    ['a kind with digits and low lines', '{"kind":"erased_key2"}', 'erased_key2'],
    ['a kind that is known', entries[1]!, null],
    ['a damaged entry of a known kind', '{"kind":"kv"}', null],
    ['the kind of the map', '{"kind":"map"}', null],
    ['a kind in capitals', '{"kind":"Key"}', null],
    ['a kind of 33 letters', `{"kind":"${'k'.repeat(33)}"}`, null],
    ['no kind', '{"later":1}', null],
    ['a blank', '{"kind": "seat"}', null],
    ['a byte order mark', '\ufeff{"kind":"seat"}', null],
    ['no object', '["key"]', null],
    ['no JSON', 'key', null],
  ])('may be of another kind: %s', (_what, text, kind) => {
    expect(readOtherEntry(bytes(text))?.kind ?? null).toBe(kind);
  });

  it('is that of an erased link or patch where what is left names the same hash, action and key', () => {
    const [ofLink, ofPatch] = [readEntry(bytes(entries[1]!))!, readEntry(bytes(entries[2]!))!];
    const gone = (item: FeedLink | typeof patch, changes = {}) => ({
      ...item,
      identity: '',
      signature_payload: '',
      ...('patch' in item ? { patch: {} } : { proof_location: '', extra: {} }),
      erased: {
        at: 1_700_000_500,
        reason: 'order 12',
        record: 'patch' in item ? patchRecord(item) : linkRecord(item),
        identity_key: encodeHex(identityKey(item.platform, item.identity)),
        ...changes,
      },
    });
    const other = { identity_key: encodeHex(identityKey('github', 'mallory')) };

    expect(isEntryBefore(ofLink, { link: gone(link) as FeedLink })).toBe(true);
    expect(isEntryBefore(ofLink, { link: gone(link, other) as FeedLink })).toBe(false);
    expect(isEntryBefore(ofLink, { link: gone({ ...link, action: 'delete' }, {}) as FeedLink })).toBe(false);
    expect(isEntryBefore(ofLink, { link: gone(link, { record: 'ab'.repeat(32) }) as FeedLink })).toBe(false);
    expect(isEntryBefore(ofPatch, { patch: gone(patch) as typeof patch })).toBe(true);
    expect(isEntryBefore(ofPatch, { patch: gone(patch, other) as typeof patch })).toBe(false);
    expect(isEntryBefore(ofPatch, { link: gone(link) as FeedLink })).toBe(false);
  });

  it('belongs to the link of a chain too, which has neither number nor Avatar', () => {
    const ofChain: SignedLink = { ...link };
    delete ofChain.avatar;
    delete (ofChain as Partial<FeedLink>).id;
    const entry = readEntry(bytes(entries[1]!))!;

    expect(isEntryOf(entry, { link: ofChain, avatar: link.avatar })).toBe(true);
    expect(isEntryOf(entry, { link: ofChain })).toBe(true);
    expect(isEntryOf(entry, { link: { ...link, id: 8 } as FeedLink })).toBe(false);
    expect(isEntryOf(entry, { link: { ...ofChain, identity: 'mallory' } })).toBe(false);
    expect(isEntryOf(entry, { patch })).toBe(false);
    expect(isEntryOf(entry, { link: null as never })).toBe(false);
  });
});

describe('a proof file', () => {
  it('proves a link and a patch', async () => {
    expect(states(verifyLogProof(await proofOf(1), { link, policy }))).toEqual({
      ...ALL_OK,
      witnesses: 'not_checkable',
    });
    expect(verifyLogProof(await proofOf(2), { patch, policy })).toMatchObject({ ok: true, index: 2 });
  });

  it('does not prove a link that was changed, or another one', async () => {
    const changed = { ...link, signature: 'AAAA' };

    expect(states(verifyLogProof(await proofOf(1), { link: changed, policy }))).toMatchObject({
      entry: 'failed',
      inclusion: 'ok',
    });
    expect(states(verifyLogProof(await proofOf(0), { link, policy }))).toMatchObject({ entry: 'failed' });
  });

  it('does not prove an entry that is not in the tree', async () => {
    const invented = linkEntry({ ...link, identity: 'mallory' }, 1_700_000_002);
    const file = (await proofOf(1)).replace(/^extra .*$/m, `extra ${encodeBase64(bytes(invented))}`);
    const result = verifyLogProof(file, { link: { ...link, identity: 'mallory' }, policy });

    expect(states(result)).toMatchObject({ entry: 'ok', inclusion: 'failed' });
    expect(result.ok).toBe(false);
  });

  it('does not prove anything under the key of another log', async () => {
    const other = logOnlyPolicy(noteSigner(log.key.name, new Uint8Array(32).fill(8)).key);

    expect(states(verifyLogProof(await proofOf(1), { link, policy: other }))).toMatchObject({
      log_signature: 'failed',
    });
  });

  it('needs the witnesses of the policy', async () => {
    const asking = readPolicy(`log ${writeVerifierKey(log.key)}\nwitness w ${writeVerifierKey(witness.key)}\nquorum w`);
    const cosigned = checkpoint + witness.cosign(body, 1_700_000_000);

    expect(states(verifyLogProof(await proofOf(1), { link, policy: asking }))).toMatchObject({ witnesses: 'failed' });
    expect(verifyLogProof(await proofOf(1, cosigned), { link, policy: asking })).toMatchObject({
      ok: true,
      complete: true,
    });
  });

  it('says what it could not compare', async () => {
    expect(states(verifyLogProof(await proofOf(1), { policy }))).toMatchObject({ entry: 'not_checkable' });
  });

  it('is read as it was written', async () => {
    const text = await proofOf(1);

    expect(writeLogProof(readLogProof(text)!)).toBe(text);
    expect(text.split('\n').slice(0, 3)).toEqual([
      'c2sp.org/tlog-proof@v1',
      `extra ${encodeBase64(bytes(entries[1]!))}`,
      'index 1',
    ]);
    expect(writeLogProof({ extra: null, index: 0, proof: [], checkpoint })).toMatch(/^c2sp[^\n]*\nindex 0\n\nsignet/);
  });

  it.each([
    ['another version', (text: string) => text.replace('@v1', '@v2')],
    ['no index', (text: string) => text.replace(/^index.*\n/m, '')],
    ['an index with a leading zero', (text: string) => text.replace('index 1', 'index 01')],
    ['an index beyond 2^53', (text: string) => text.replace('index 1', 'index 9007199254740992')],
    ['a hash that is too short', (text: string) => text.replace(/^index 1\n/m, 'index 1\nAAAA\n')],
    ['extra that is not Base64', (text: string) => text.replace(/^extra .*$/m, 'extra ?')],
    ['65 hashes', (text: string) => text.replace(/^index 1\n/m, `index 1\n${`${'A'.repeat(43)}=\n`.repeat(65)}`)],
    ['no checkpoint', (text: string) => text.slice(0, text.indexOf('\n\n'))],
    ['a broken checkpoint', (text: string) => text.replace('\n3\n', '\nthree\n')],
    ['nothing', () => ''],
  ])('with %s is one failed step', async (_what, spoil) => {
    const result = verifyLogProof(spoil(await proofOf(1)), { link, policy });

    expect(states(result)).toEqual({ proof: 'failed' });
    expect(result.ok).toBe(false);
  });
});
