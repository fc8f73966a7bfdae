import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  isSignedBy,
  readCheckpoint,
  readVerifierKey,
  verifyLogProof,
  type VerifierKey,
  writeLogProof,
} from '@signet/verify/log';
import { avatarKey, provenValue, readMapEntry } from '@signet/verify/internal/map';
import { DataSource } from 'typeorm';
import { loadEnvironment } from '../../src/config/environment.js';
import { sha256 } from '../../src/crypto/hashing.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { openDatabase } from '../../src/database/database.js';
import { RECORD_KINDS } from '../../src/records/record-kinds.js';
import { LogIdentities, LogIdentity } from '../../src/transparency-log/signing/heads/log-identity.js';
import { HeadStore } from '../../src/transparency-log/signing/heads/head-store.js';
import { LogPlaces } from '../../src/transparency-log/signing/heads/log-place.js';
import { LogStore } from '../../src/transparency-log/signing/heads/log-store.js';
import { MapStore } from '../../src/transparency-log/tree/map/map-store.js';
import { MapWriter } from '../../src/transparency-log/tree/map/map-writer.js';
import { leafOf, type NewLeaf } from '../../src/transparency-log/tree/records/new-leaves.js';
import { GrowingTree } from '../../src/transparency-log/tree/growing-tree.js';
import { TreeStore } from '../../src/transparency-log/tree/tree-store.js';
import { runErase } from '../erasure/erase-command.js';
import { writeKv } from '../kv/kv-scenario.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { getRaw, headOfRecords, policyOf, readEntries } from './log-client.js';
import { readProof } from './read-proof.js';

type ForeignEntry = Awaited<ReturnType<typeof readEntries>>[number];

const alice = anAvatar('alice');
const bob = anAvatar('bob');

