import { canonicalJson } from '@signet/verify';
import { ArweaveWallet } from '../../src/archive/arweave/arweave-wallet.js';
import { signDataItem } from '../../src/archive/arweave/data-item.js';
import { ChainLink } from '../../src/proof-chain/chain-link.entity.js';
import { LINK_ARCHIVE } from '../../src/proof-chain/link-archive.js';
import { anAvatar, aSolanaWallet, aWallet } from '../support/avatar.js';
import { textReply } from '../../packages/look/test/support/stand-in-server.js';
import { type Verification, verifyArchive } from './archive-scene.js';
import { ArweaveStandIn } from './arweave-stand-in.js';
import { readDataItem } from './second-opinion.js';

const alice = anAvatar('alice');
const mallory = anAvatar('mallory');
const wallet = aWallet('alice');
const solana = aSolanaWallet('alice');
const operator = ArweaveWallet.load(new URL('test-wallet.json', import.meta.url).pathname);

type Document = Record<string, unknown> & { extra: Record<string, unknown> };
/** Changes the fields that are signed, or the document that is made of them. */
interface Tampering {
  signed?: (fields: Record<string, unknown>, number: number) => void;
  document?: (document: Document, number: number) => void;
}

let network: ArweaveStandIn;

beforeAll(async () => {
  network = await ArweaveStandIn.start();
});
afterEach(() => {
  network.gatewayFault = () => null;
});
afterAll(() => network.close());

const uuidOf = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;

/**
 * Four honest links of Alice, unless tampered with: a wallet of each kind bound, a post, and a delete. Answers their
 * ids, oldest first.
 */
async function archiveChain({ signed, document: tamper }: Tampering = {}): Promise<string[]> {
  const bindings = [
    { action: 'create', platform: 'ethereum', identity: wallet.address, sign: wallet.sign },
    { action: 'create', platform: 'solana', identity: solana.address, sign: solana.sign },
    { action: 'create', platform: 'github', identity: 'alice', location: 'a1b2c3' },
    { action: 'delete', platform: 'ethereum', identity: wallet.address },
  ];
  const ids: string[] = [];
  let prev: string | null = null;
  for (const [index, { sign, location, ...binding }] of bindings.entries()) {
    const number = index + 1;
    const created_at = String(1_795_000_000 + number);
    const fields = { ...binding, avatar: alice.key.compressed, created_at, prev, uuid: uuidOf(number) };
    signed?.(fields, number);
    const payload = canonicalJson(fields);
    const { action, avatar, identity, platform, uuid } = fields;
    const document: Document = {
      ...{ action, avatar, created_at: fields.created_at, identity, platform, uuid },
      extra: sign ? { wallet_signature: sign(payload) } : {},
      previous_archive_id: ids.at(-1) ?? '',
      previous_uuid: number === 1 ? '' : uuidOf(number - 1),
      proof_location: location ?? '',
      signature: alice.sign(payload),
      signature_payload: payload,
    };
    tamper?.(document, number);
    prev = document.signature as string;
    ids.push(await serve(canonicalJson(document)));
  }
  return ids;
}

async function serve(document: string): Promise<string> {
  const item = await signDataItem(operator, document, LINK_ARCHIVE.tags(new ChainLink()).slice(0, 3));
  network.items.set(item.id, await readDataItem(Buffer.from(item.bytes)));
  return item.id;
}

const verify = (...words: string[]) => verifyArchive(network.gateway.baseUrl, ...words);

