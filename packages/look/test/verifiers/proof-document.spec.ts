import {
  namesAvatar,
  checkProofDocument,
  readProofDocument,
  writeProofDocument,
} from '../../src/posts/proof-document.js';
import { anAvatar } from '../support/avatar.js';
import { aClaim } from './describe-verifier.js';

const alice = anAvatar('alice');
const claim = aClaim(
  { platform: 'github', identity: 'alice-demo', proofLocation: 'aa' },
  { previous: alice.sign('the payload before') },
);
const seen = { url: 'https://gist.github.com/aa', body: new Uint8Array([1, 2, 3]) };
const signature = alice.sign(claim.signPayload);
const document = writeProofDocument(claim, 'github_username', 'A comment.');
const signed = document.replace('%SIG_BASE64%', signature);

describe('a proof document', () => {
  it('holds what people want to read, and the placeholder once', () => {
    expect(JSON.parse(document)).toEqual({
      version: '1',
      comment: 'A comment.',
      avatar: alice.key.compressed,
      github_username: 'alice-demo',
      sign_payload: claim.signPayload,
      signature: '%SIG_BASE64%',
      created_at: '1718000000',
      uuid: claim.uuid,
    });
    expect(document.split('%SIG_BASE64%')).toHaveLength(2);
  });

  it.each([
    ['as it was issued', signed],
    ['with a byte order mark', `\ufeff${signed}`],
    ['with CRLF', signed.replaceAll('\n', '\r\n')],
    ['with typographic quotes', signed.replaceAll('"', '”')],
    ['with no-break spaces', signed.replaceAll('  "', '\u00a0\u00a0"')],
    ['with the member persona of the peer services', signed.replace('"avatar"', '"persona"')],
    ['in one line', JSON.stringify(JSON.parse(signed))],
  ])('is read %s', (_how, text) => {
    const found = readProofDocument(text)!;

    expect(found).toEqual({
      avatar: alice.key.compressed,
      githubUsername: 'alice-demo',
      keybaseUsername: null,
      signature,
    });
    expect(namesAvatar(found, { avatar: alice.key })).toBe(true);
  });

  it.each([
    '',
    'null',
    '[]',
    '"text"',
    '{"version":',
    signed.slice(0, -1),
    `${signed}${' '.repeat(64 * 1024)}`,
    '['.repeat(60_000),
  ])('is not read from %.20s', (text) => {
    expect(readProofDocument(text)).toBeNull();
  });

  it('has only members of its own', () => {
    expect(readProofDocument('{"__proto__":{"avatar":"0x02"},"signature":1}')).toEqual({
      avatar: null,
      githubUsername: null,
      keybaseUsername: null,
      signature: null,
    });
  });

  it.each([
    ['compressed', alice.key.compressed, true],
    ['without 0x', alice.key.compressed.slice(2), true],
    ['in capitals', alice.key.compressed.toUpperCase(), true],
    ['uncompressed', alice.key.uncompressed, true],
    ['with blanks around it', ` ${alice.key.compressed}\n`, true],
    ['with 0x inside', alice.key.compressed.replace(/^0x02|^0x03/, (start) => `${start}0x`), false],
    ['with 0x inside and none before', alice.key.compressed.replace(/^0x(..)/, '$10x'), false],
    ['of somebody else', anAvatar('mallory').key.compressed, false],
    ['that is not a key', '0x02', false],
  ])('names the Avatar by a key %s', (_how, avatar, expected) => {
    expect(
      namesAvatar({ avatar, githubUsername: null, keybaseUsername: null, signature: null }, { avatar: alice.key }),
    ).toBe(expected);
  });

  it('names nobody where it is not read, or has no member for the Avatar', () => {
    expect(namesAvatar(null, { avatar: alice.key })).toBe(false);
    expect(namesAvatar(readProofDocument('{}'), { avatar: alice.key })).toBe(false);
  });

  it.each([
    ['as it was issued', signed],
    ['with escaped slashes', signed.replaceAll('/', '\\/')],
    [
      'with its signature in JSON escapes',
      document.replace(
        '%SIG_BASE64%',
        signature.replace(/^./, (c) => `\\u00${c.charCodeAt(0).toString(16)}`),
      ),
    ],
    ['that another program has cut at the end', signed.slice(0, -1)],
    ['with a line before it', `Here it is:\n${signed}`],
    ['in base64url', document.replace('%SIG_BASE64%', Buffer.from(signature, 'base64').toString('base64url'))],
  ])('has its signature found %s', (_how, text) => {
    expect(checkProofDocument(text, claim, seen)).toMatchObject({ valid: true, signature });
  });

  it('keeps what was read as evidence', () => {
    expect(checkProofDocument(signed, claim, seen)).toMatchObject({
      evidence: {
        url: 'https://gist.github.com/aa',
        sha256: '039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81',
        matchedText: signed,
      },
    });
  });

  it.each([
    ['by another key over the same payload', anAvatar('mallory').sign(claim.signPayload)],
    ['by the same key over another payload', alice.sign('another payload')],
    ['left out', '%SIG_BASE64%'],
  ])('is refused with a signature %s', (_how, other) => {
    expect(checkProofDocument(document.replace('%SIG_BASE64%', other), claim, seen)).toMatchObject({ valid: false });
  });

  it('is said to hold a signature that was cut, though its payload names one that is whole', () => {
    const second = { ...claim, signPayload: claim.signPayload.replace('null', `"${claim.previous}"`) };
    const cut = writeProofDocument(second, 'github_username', 'A comment.').replace(
      '%SIG_BASE64%',
      signature.slice(0, 10),
    );

    expect(cut).toContain(claim.previous);
    expect(checkProofDocument(cut, second, seen)).toMatchObject({ reason: expect.stringContaining('was cut') });
  });

  it('is not believed about its payload: a document signed over its own payload by the key it names is refused', () => {
    const mallory = anAvatar('mallory');
    const own = claim.signPayload.replace('alice-demo', 'mallory');
    const text = JSON.stringify({ ...JSON.parse(document), sign_payload: own, signature: mallory.sign(own) });

    expect(checkProofDocument(text, claim, seen)).toMatchObject({ valid: false });
  });
});
