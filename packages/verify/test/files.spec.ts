import { describeKeyFile, KeyFileError, makeKeyFile, openKeyFile, readTextFile, TextFileError } from '../src/files.js';
import { readPolicy, verifyExportLog } from '../src/log.js';
import { readObservers, verifyExportSeen } from '../src/seen.js';
import { addressOfKey, verifyExport } from '../src/index.js';
import { keyOfWords, newWords, problemOfWords, readWords } from '../src/words.js';
import { anExport } from './export-cases.js';
import { SCRYPT_ADDRESS, SCRYPT_FILE, SCRYPT_KEY, SCRYPT_PASSPHRASE } from './support/key-files.js';

const utf8 = (text: string) => new Uint8Array(Buffer.from(text, 'utf8'));
const utf16 = (text: string) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'));

describe('the text of a file', () => {
  it.each([
    ['UTF-8', utf8('José\n')],
    ['UTF-8 with a byte order mark, as Notepad writes it', utf8('\ufeffJosé\n')],
    ['UTF-16, as PowerShell 5 writes it', utf16('José\n')],
    ['UTF-16 of the other byte order', new Uint8Array(Buffer.from('\ufeffJosé\n', 'utf16le').swap16())],
    ['the line ends of Windows', utf8('José\r\n')],
  ])('is read from %s', (_, bytes) => {
    expect(readTextFile(bytes)).toBe('José\n');
  });

  it.each([
    ['Windows-1252', new Uint8Array(Buffer.from('José', 'latin1')), /not a text in UTF-8.*Save it as UTF-8\.$/],
    ['UTF-16 without a mark', new Uint8Array(Buffer.from('{"a":1}', 'utf16le')), /UTF-16 without a byte order mark/],
    ['UTF-16 with half a character', utf16('ab').subarray(0, 5), /UTF-16, and is cut off/],
    ['UTF-32', new Uint8Array([0xff, 0xfe, 0, 0, 0x41, 0, 0, 0]), /UTF-32/],
    ['gzip', new Uint8Array([0x1f, 0x8b, 8, 0]), /gzip/],
    ['a ZIP archive', utf8('PK\u0003\u0004'), /ZIP/],
  ])('is refused, with what it is, for %s', (_, bytes, message) => {
    expect(() => readTextFile(bytes)).toThrow(TextFileError);
    expect(() => readTextFile(bytes)).toThrow(message);
  });

  it('holds the mark inside, where it is no byte order mark, and may be empty', () => {
    expect(readTextFile(utf8('a\ufeffb'))).toBe('a\ufeffb');
    expect(readTextFile(new Uint8Array())).toBe('');
  });
});

describe('texts that were read by other means, with the mark left in front', () => {
  it('are exports that verify as without it', () => {
    const text = `\ufeff${JSON.stringify(anExport())}`;

    expect(verifyExport(text).ok).toBe(true);
    expect(verifyExportLog(text).steps[0]!.detail).toBe('It carries no proofs that it is in a log.');
    expect(verifyExportSeen(text).bindings).toHaveLength(1);
  });

  it('are policies and lists of observers, with the line ends of Windows too', () => {
    expect(readPolicy('\ufeff# policy\r\nquorum none\r\n').quorum).toBeNull();
    expect(readPolicy('\ufeffquorum none\r').quorum).toBeNull();
    expect(readObservers('\ufeff# nobody\r\n\r\n').observers).toEqual([]);
  });

  it('are refused with a sentence that names what cannot be seen', () => {
    expect(() => readPolicy('quorum\u00a0none')).toThrow(/line 1: .*U\+00A0, a no-break space, which cannot be seen/);
    expect(() => readPolicy('quorum none\nlog\u200b x')).toThrow(/line 2: .*U\+200B which cannot be seen/);
    expect(() => readObservers('quorum\u00a02')).toThrow(/line 1: .*U\+00A0, a no-break space/);
    expect(() => readPolicy('quorum no\rne')).toThrow('line 1: it holds a control character');
  });
});

/** "Test vectors" of the Web3 Secret Storage definition, of the same key as `SCRYPT_FILE`. */
const PBKDF2 = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
    ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
    kdf: 'pbkdf2',
    kdfparams: {
      c: 262144,
      dklen: 32,
      prf: 'hmac-sha256',
      salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
    },
    mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
};
const open = async (file: unknown, passphrase = SCRYPT_PASSPHRASE) =>
  Buffer.from(await openKeyFile(typeof file === 'string' ? file : JSON.stringify(file), passphrase)).toString('hex');
const { crypto: parts, ...rest } = PBKDF2;
const withParts = (changed: object) => ({ ...rest, crypto: { ...parts, ...changed } });

/** Made by Node with the pass phrase as it is typed on a Mac: an e and a combining accent. */
const DECOMPOSED = withParts({
  cipherparams: { iv: '02'.repeat(16) },
  ciphertext: '40189d05fdf04173e206272f44553fe4d02bdfc73ced47cd92312e221187464c',
  kdfparams: { c: 1000, dklen: 32, prf: 'hmac-sha256', salt: '01'.repeat(32) },
  mac: 'ede27f4b9ddd0299b33b0265622725c45735b55a8e3237bca825f1e06e6c5c56',
});