/** The tree of a log that another server signs: its entries come by HTTP, and `tree/` grows by them as it is. */
describe('the log of another server', () => {
  let foreign: RunningApp;
  let foreignKey: VerifierKey;
  let foreignIdentity: LogIdentity;
  /** Checkpoints that it has signed, and all entries of the newest one. */
  const notes: string[] = [];
  let entries: ForeignEntry[];
  const databases: TestDatabase[] = [];
  let source: DataSource;
  let store: LogStore;
  let heads: HeadStore;
  let tree: TreeStore;
  let map: MapStore;

  /** Takes in all entries up to a tree head, unless that does not fit to them or is not of the other log. */
  const takeIn = (all: ForeignEntry[], note: string): Promise<void> =>
    source.transaction(async (manager) => {
      await store.lock(manager);
      const { state } = await store.snapshot(manager);
      const head = readCheckpoint(note);
      if (!head || !isSignedBy(head.note, foreignKey)) throw new Error('The other log has not signed this.');
      const growing = new GrowingTree(manager, tree, new MapWriter(map, RECORD_KINDS), RECORD_KINDS, state!);
      await growing.add(all.slice(state!.size, head.size).map((entry, place) => toLeaf(entry, state!.size + place)));
      const mapRoot = await growing.takeIntoMap(growing.state.size);
      const root = await growing.finish();
      const committed = readMapEntry(all[head.size - 1]!.bytes);
      if (Buffer.compare(root, head.root) !== 0) throw new Error('The entries do not give this root.');
      if (committed?.root !== hexOf(mapRoot)) throw new Error('The entries do not give this map.');
      await heads.add(manager, { size: head.size, root, note }, growing.state.mapTop);
    });

  beforeAll(async () => {
    databases.push(await createTestDatabase(), await createTestDatabase());
    const [own, other] = databases.map(({ url }) => url) as [string, string];
    const dataDir = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
    foreign = await startApp({ databaseUrl: other, env: { DATA_DIR: dataDir } });
    foreignKey = readVerifierKey((await foreign.get('/v1/log')).body.verifier_key)!;
    foreignIdentity = await foreign.app.get(LogIdentities).current();
    const erased = () => runErase(other, ['--link', '1', '--reason', 'an order', '--yes'], { DATA_DIR: dataDir });
    const steps = [
      () => linkWallet(foreign, alice, aWallet('first')),
      () => linkWallet(foreign, bob, aWallet('second')),
      () => writeKv(foreign, alice, { name: 'Alice' }),
      () => linkWallet(foreign, alice, aWallet('first'), { action: 'delete' }),
      async () => expect(await erased()).toMatchObject({ code: 0 }),
    ];
    for (const [index, step] of steps.entries()) {
      await step();
      await headOfRecords(foreign, index + 1);
      notes.push((await getRaw(foreign, '/log/checkpoint')).text);
    }
    entries = await readEntries(foreign, sizeOf(notes.at(-1)!));

    const database = await openDatabase(loadEnvironment({ DATABASE_URL: own }));
    source = await new DataSource(dataSourceOptions(database)).initialize();
    const places = new LogPlaces(source, database);
    store = new LogStore(source, places, RECORD_KINDS);
    heads = new HeadStore(source, places);
    tree = new TreeStore(source);
    map = new MapStore(source);
    const { body } = await foreign.get('/v1/log');
    await source.transaction((manager) => store.begin(manager, body.origin, body.verifier_key));
  });
  afterAll(async () => {
    await source?.destroy();
    await foreign?.close();
    for (const database of databases) await database.drop();
  });

  it('is taken in with the roots that it signed, and refused where it signed another one', async () => {
    const [first, second, ...others] = notes as [string, string, ...string[]];
    const size = sizeOf(second);
    await takeIn(entries, first);

    const wrong = foreignIdentity.sign({ size, root: new Uint8Array(32).fill(7) });
    await expect(takeIn(entries, wrong)).rejects.toThrow('The entries do not give this root.');
    const changed = entries.map((one, index) => (index === size - 2 ? withMember(one, 'recorded_at', 1) : one));
    await expect(takeIn(changed, second)).rejects.toThrow('The entries do not give this root.');
    const stranger = new LogIdentity(new Uint8Array(32).fill(7), 'self', foreignIdentity.origin);
    await expect(takeIn(entries, stranger.sign(readCheckpoint(second)!))).rejects.toThrow('has not signed this');

    // Nothing of what was refused has stayed.
    expect((await store.snapshot()).state).toMatchObject({ size: sizeOf(first), mapSize: sizeOf(first) });
    for (const note of [second, ...others]) await takeIn(entries, note);
    const { state, head } = await store.snapshot();
    expect(state!.last).toEqual({ link: 3, kv: 1, erasure: 1, key: 0, map: entries.length - 5 });
    expect(head).toMatchObject({ size: entries.length, note: notes.at(-1) });
    expect((await source.query('select size::int from log_checkpoint order by size')).length).toBe(notes.length);
  });

  it('is proved from the tree that was taken in, under the key of the other server', async () => {
    const checkpoint = notes.at(-1)!;
    const policy = await policyOf(foreign);
    const { links } = (await foreign.get('/v1/proofchain/changes?last_id=0')).body;
    for (const item of links) {
      const leaf = (await tree.leafOf('link', item.id))!;
      const proof = await tree.inclusionProof(leaf.index, entries.length);
      const file = writeLogProof({ index: leaf.index, proof, extra: Buffer.from(leaf.entry), checkpoint });

      const record = { kind: RECORD_KINDS.get('link'), item };
      expect(verifyLogProof(file, { record, about: 'record', policy })).toMatchObject({ ok: true, index: leaf.index });
    }

    const committed = readMapEntry(entries.at(-1)!.bytes)!;
    const root = Buffer.from(committed.root, 'hex');
    const number = (await heads.mapTopOf(entries.length))!;
    const key = avatarKey(alice.key.compressed, sha256);
    const { leaf, proof } = await map.find({ hash: root, number }, key);
    expect(provenValue(root, key, readProof(proof))!.valueHash).toEqual(sha256(Buffer.from(leaf!.value)));
    expect(JSON.parse(leaf!.value)).toMatchObject({ links: 2, patches: 1 });
  });
});

function toLeaf({ bytes, entry: { kind, id, recorded_at: at } }: ForeignEntry, index: number): NewLeaf {
  const text = Buffer.from(bytes).toString();
  return leafOf(kind, (kind as string) === 'map' ? index : id, at, text);
}

/** An entry that says something else. */
function withMember({ bytes, entry }: ForeignEntry, name: string, value: unknown): ForeignEntry {
  const said = JSON.parse(Buffer.from(bytes).toString()) as object;
  return { entry, bytes: Buffer.from(JSON.stringify({ ...said, [name]: value })) };
}

function sizeOf(note: string): number {
  return readCheckpoint(note)!.size;
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
