import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseClient } from '../../src/database/connections/database-client.js';
import { verifyChains, verifyCommand } from '../../src/audit/verify-command.js';
import { startApp } from '../support/app.js';
import { anAvatar, aSolanaWallet, aWallet } from '../support/avatar.js';
import {
  copyMigratedCluster,
  createEmptyDatabase,
  createTestDatabase,
  startEmbeddedTestDatabase,
  type TestDatabase,
} from '../support/database.js';
import { QUICK_START } from '../support/tier.js';
import { fillWithChains } from './chains.js';

const SCRIPT = fileURLToPath(new URL('../../scripts/verify.mjs', import.meta.url));

const [alice, bob, mallory] = [anAvatar('alice'), anAvatar('bob'), anAvatar('mallory')];

/** What `npm run verify` says and how it ends. */
async function verify(
  database: string | Record<string, string>,
  ...words: string[]
): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const env = typeof database === 'string' ? { DATABASE_URL: database } : database;
  const code = await verifyCommand(env, words, (line) => lines.push(line));
  return { code, text: lines.join('\n') };
}

function runScript(env: Record<string, string>): { code: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...QUICK_START, SCRIPT], {
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  });
  return { code: status, text: stdout + stderr };
}

async function connect(url: string): Promise<DatabaseClient> {
  const client = new DatabaseClient({ connectionString: url });
  await client.connect();
  return client;
}

/** What the schema refuses, somebody with the password of the database may still do. */
const WITHOUT_GUARDS = `
  alter table chain_link drop constraint chain_link_previous;
  alter table kv_patch drop constraint kv_patch_previous;
  alter table proof drop constraint proof_link;
  alter table archive_item drop constraint archive_item_link;`;

/** Makes Mallory sign what Alice signed. */
const forge = (table: string, id: number) => async (client: DatabaseClient) => {
  const { rows } = await client.query(`select signature_payload from ${table} where id = $1`, [id]);
  const signature = mallory.sign(rows[0].signature_payload);
  await client.query(`update ${table} set signature = $2 where id = $1`, [id, signature]);
};

/** Puts the signature of another wallet over the same text into a link. */
const signedBy = (wallet: { sign(text: string): string }, id: number) => async (client: DatabaseClient) => {
  const { rows } = await client.query('select signature_payload from chain_link where id = $1', [id]);
  const extra = { wallet_signature: wallet.sign(rows[0].signature_payload) };
  await client.query('update chain_link set extra = $2 where id = $1', [id, JSON.stringify(extra)]);
};

const sql = (text: string, values?: unknown[]) => (client: DatabaseClient) => client.query(text, values);

const deleted = aWallet('alice').address;