describe('a key file', () => {
  it.each([
    ['scrypt, without an address, as Foundry writes it', SCRYPT_FILE],
    ['PBKDF2', PBKDF2],
    ['an address', { ...PBKDF2, address: SCRYPT_ADDRESS }],
    ['an address with 0x and capitals', { ...PBKDF2, address: `0x${SCRYPT_ADDRESS.toUpperCase()}` }],
    ['an empty address', { ...PBKDF2, address: '' }],
    ['"Crypto" with a capital', { ...rest, Crypto: parts }],
    ['its version as a text', { ...PBKDF2, version: '3' }],
    ['hex in capitals', withParts({ mac: parts.mac.toUpperCase(), ciphertext: parts.ciphertext.toUpperCase() })],
    ['hex with 0x', withParts({ mac: `0x${parts.mac}` })],
    ['members of other programs', { ...PBKDF2, 'x-ethers': { client: 'ethers' } }],
    ['a byte order mark', `\ufeff${JSON.stringify(PBKDF2)}`],
  ])('is opened with %s', async (_, file) => {
    expect(await open(file)).toBe(SCRYPT_KEY);
  });

  it('says what it names in the clear, which may be nothing', () => {
    expect(describeKeyFile(JSON.stringify(PBKDF2))).toEqual({ avatar: null, address: null });
    expect(describeKeyFile(JSON.stringify({ ...PBKDF2, address: SCRYPT_ADDRESS.toUpperCase() }))).toEqual({
      avatar: null,
      address: `0x${SCRYPT_ADDRESS}`,
    });
  });

  it.each([
    ['not_a_key_file', 'x', /it is not a JSON object/],
    ['not_a_key_file', 'null', /it is not a JSON object/],
    ['not_a_key_file', { version: 3 }, /no member "crypto"/],
    ['not_a_key_file', withParts({ mac: 'zz' }), /its "mac" is not hex/],
    ['not_a_key_file', { ...PBKDF2, address: 'alice' }, /its "address" is no address/],
    ['other_key_file', { ...PBKDF2, version: 1 }, /: version 1\./],
    ['other_key_file', withParts({ cipher: 'aes-128-cbc' }), /: cipher aes-128-cbc\./],
    ['other_key_file', withParts({ kdf: 'argon2id' }), /: kdf argon2id\./],
    ['other_key_file', withParts({ kdfparams: { ...parts.kdfparams, prf: 'hmac-sha512' } }), /PBKDF2 with hmac-sha512/],
    ['other_key_file', withParts({ kdfparams: { ...parts.kdfparams, c: 1e12 } }), /1000000000000 rounds/],
    [
      'other_key_file',
      { ...rest, crypto: { ...SCRYPT_FILE.crypto, kdfparams: { ...SCRYPT_FILE.crypto.kdfparams, n: 2 ** 30 } } },
      /scrypt with 131072 MiB of memory/,
    ],
    ['other_key', { ...PBKDF2, address: '11'.repeat(20) }, /names another public key or address/],
  ])('is refused as %s, in a sentence', async (code, file, message) => {
    const refused = await open(file).catch((error: unknown) => error);

    expect(refused).toBeInstanceOf(KeyFileError);
    expect(refused).toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it('is not opened with another pass phrase, and is opened with one that its program did not bring into one form', async () => {
    await expect(open(PBKDF2, 'another')).rejects.toMatchObject({ code: 'wrong_passphrase' });
    expect(await open(DECOMPOSED, 'cafe\u0301')).toBe('07'.repeat(32));
  });
});

describe('the words of a key', () => {
  const words = [...Array<string>(11).fill('abandon'), 'about'];
  /** Of these words, in every wallet. */
  const ADDRESS = '0x9858effd232b4033e47d90003d41ec34ecaeda94';

  it('are read without numbers and signs between them, in any letter case and width', () => {
    expect(readWords(' 1. Abandon\u3000２．ＡＢＯＵＴ,\n3) about ')).toEqual(['abandon', 'about', 'about']);
    expect(readWords('')).toEqual([]);
  });

  it.each(['\n', '\r\n'])('are read from a sheet that says more than the words (line ends %j)', (end) => {
    const lines = words.map((word, place) => `${place + 1}. ${word}`);
    const sheet = ['The words of a key on localhost', `0x02${'ab'.repeat(32)}`, '', ...lines, '', 'Keep them.', ''];

    expect(readWords(sheet.join(end))).toEqual(words);
    // Eleven lines are no sheet of a key: all that is there is read, and the number of it is wrong.
    expect(problemOfWords(readWords(sheet.toSpliced(3, 1).join(end)))).toMatchObject({ reason: 'count' });
  });

  it('are counted, looked up and held against their checksum, in this order', () => {
    expect(problemOfWords(words)).toBeNull();
    expect(problemOfWords(words.slice(1))).toEqual({ reason: 'count', count: 11 });
    expect(problemOfWords(['nowhere', ...words])).toEqual({ reason: 'count', count: 13 });
    expect(problemOfWords(words.with(3, 'abandom'))).toEqual({ reason: 'unknown', word: 'abandom', place: 3 });
    expect(problemOfWords(words.toReversed())).toEqual({ reason: 'other' });
  });

  it('stand for the key that wallets have of them, and are new each time', async () => {
    const key = await keyOfWords(words);
    const file = await makeKeyFile(key, 'a pass phrase', { n: 2, r: 1, p: 1 });
    const [one, other] = [newWords(), newWords()];

    expect(describeKeyFile(file).address).toBe(ADDRESS);
    expect(addressOfKey(describeKeyFile(file).avatar!)).toBe(ADDRESS);
    expect([problemOfWords(one), problemOfWords(other), one.length]).toEqual([null, null, 12]);
    expect(one).not.toEqual(other);
    await expect(keyOfWords(words.slice(1))).rejects.toThrow(Error);
  });
});
