import { vectorOf } from '../support/published-vectors.js';
import { chainOf, keysNamed, patchesOf } from '../chains.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { signedProfile, smallCurves, verifyChain, verifyLink } from '../../src/badge.js';
import { bindingState, goneSince, isSeenLately } from '../../src/bindings/bindings.js';
import { type ReportedDataItem, verifyDataItem } from '../../src/data-item.js';
import {
  InvalidRequestError,
  PlatformUnavailableError,
  SignetError,
  WrongUsageError,
} from '../../src/errors/errors.js';
import {
  describeKeyFile,
  KeyFileError,
  looksLikeKeyFile,
  makeKeyFile,
  openKeyFile,
  readTextFile,
  TextFileError,
} from '../../src/files.js';
import { decodeBase64, decodeHex, linkPayload, recoverPersonalSigner, verifyWallet } from '../../src/index.js';
import { utf8 } from '../../src/internal/internal.js';
import { looksAlike, oddLetters } from '../../src/letters.js';
import {
  asciiHost,
  asciiLower,
  canonicalForm,
  composed,
  findCanonicalName,
  isSameName,
  NAME_PATTERNS,
  spelled,
} from '../../src/names/canonical-name.js';
import { sealBlocks, sealCorners, sealPath, sealSvg } from '../../src/seal.js';
import { sealOutlines, sealPathOfDigest } from '../../src/seal-of-digest.js';
import { signNostr, signPersonal } from '../../src/sign.js';
import { isPicture, MAX_PICTURE_CHARACTERS, profileIn, profileLine, profileName } from '../../src/text/profile.js';
import { keyOfWords, newWords, problemOfWords, readWords, WORDS_PATH } from '../../src/words.js';

const alice = keysNamed('alice');
/** What a gateway serves under an id, and what it says of it. */
const item = vectorOf<{ item_id: string; data: string; told: ReportedDataItem }>('data-items.json', 'no-tags');
/** As `GET /v1/proofchain` answers it. */
const links = chainOf(alice, 2);
/** What a server says of a binding, and of its checks. */
const said = { platform: 'github', is_valid: true, last_checked_at: '1718000000' };

describe('@signet/verify/badge', () => {
  it('verifyLink', () => {
    expect(verifyLink(links[0]!, { avatar: alice.avatar }).ok).toBe(true);
  });

  it('verifyChain', () => {
    expect(verifyChain(links, { avatar: alice.avatar }).bindings.length).toBe(2);
  });

  it('signedProfile', () => {
    const patches = patchesOf(alice, [{ profile: { name: 'Alice' } }]);
    expect(signedProfile(patches, keysNamed('mallory').avatar)).toBe(null);
  });

  it('smallCurves', () => {
    expect(recoverPersonalSigner('hello', decodeBase64(alice.sign('hello'))!, { curves: smallCurves })).toBe(
      alice.avatar,
    );
  });
});

describe('@signet/verify/bindings', () => {
  it('bindingState', () => {
    expect(bindingState(said, [], 1718000060)).toBe('valid');
    expect(bindingState(said, [], 1718000000 + 10 * 86400)).toBe('stale');
    expect(bindingState({ ...said, is_valid: false }, [], 1718000060)).toBe('invalid');
  });

  it('isSeenLately', () => {
    expect(isSeenLately(said, [], 1718000060)).toBe(true);
  });

  it('goneSince', () => {
    expect(goneSince([])).toBe(null);
  });
});

describe('@signet/verify/data-item', () => {
  it('verifyDataItem', async () => {
    const { ok } = await verifyDataItem(item.item_id, new TextEncoder().encode(item.data), item.told);
    expect(ok).toBe(true);
  });
});

describe('@signet/verify/errors', () => {
  it('SignetError', () => {
    const error = new SignetError('Something is wrong.', 'invalid_answer');
    expect([error.code, error.retryable]).toEqual(['invalid_answer', false]);
  });

  it('WrongUsageError', () => {
    expect(new WrongUsageError('baseUrl is missing.').code).toBe('wrong_usage');
  });

  it('InvalidRequestError', () => {
    expect(new InvalidRequestError('identity is empty.').code).toBe('invalid_request');
  });

  it('PlatformUnavailableError', () => {
    expect(new PlatformUnavailableError('github.com does not answer.').code).toBe('platform_unavailable');
  });
});

describe('@signet/verify/files', () => {
  it('looksLikeKeyFile', () => {
    expect(looksLikeKeyFile('{"version":3,"crypto":{}}')).toBe(true);
    expect(looksLikeKeyFile('0x00')).toBe(false);
  });

  it('describeKeyFile', () => {
    expect(() => describeKeyFile('{}')).toThrow(KeyFileError);
  });

  it('makeKeyFile', async () => {
    const file = await makeKeyFile(alice.privateKey, 'a passphrase');
    expect(describeKeyFile(file).avatar).toBe(alice.avatar);
  });

  it('openKeyFile', async () => {
    const file = await makeKeyFile(alice.privateKey, 'a passphrase');
    expect(await openKeyFile(file, 'a passphrase')).toEqual(alice.privateKey);
    await expect(openKeyFile('{}', 'a passphrase')).rejects.toThrow(KeyFileError);
  });

  it('KeyFileError', () => {
    expect(new KeyFileError('not_a_key_file', 'This is no key file.').code).toBe('not_a_key_file');
  });

  it('readTextFile', () => {
    expect(readTextFile(utf8('a text'))).toBe('a text');
    expect(() => readTextFile(new Uint8Array([0, 255, 254]))).toThrow(TextFileError);
  });

  it('TextFileError', () => {
    expect(new TextFileError('This file is not text.').code).toBe('not_a_text');
  });
});

