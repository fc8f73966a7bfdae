import { readFileSync } from 'node:fs';
import { jest } from '@jest/globals';
import { ArweaveWallet } from '../../src/archive/arweave/arweave-wallet.js';
import { bundleOf, documentOf, signDataItem } from '../../src/archive/arweave/data-item.js';
import { ChainLink } from '../../src/proof-chain/chain-link.entity.js';
import { LINK_ARCHIVE } from '../../src/proof-chain/link-archive.js';
import { readBundle, readDataItem } from './second-opinion.js';

const walletFile = new URL('test-wallet.json', import.meta.url).pathname;
const wallet = ArweaveWallet.load(walletFile);

/** The second link of an Avatar: a wallet binding, whose predecessor is archived. */
function aLink(): ChainLink {
  return Object.assign(new ChainLink(), {
    id: 7,
    avatar: '0x0238e176a158d5c40f36f6b49e8ba9332fb6dca03a34f03373cfaa398f710ddf5d',
    positionInChain: 2,
    action: 'create',
    platform: 'ethereum',
    identity: '0x4264ae876b5b20f38b84a0339ac25803029b5ebf',
    proofLocation: '',
    createdAt: new Date('2026-11-21T00:27:50.900Z'),
    uuid: '396d94a2-39ad-45dd-8c17-1485757ec251',
    signature: 'c2lnbmF0dXJl',
    signaturePayload: '{"action":"create","platform":"ethereum"}',
    extra: { wallet_signature: 'd2FsbGV0', chain_id: 1 },
    archiveId: '',
  });
}

const previous = {
  uuid: '0b1d6f3a-1111-4222-8333-444455556666',
  archive_id: 'Sx2e8ZsW4Rk8v0b1cQ7dJm3yT5uH6pLkN9aBcDeFgHi',
};

describe('the archived document', () => {
  it('looks like this', () => {
    expect(LINK_ARCHIVE.document(aLink(), previous)).toBe(
      '{"action":"create",' +
        '"avatar":"0x0238e176a158d5c40f36f6b49e8ba9332fb6dca03a34f03373cfaa398f710ddf5d",' +
        '"created_at":"1795220870",' +
        '"extra":{"chain_id":1,"wallet_signature":"d2FsbGV0"},' +
        '"identity":"0x4264ae876b5b20f38b84a0339ac25803029b5ebf",' +
        '"platform":"ethereum",' +
        '"previous_archive_id":"Sx2e8ZsW4Rk8v0b1cQ7dJm3yT5uH6pLkN9aBcDeFgHi",' +
        '"previous_uuid":"0b1d6f3a-1111-4222-8333-444455556666",' +
        '"proof_location":"",' +
        '"signature":"c2lnbmF0dXJl",' +
        '"signature_payload":"{\\"action\\":\\"create\\",\\"platform\\":\\"ethereum\\"}",' +
        '"uuid":"396d94a2-39ad-45dd-8c17-1485757ec251"}',
    );
  });

  it('names no predecessor in the first link', () => {
    expect(JSON.parse(LINK_ARCHIVE.document(aLink(), null))).toMatchObject({
      previous_archive_id: '',
      previous_uuid: '',
    });
  });

  it('carries tags by which a chain can be searched', () => {
    expect(LINK_ARCHIVE.tags(aLink())).toEqual([
      { name: 'Content-Type', value: 'application/json' },
      { name: 'App-Name', value: 'signet' },
      { name: 'App-Version', value: '1' },
      { name: 'Avatar', value: '0x0238e176a158d5c40f36f6b49e8ba9332fb6dca03a34f03373cfaa398f710ddf5d' },
      { name: 'Platform', value: 'ethereum' },
      { name: 'Action', value: 'create' },
      { name: 'UUID', value: '396d94a2-39ad-45dd-8c17-1485757ec251' },
    ]);
  });
});

describe('data items', () => {
  const document = LINK_ARCHIVE.document(aLink(), previous);

  it('are read and verified by another implementation', async () => {
    const item = await signDataItem(wallet, document, LINK_ARCHIVE.tags(aLink()));

    const read = await readDataItem(Buffer.from(item.bytes));

    expect(read).toMatchObject({ id: item.id, owner: Buffer.from(wallet.owner).toString('base64url') });
    expect(read.tags).toEqual(LINK_ARCHIVE.tags(aLink()));
    expect(read.data.toString()).toBe(document);
    expect(Buffer.from(documentOf(item)).toString()).toBe(document);
  });

  it.each([
    ['no tags', []],
    ['a tag longer than 63 bytes', [{ name: 'Long', value: 'x'.repeat(64) }]],
    ['a tag longer than a page', [{ name: 'Long', value: 'x'.repeat(3000) }]],
    ['tags that are not ASCII', [{ name: 'Größe', value: '鍵🔑' }]],
  ])('are valid with %s', async (_what, tags) => {
    const item = await signDataItem(wallet, 'ä document', tags);

    const read = await readDataItem(Buffer.from(item.bytes));

    expect(read.tags).toEqual(tags);
    expect(read.data.toString()).toBe('ä document');
  });

  it('have another id each time they are signed', async () => {
    const [one, other] = await Promise.all([signDataItem(wallet, document, []), signDataItem(wallet, document, [])]);

    expect(one.id).not.toBe(other.id);
  });

  it('are refused by the other implementation once a byte is changed', async () => {
    const { bytes } = await signDataItem(wallet, document, LINK_ARCHIVE.tags(aLink()));
    // The other implementation logs the refusal on the console as well.
    const console = jest.spyOn(globalThis.console, 'warn').mockImplementation(() => {});

    for (const index of [600, 1100, bytes.length - 5]) {
      const changed = Buffer.from(bytes);
      changed[index]! ^= 1;
      await expect(readDataItem(changed)).rejects.toThrow('not a valid data item');
    }
    console.mockRestore();
  });
});

describe('bundles', () => {
  it('are read and verified by another implementation', async () => {
    const items = await Promise.all(['one', 'two', 'three'].map((text) => signDataItem(wallet, text, [])));

    const read = await readBundle(Buffer.from(bundleOf(items)));

    expect(read.map(({ id, data }) => [id, data.toString()])).toEqual(
      items.map(({ id }, index) => [id, ['one', 'two', 'three'][index]]),
    );
  });
});

describe('the wallet', () => {
  const text = readFileSync(walletFile, 'utf8');
  const jwk = JSON.parse(text) as Record<string, string>;

  it('is read from a file or from the setting itself', () => {
    expect(ArweaveWallet.load(text).address).toBe(ArweaveWallet.load(walletFile).address);
    expect(wallet.address).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  it.each([
    ['nothing', undefined, 'is missing'],
    ['a file that is not there', '/nowhere/wallet.json', 'names a file that cannot be read (ENOENT)'],
    ['text that is not JSON', '{"kty":"RSA","d":"topsecret"', 'is not JSON'],
    ['a public key', JSON.stringify({ kty: jwk.kty, n: jwk.n, e: jwk.e }), 'has no usable private part'],
    ['a shorter key', JSON.stringify({ ...jwk, n: 'topsecret' }), 'is not an Arweave key'],
    ['another kind of key', JSON.stringify({ kty: 'EC', d: 'topsecret' }), 'is not an Arweave key'],
  ])('refuses %s without quoting it', (_what, setting, reason) => {
    const load = () => ArweaveWallet.load(setting);

    expect(load).toThrow(`ARWEAVE_WALLET ${reason}`);
    expect(load).not.toThrow(/topsecret/);
  });
});