/** What somebody did to the database, and what `verify` has to say of it. */
const LINK_CRIMES: [string, (client: DatabaseClient) => Promise<unknown>, RegExp][] = [
  ['a signature of somebody else', forge('chain_link', 2), /Link 2 .*signature was not made by the Avatar/],
  [
    'a text that is not a signature',
    sql(`update chain_link set signature = 'AAAA' where id = 1`),
    /Link 1 .*its signature was not made/,
  ],
  [
    'a signature with something behind it',
    sql(`update chain_link set signature = signature || 'AAAA' where id = 3`),
    /Link 3 .*its signature was not made/,
  ],
  ['another identity', sql(`update chain_link set identity = '0xdead' where id = 1`), /Link 1 .*identity is "0xdead"/],
  ['another platform', sql(`update chain_link set platform = 'github' where id = 4`), /Link 4 .*platform is "github"/],
  [
    'another action',
    sql(`update chain_link set action = 'create' where id = 3`),
    /Link 3 .*action is "create".*"delete" was signed/,
  ],
  [
    'another time',
    sql(`update chain_link set created_at = created_at - interval '1 day' where id = 2`),
    /Link 2 .*created_at is/,
  ],
  ['another uuid', sql(`update chain_link set uuid = gen_random_uuid() where id = 2`), /Link 2 .*uuid is/],
  [
    'another signed text',
    sql(`update chain_link set signature_payload = replace(signature_payload, $1, '0xdead') where id = 1`, [deleted]),
    /Link 1 .*identity is "0x[0-9a-f]{40}", and "0xdead" was signed/,
  ],
  [
    'a signed text with a space more',
    sql(`update chain_link set signature_payload = replace(signature_payload, ',"uuid"', ', "uuid"') where id = 1`),
    /Link 1 .*not the canonical JSON/,
  ],
  [
    'a signed text that is not JSON',
    sql(`update chain_link set signature_payload = '[' where id = 2`),
    /Link 2 .*not a JSON object/,
  ],
  [
    'a link moved to another Avatar',
    sql(`update chain_link set avatar = $1 where id = 4`, [mallory.key.compressed]),
    /Link 4 .*avatar is/,
  ],
  ['a link taken out of the middle', sql('delete from chain_link where id = 2'), /Link 3 .*nothing at position 2/],
  ['a link taken off the beginning', sql('delete from chain_link where id = 1'), /Link 2 .*nothing at position 1/],
  [
    'a hole closed by counting anew',
    sql('delete from chain_link where id = 2; update chain_link set position_in_chain = 2 where id = 3'),
    /Link 3 .*prev is not the signature of the link before/,
  ],
  [
    'the newest revocation taken off',
    sql('delete from chain_link where id = 3'),
    /Link 1 .*binding that follows from it is missing/,
  ],
  ['a whole chain taken away', sql('delete from chain_link where id = 4'), /has a binding on ethereum and no chain/],
  [
    'a chain taken away with its binding',
    sql(`delete from proof where link_id = 1 or link_id = 2; delete from chain_link where id < 4`),
    /The feed has holes: 1 links have ids from 4 to 4/,
  ],
  [
    'a wallet signature of another wallet',
    signedBy(aWallet('mallory'), 4),
    /Link 4 .*wallet signature was not made by the wallet/,
  ],
  [
    'a Solana signature of another wallet',
    signedBy(aSolanaWallet('mallory'), 2),
    /Link 2 .*wallet signature was not made by the wallet/,
  ],
  [
    'no message of a wallet that signed one',
    sql(`update chain_link set extra = extra - 'wallet_message' where id = 2`),
    /Link 2 .*wallet signature was not made by the wallet/,
  ],
  [
    'the number of a chain in place of what a Solana wallet signed',
    sql(`update chain_link set extra = extra - 'wallet_message' || '{"chain_id":1}' where id = 2`),
    /Link 2 .*wallet signature was not made by the wallet/,
  ],
  [
    'no wallet signature',
    sql(`update chain_link set extra = '{}' where id = 4`),
    /Link 4 .*it has no wallet signature/,
  ],
  [
    'a binding that nobody made',
    sql(`update proof set identity = '0xdead' where link_id = 4`),
    /"0xdead" on ethereum that no link made/,
  ],
  [
    'a binding given to somebody else',
    sql('update proof set avatar = $1 where link_id = 4', [alice.key.compressed]),
    /that no link made/,
  ],
  [
    'a binding taken away',
    sql('delete from proof where link_id = 2'),
    /Link 2 .*binding that follows from it is missing/,
  ],
  ['a binding of another link', sql('update proof set link_id = 1 where link_id = 2'), /Link 2 .*made by link 1/],
];

const PATCH_CRIMES: [string, (client: DatabaseClient) => Promise<unknown>, RegExp][] = [
  ['a signature of somebody else', forge('kv_patch', 1), /Patch 1 .*signature was not made by the Avatar/],
  [
    'another patch',
    sql(`update kv_patch set patch = '{"name":"Mallory"}' where id = 2`),
    /Patch 2 .*patch is {"name":"Mallory"}/,
  ],
  ['a patch that is not JSON', sql(`update kv_patch set patch = '{' where id = 2`), /Patch 2 .*its patch is not JSON/],
  [
    'another identity',
    sql(`update kv_patch set identity = 'x', platform = 'github' where id = 4`),
    /Patch 4 .*identity is "x"/,
  ],
  ['a patch taken out of the middle', sql('delete from kv_patch where id = 2'), /Patch 3 .*nothing at position 2/],
  [
    'other content',
    sql(`update kv_entry set content = '{"name":"Mallory"}' where avatar = $1`, [bob.key.compressed]),
    /The content of Avatar 0x[0-9a-f]{66} under .* is not what its patches add up to/,
  ],
  [
    'content taken away',
    sql('delete from kv_entry where avatar = $1', [bob.key.compressed]),
    /The content of .* is missing/,
  ],
  [
    'content that nobody wrote',
    sql(`insert into kv_entry (avatar, platform, identity, content) values ($1, 'github', 'alice', '{}')`, [
      alice.key.compressed,
    ]),
    /No patch made the content of .*"alice" on github/,
  ],
  [
    'content of somebody who never wrote',
    sql(`insert into kv_entry (avatar, platform, identity, content) values ($1, 'github', 'm', '{}')`, [
      mallory.key.compressed,
    ]),
    /has content and no chain of patches/,
  ],
  ['the newest patch taken off', sql('delete from kv_patch where id = 3'), /is not what its patches add up to/],
];