describe('@signet/verify/words', () => {
  it('newWords', () => {
    expect(problemOfWords(newWords())).toBe(null);
  });

  it('readWords', () => {
    expect(readWords(' Test  test\ntest ')).toEqual(['test', 'test', 'test']);
  });

  it('problemOfWords', () => {
    expect(problemOfWords(['test', 'tset'])).toEqual({ reason: 'count', count: 2 });
  });

  it('keyOfWords', async () => {
    const words = readWords('test test test test test test test test test test test junk');
    expect((await keyOfWords(words)).length).toBe(32);
  });

  it('WORDS_PATH', () => {
    expect(WORDS_PATH).toBe("m/44'/60'/0'/0/0");
  });
});

describe('@signet/verify/letters', () => {
  it('oddLetters', () => {
    expect(oddLetters('alice')).toBe(null);
    expect(oddLetters('аlice')?.length).toBe(1);
  });

  it('looksAlike', () => {
    expect(looksAlike('alice', 'аlice')).toBe(true);
    expect(looksAlike('alice', 'bob')).toBe(false);
  });
});

describe('@signet/verify/names', () => {
  it('findCanonicalName', () => {
    expect(findCanonicalName('github', ' @Alice ')).toBe('alice');
    expect(findCanonicalName('discord', 'a..b')).toBe(null);
  });

  it('isSameName', () => {
    expect(
      isSameName({ platform: 'ethereum', identity: `0x${'ab'.repeat(20)}` }, `eip155:1:0x${'AB'.repeat(20)}`),
    ).toBe(true);
  });

  it('canonicalForm', () => {
    expect(canonicalForm('activitypub', '@Alice@Social.Example.org')).toBe('alice@social.example.org');
  });

  it('NAME_PATTERNS', () => {
    expect(new RegExp(NAME_PATTERNS.twitter, 'u').test('alice')).toBe(true);
  });

  it('spelled', () => {
    expect(spelled('github', '@Alice')).toBe('alice');
  });

  it('asciiHost', () => {
    expect(asciiHost('täst.de')).toBe('xn--tst-qla.de');
  });

  it('asciiLower', () => {
    expect(asciiLower('ALICE É')).toBe('alice É');
  });

  it('composed', () => {
    expect(composed('e\u0301')).toBe('\u00e9');
    expect(composed('\u212a')).toBe(null);
  });
});

describe('@signet/verify/profile', () => {
  it('profileIn', () => {
    expect(profileIn({ profile: { name: 'Alice' } })?.name).toBe('Alice');
    expect(profileIn({})).toBe(null);
  });

  it('profileName', () => {
    expect(profileName('Alice')).toBe('Alice');
    expect(profileName(7)).toBe(null);
  });

  it('profileLine', () => {
    expect(profileLine('Of the demo.')).toBe('Of the demo.');
  });

  it('isPicture', () => {
    expect(isPicture('https://example.org/alice.png')).toBe(false);
  });

  it('MAX_PICTURE_CHARACTERS', () => {
    expect(MAX_PICTURE_CHARACTERS).toBe(32768);
  });
});

describe('@signet/verify/seal', () => {
  it('sealSvg', () => {
    expect(sealSvg(alice.avatar, { size: 96 }).startsWith('<svg')).toBe(true);
  });

  it('sealPath', () => {
    expect(sealPath(alice.avatar).startsWith('M')).toBe(true);
  });

  it('sealCorners', () => {
    expect(sealCorners(alice.avatar, 'full', 64).length).toBeGreaterThan(0);
  });

  it('sealBlocks', () => {
    expect(sealBlocks(alice.avatar, 6).length).toBe(6);
  });
});

describe('@signet/verify/seal-of-digest', () => {
  it('sealPathOfDigest', () => {
    expect(sealPathOfDigest(sha256(utf8('any 32 bytes'))).startsWith('M')).toBe(true);
  });

  it('sealOutlines', () => {
    expect(sealOutlines(sha256(utf8('any 32 bytes')), 'full').length).toBeGreaterThan(0);
  });
});

describe('@signet/verify/sign', () => {
  it('signPersonal', () => {
    const signature = signPersonal('hello', alice.privateKey);
    expect(recoverPersonalSigner('hello', decodeBase64(signature)!)).toBe(alice.avatar);
  });

  it('signNostr', () => {
    const identity = 'npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg';
    const privateKey = decodeHex('67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa')!;
    const text = linkPayload({
      ...{ action: 'create', avatar: alice.avatar, created_at: '1718000000', platform: 'nostr', identity, prev: null },
      uuid: '6f1c0f3e-0000-4000-8000-000000000000',
    });
    const wallet_signature = signNostr(text, privateKey);
    expect(verifyWallet({ platform: 'nostr', identity, text, extra: { wallet_signature } }).state).toBe('ok');
  });
});