const TAMPERINGS: [string, Tampering, number, string][] = [
  [
    'an identity was changed',
    { document: (document, number) => number === 3 && (document.identity = 'mallory') },
    3,
    'its identity is "mallory", and "alice" was signed',
  ],
  [
    'the signed text was changed',
    {
      document: (document, number) =>
        number === 2 && (document.signature_payload = String(document.signature_payload).replace('create', 'delete')),
    },
    2,
    'its signature was not made by the Avatar over its signed text',
  ],
  [
    'the signature is that of another Avatar',
    {
      document: (document, number) =>
        number === 4 && (document.signature = mallory.sign(String(document.signature_payload))),
    },
    4,
    'its signature was not made by the Avatar over its signed text',
  ],
  [
    'the signature is not Base64',
    { document: (document, number) => number === 1 && (document.signature = 'forged!') },
    1,
    'its signature was not made by the Avatar over its signed text',
  ],
  [
    'an Ethereum wallet did not sign',
    {
      document: (document, number) =>
        number === 1 && (document.extra.wallet_signature = mallory.sign(String(document.signature_payload))),
    },
    1,
    'its wallet signature was not made by the wallet over its signed text',
  ],
  [
    'a Solana wallet did not sign',
    { document: (document, number) => number === 2 && (document.extra.wallet_signature = solana.sign('else')) },
    2,
    'its wallet signature was not made by the wallet over its signed text',
  ],
  [
    'a Solana wallet signed a message for another site',
    {
      document: (document, number) => {
        const text = String(document.signature_payload);
        const { wallet_message } = solana.signForSite(text, 'other.example.com');
        if (number === 2) document.extra = { ...solana.signForSite(text), wallet_message };
      },
    },
    2,
    'its wallet signature was not made by the wallet over its signed text',
  ],
  [
    'a wallet signature was left out',
    { document: (document, number) => number === 2 && delete document.extra.wallet_signature },
    2,
    'it has no wallet signature',
  ],
  [
    'a link was signed on another head',
    { signed: (fields, number) => number === 3 && (fields.prev = 'c29tZXRoaW5nIGVsc2U=') },
    3,
    'its prev is not the signature of the link before it',
  ],
  [
    'the first link was signed on a head',
    { signed: (fields, number) => number === 1 && (fields.prev = 'c29tZXRoaW5nIGVsc2U=') },
    1,
    'its prev names a link before the first one',
  ],
  [
    'previous_uuid is another',
    { document: (document, number) => number === 4 && (document.previous_uuid = uuidOf(1)) },
    4,
    'its previous_uuid is not that of the link before it',
  ],
  [
    'a uuid was used twice',
    { signed: (fields, number) => number === 3 && (fields.uuid = uuidOf(1)) },
    3,
    'its uuid was used by an earlier link of this chain',
  ],
  [
    'a link belongs to another Avatar',
    { signed: (fields, number) => number === 1 && (fields.avatar = mallory.key.compressed) },
    2,
    'it belongs to another Avatar',
  ],
  [
    'a field is missing',
    { document: (document, number) => number === 2 && delete document.proof_location },
    2,
    'it has no proof_location',
  ],
  [
    'there is a field too many',
    { document: (document, number) => number === 2 && (document.comment = 'hello') },
    2,
    'it has a field "comment" that documents do not have',
  ],
];