describe('npm run verify on PostgreSQL', () => {
  let original: TestDatabase;
  let client: DatabaseClient;
  beforeAll(async () => {
    original = await createTestDatabase();
    const running = await startApp({ databaseUrl: original.url });
    await fillWithChains(running);
    await running.close();
    client = await connect(original.url);
  });
  afterAll(async () => {
    await client.end();
    await original.drop();
  });

  /** What is said of a crime, which is undone afterwards. */
  async function verifyAfter(commit: (client: DatabaseClient) => Promise<unknown>) {
    const lines: string[] = [];
    await client.query('begin');
    await client.query(WITHOUT_GUARDS);
    await commit(client);
    const query = async (text: string, values?: unknown[]) => (await client.query(text, values)).rows;
    const isGood = await verifyChains(query, (line) => lines.push(line));
    await client.query('rollback');
    return { isGood, text: lines.join('\n') };
  }

  it('finds nothing wrong with chains that were made over HTTP, and counts them', async () => {
    const { code, text } = await verify(original.url);

    expect(text).toMatch(/^ProofChains: 4 links in 2 chains, 2 bindings. All verify/m);
    expect(text).toMatch(/^Key-value: 4 patches in 2 chains, 2 entries. All verify/m);
    expect(code).toBe(0);
  });

  it.each(LINK_CRIMES)('finds %s', async (_crime, commit, finding) => {
    const { isGood, text } = await verifyAfter(commit);

    expect(text).toMatch(/^ProofChains: BAD after .*/m);
    expect(text).toMatch(finding);
    expect(text).toMatch(/^Key-value: .* All verify/m);
    expect(isGood).toBe(false);
  });

  it.each(PATCH_CRIMES)('finds in the key-value chains %s', async (_crime, commit, finding) => {
    const { isGood, text } = await verifyAfter(commit);

    expect(text).toMatch(/^ProofChains: .* All verify/m);
    expect(text).toMatch(/^Key-value: BAD after .*/m);
    expect(text).toMatch(finding);
    expect(isGood).toBe(false);
  });

  it('says how many signatures of contract wallets it could not ask about', async () => {
    const extra = { wallet_signature: Buffer.alloc(65, 1).toString('base64'), chain_id: 1, block_number: 1 };

    const { isGood, text } = await verifyAfter(sql('update chain_link set extra = $1 where id = 4', [extra]));

    expect(text).toContain('(1 signatures of contract wallets not asked)');
    expect(isGood).toBe(true);
  });

  it('ends with exit code 1 where something is wrong, and with 0 where nothing is', async () => {
    const { rows } = await client.query('select signature from chain_link where id = 2');
    await forge('chain_link', 2)(client);
    const after = runScript({ DATABASE_URL: original.url });
    await client.query('update chain_link set signature = $1 where id = 2', [rows[0].signature]);
    const before = runScript({ DATABASE_URL: original.url });

    expect(after.text).toMatch(/^ProofChains: BAD after 1 links .*Link 2 /m);
    expect({ after: after.code, before: before.code }).toEqual({ after: 1, before: 0 });
  });

  it('checks nothing where it is told something that it does not know', async () => {
    const { code, text } = await verify(original.url, '--foo');

    expect({ code, text }).toEqual({ code: 2, text: expect.stringContaining('Usage: npm run verify') });
  });

  it('checks nothing where there are no tables', async () => {
    const empty = await createEmptyDatabase();

    const { code, text } = await verify(empty.url);

    expect({ code, text }).toEqual({ code: 2, text: expect.stringContaining('no tables of this service') });
    await empty.drop();
  });

  it('checks nothing where there is no database', async () => {
    const { code, text } = await verify('postgresql://nobody:secret@127.0.0.1:1/none');

    expect({ code, text }).toEqual({ code: 2, text: expect.stringMatching(/cannot be used.*ECONNREFUSED/) });
    expect(text).not.toContain('secret');
  });
});

describe('npm run verify on the embedded database', () => {
  it('refuses while the service has the folder, and checks it afterwards', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'signet-verify-'));
    const env = { DATA_DIR: path.join(folder, 'data') };
    expect(await verify(env)).toEqual({ code: 2, text: expect.stringContaining('There is no database in') });
    await copyMigratedCluster(env.DATA_DIR);
    const database = await startEmbeddedTestDatabase(env.DATA_DIR, { copy: false });
    const service = await startApp({ database, env });
    await fillWithChains(service);

    const during = await verify(env);
    await service.close();
    const after = runScript(env);

    expect(during).toEqual({ code: 2, text: expect.stringContaining('is in use by another process') });
    expect(after.text).toMatch(
      /ProofChains: 4 links in 2 chains, 2 bindings. All verify[^]*Key-value: 4 patches in 2 chains/,
    );
    expect(after.code).toBe(0);
    await rm(folder, { recursive: true });
  });
});
