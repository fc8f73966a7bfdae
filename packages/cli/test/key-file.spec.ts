import { encryptKeystoreJson, Wallet } from 'ethers';
import { SCRYPT_ADDRESS, SCRYPT_FILE, SCRYPT_KEY, SCRYPT_PASSPHRASE } from '../../verify/test/support/key-files.js';
import { makeKeyFile } from '@signet/verify/files';
import { decryptKey, namesInKeyFile } from '../src/keys/key-file.js';

const KEY = new Uint8Array(32).fill(7);
const PASSPHRASE = 'correct horse ﬀ';
/** Not what keys are kept with. */
const CHEAP = { n: 1 << 10, r: 8, p: 1 };

const PUBLISHED = { ...SCRYPT_FILE, address: SCRYPT_ADDRESS };

describe('a key file', () => {
  let text: string;
  beforeAll(async () => {
    text = await makeKeyFile(KEY, PASSPHRASE, CHEAP);
  });

  it('is opened as the specification says', async () => {
    const key = await decryptKey(JSON.stringify(PUBLISHED), SCRYPT_PASSPHRASE);

    expect(Buffer.from(key).toString('hex')).toBe(SCRYPT_KEY);
  });

  it('is opened by another program, and opens what that writes', async () => {
    const opened = await Wallet.fromEncryptedJson(text, PASSPHRASE);
    const account = { address: opened.address, privateKey: opened.privateKey };
    const theirs = await encryptKeystoreJson(account, PASSPHRASE, { scrypt: { N: CHEAP.n } });

    expect(opened.privateKey).toBe(`0x${Buffer.from(KEY).toString('hex')}`);
    expect(await decryptKey(theirs, PASSPHRASE)).toEqual(KEY);
    expect(namesInKeyFile(theirs)).toEqual({ avatar: null, address: opened.address.toLowerCase() });
  });

  it('never holds the same twice, costs what wallets make it cost, and has no key in the open', async () => {
    const again = await makeKeyFile(KEY, PASSPHRASE);

    const { kdfparams, ciphertext } = (JSON.parse(again) as typeof PUBLISHED).crypto;
    expect(kdfparams).toMatchObject({ n: 131_072, r: 8, p: 1 });
    expect(ciphertext).not.toBe((JSON.parse(text) as typeof PUBLISHED).crypto.ciphertext);
    expect(text).not.toContain(Buffer.from(KEY).toString('hex'));
  });

  it('is not opened with another pass phrase, or after a byte of it was changed', async () => {
    await expect(decryptKey(text, 'another')).rejects.toMatchObject({ code: 'wrong_passphrase' });
    const file = JSON.parse(text) as typeof PUBLISHED;
    file.crypto.ciphertext = `${file.crypto.ciphertext.startsWith('0') ? '1' : '0'}${file.crypto.ciphertext.slice(1)}`;
    await expect(decryptKey(JSON.stringify(file), PASSPHRASE)).rejects.toMatchObject({ code: 'wrong_passphrase' });
  });

  it('that names another public key than its own is refused', async () => {
    const other = namesInKeyFile(await makeKeyFile(new Uint8Array(32).fill(8), PASSPHRASE, CHEAP)).avatar!;
    const changed = text.replace(/("avatar": ")\w+/, `$1${other}`);

    await expect(decryptKey(changed, PASSPHRASE)).rejects.toMatchObject({ code: 'invalid_key_file' });
  });

  it.each([
    ['not JSON', 'x'],
    ['null', 'null'],
    ['another version', JSON.stringify({ ...PUBLISHED, version: 1 })],
    ['another cipher', JSON.stringify({ ...PUBLISHED, crypto: { ...PUBLISHED.crypto, cipher: 'none' } })],
    [
      'more memory than a machine has',
      JSON.stringify({
        ...PUBLISHED,
        crypto: { ...PUBLISHED.crypto, kdfparams: { ...PUBLISHED.crypto.kdfparams, n: 1 << 30 } },
      }),
    ],
  ])('is refused where it has %s', async (_what, bad) => {
    await expect(decryptKey(bad, SCRYPT_PASSPHRASE)).rejects.toMatchObject({ code: 'invalid_key_file' });
  });
});