describe('signet archive verify', () => {
  it('shows a chain and says that it is valid', async () => {
    const ids = await archiveChain();

    const { code, stdout, stderr } = await verify(ids[3]!);

    expect(stdout).toBe(`
Chain of Avatar ${alice.key.compressed}
  ok  1. 2026-11-18T11:06:41Z create ethereum "${wallet.address}" ${ids[0]}
  ok  2. 2026-11-18T11:06:42Z create solana "${solana.address}" ${ids[1]}
  ok  3. 2026-11-18T11:06:43Z create github "alice" ${ids[2]}
  ok  4. 2026-11-18T11:06:44Z delete ethereum "${wallet.address}" ${ids[3]}
  VALID: 4 of 4 links are verified.
`);
    expect([code, stderr]).toEqual([0, '']);
  });

  it('verifies a Solana wallet that signed for a site with the message that it signed', async () => {
    const ids = await archiveChain({
      document: (document, number) => {
        if (number === 2) document.extra = solana.signForSite(String(document.signature_payload));
      },
    });

    const { code, stdout } = await verify(ids[3]!);

    expect(stdout).toContain('VALID: 4 of 4 links are verified.');
    expect(code).toBe(0);
  });

  it('says what the gateway changed, even where no Avatar signed it', async () => {
    const ids = await archiveChain();
    const item = network.items.get(ids[2]!)!;
    item.data = Buffer.from(item.data.toString().replace('a1b2c3', 'c3b2a1'));

    const { code, stdout } = await verify(ids[3]!);

    expect(stdout).toContain(`link 3 (${ids[2]}): what the gateway serves is not what was signed under this id`);
    expect(code).toBe(1);
  });

  it('says what it could not check where the gateway has no search', async () => {
    const ids = await archiveChain();
    network.gatewayFault = ({ path }) => (path === '/graphql' ? textReply('Not Found', 404) : null);

    const { code, stdout } = await verify(ids[3]!);

    expect(stdout).toContain('Note: the gateway does not tell the signature behind the id');
    expect(stdout).toContain('VALID: 4 of 4 links are verified.');
    expect(code).toBe(0);
  });

  it('says that a contract wallet can only be checked on its chain', async () => {
    const extra = { wallet_signature: 'AAEC', chain_id: 1, block_number: 24_000_000 };
    const ids = await archiveChain({ document: (document, number) => number === 1 && (document.extra = extra) });

    const { code, stdout } = await verify(ids[3]!);

    expect(stdout).toContain('can only be checked on its chain (chain 1, block 24000000)');
    expect(code).toBe(0);
  });

  it('says that a clock was wrong where a link has a time before that of the one that it follows', async () => {
    const ids = await archiveChain({ signed: (fields, number) => number === 4 && (fields.created_at = '1794000000') });

    const { code, stdout } = await verify(ids[3]!);

    expect(stdout).toContain('Note: a clock was wrong when it or the link before it was recorded: its time is');
    expect(stdout).toContain('VALID: 4 of 4 links are verified.');
    expect(code).toBe(0);
  });

  it('says which predecessor is missing', async () => {
    const ids = await archiveChain();
    network.items.delete(ids[1]!);

    const { code, stdout } = await verify(ids[3]!);

    expect(stdout).toContain(`the predecessor of link ${ids[2]} is ${ids[1]}, and the gateway does not serve it`);
    expect(code).toBe(1);
  });

  it.each([
    ['an id that nobody has', 'A'.repeat(43), 'the gateway does not serve it'],
    ['a word that is not an id', '../etc/passwd', 'which is not an archive id'],
  ])('refuses %s', async (_what, id, problem) => {
    const { code, stdout } = await verify(id);

    expect(stdout).toContain(problem);
    expect(code).toBe(1);
  });

  it('does not run in circles', async () => {
    const ids = await archiveChain();
    const first = network.items.get(ids[0]!)!;
    const document = JSON.parse(first.data.toString()) as Document;
    first.data = Buffer.from(canonicalJson({ ...document, previous_archive_id: ids[2] }));

    const { code, stdout } = await verify(ids[3]!);

    expect(stdout).toContain(`the predecessor of link ${ids[0]} is ${ids[2]}, which comes after it`);
    expect(code).toBe(1);
  });

  it('does not follow a chain without end', async () => {
    const ids = await archiveChain();

    const { code, stdout } = await verify('--max-links', '3', ids[3]!);

    expect(stdout).toContain('the chain is longer than 3 links');
    expect(code).toBe(1);
  });

  it.each([
    ['a page', '<h1>Welcome</h1>', 'is not a JSON object'],
    ['something huge', 'x'.repeat((1 << 20) + 1), 'more than 1048576 bytes'],
  ])('refuses %s in place of a document', async (_what, text, problem) => {
    const id = await serve(text);

    const { code, stdout } = await verify(id);

    expect(stdout).toContain(problem);
    expect(code).toBe(1);
  });

  it('asks a gateway that fails again', async () => {
    const ids = await archiveChain();
    let failures = 2;
    network.gatewayFault = () => (failures-- > 0 ? textReply('busy', 503) : null);

    const { code } = await verify(ids[3]!);

    expect(code).toBe(0);
  });

  it('verifies each of several chains, and fails if one is wrong', async () => {
    const good = await archiveChain();
    const bad = await archiveChain({ document: (document, number) => number === 1 && (document.identity = 'x') });

    const { code, stdout } = await verify(bad[0]!, good[3]!);

    expect(stdout).toMatch(/NOT VALID: link 1 [^]*VALID: 4 of 4 links/);
    expect(code).toBe(1);
  });

  it('takes an id that begins with a hyphen', async () => {
    const ids = await archiveChain();
    const id = `-${ids[0]!.slice(1)}`;
    network.items.set(id, network.items.get(ids[0]!)!);

    const { code, stdout } = await verify(id);

    expect(stdout).toContain('VALID: 1 of 1 links are verified.');
    expect(code).toBe(0);
  });

  it('keeps the order of ids of which one begins with a hyphen', async () => {
    const [first] = await archiveChain();
    const hyphened = `-${first!.slice(1)}`;
    network.items.set(hyphened, network.items.get(first!)!);

    const { stdout } = await verify('--json', hyphened, first!);

    const ids = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id);
    expect(ids).toEqual([hyphened, first]);
  });

  it('prints one object for each link with --json', async () => {
    const ids = await archiveChain();

    const { stdout } = await verify('--json', ids[3]!);

    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; ok: boolean });
    expect(lines.map(({ id, ok }) => [id, ok])).toEqual(ids.map((id) => [id, true]));
  });

  it('says how it is used', async () => {
    const { code, stderr } = await verify();

    expect(stderr).toContain("missing required argument 'ids'");
    expect(code).toBe(2);
  });

  it('says so where the gateway does not answer', async () => {
    const { code, stderr } = await verifyArchive('http://127.0.0.1:1', 'A'.repeat(43));

    expect(stderr).toContain('The gateway http://127.0.0.1:1 could not be asked');
    expect(code).toBe(3);
  });
});

describe('signet archive verify, of chains that were tampered with,', () => {
  let chains: string[][];
  let outcome: Verification;

  // One process for all of them: starting it takes longer than the checks.
  beforeAll(async () => {
    chains = await Promise.all(TAMPERINGS.map(([, tampering]) => archiveChain(tampering)));
    outcome = await verify(...chains.map((ids) => ids[3]!));
  });

  it.each(TAMPERINGS)('says which link is wrong and why where %s', (what, _tampering, number, problem) => {
    const index = TAMPERINGS.findIndex(([name]) => name === what);

    const report = outcome.stdout.split('\nChain of ')[index + 1]!;

    expect(report).toContain(`NOT VALID: link ${number} (${chains[index]![number - 1]}): ${problem}.`);
    expect(report).toContain(`BAD ${number}. `);
    expect(report).not.toContain('  VALID');
  });

  it('exits with 1', () => {
    expect(outcome.code).toBe(1);
  });
});
