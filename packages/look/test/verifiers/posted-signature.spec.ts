import { createHash } from 'node:crypto';
import type { ProofClaim, ValidVerdict } from '../../src/platform-verifier.js';
import { textOfHtml } from '../../src/posts/html-text.js';
import { checkPostedSignature } from '../../src/posts/posted-signature.js';
import { anAvatar } from '../support/avatar.js';
import { leastCpuMs } from '../support/cpu-time.js';

const alice = anAvatar('alice');
const claim: ProofClaim = {
  avatar: alice.key,
  identity: 'alice',
  signPayload: '{"action":"create","identity":"alice","platform":"twitter","prev":null}',
  uuid: '6f1c0f3e-0000-4000-8000-000000000000',
  createdAt: new Date(1_718_000_000_000),
  previous: null,
  proofLocation: '1800000000000000001',
};
const S = alice.sign(claim.signPayload);
/** Signed by the right key over another text, and by another key over the right text. */
const OTHER = [alice.sign('something else'), anAvatar('mallory').sign(claim.signPayload)];
const base64url = S.replaceAll('+', '-').replaceAll('/', '_');
const compact = compactForm(S);

const body = Buffer.from('the bytes that were read');
const seen = { url: 'https://platform.example/posts/1', body, accountId: '42' };
const check = (text: string) => checkPostedSignature(text, claim, seen);

/** ERC-2098: v moves into the top bit of s. */
function compactForm(signature: string): string {
  const bytes = Buffer.from(signature, 'base64');
  if (bytes[64] === 28) bytes[32]! |= 0x80;
  return bytes.subarray(0, 64).toString('base64');
}

describe('finding the signature in the text of a post', () => {
  it.each([
    ['among other lines, LF', `Hello\nSig: ${S}\nMisc: 1|2|`],
    ['among other lines, CRLF', `Hello\r\nSig: ${S}\r\nMisc: 1|2|`],
    ['among other lines, CR', `Hello\rSig: ${S}\rMisc: 1|2|`],
    ['between U+2028, U+2029 and U+0085', `Hello\u2028Sig: ${S}\u2029Bye\u0085`],
    ['with spaces around', `  Sig: ${S}   `],
    ['with U+00A0 around', `\u00a0Sig: ${S}\u00a0`],
    ['with U+200B around', `\u200bSig: ${S}\u200b`],
    ['with U+FEFF around', `\ufeffSig: ${S}\ufeff`],
    ['with U+200B inside', `Sig: ${S.slice(0, 40)}\u200b${S.slice(40)}`],
    ['with a fullwidth colon', `sig\uff1a${S}`],
    ['with a shouted label', `SIG:${S}`],
    ['with no label', S],
    ['in a Markdown quote', `> Sig: ${S}`],
    ['in backticks', `\`Sig: ${S}\``],
    ['in backticks of its own', `Sig: \`${S}\``],
    ['in bold', `**Sig: ${S}**`],
    ['in bold by underscores', `__${S}__`],
    ['in italics by underscores, without padding', `_${S.slice(0, -1)}_`],
    ['in italics by underscores, in base64url', `_${base64url.slice(0, -1)}_`],
    ['in a spoiler', `||Sig: ${S}||`],
    ['in a fenced block', `\`\`\`\nSig: ${S}\n\`\`\``],
    ['in quotes', `“${S}”`],
    ['in base64url', `Sig: ${base64url}`],
    ['without padding', `Sig: ${S.slice(0, -1)}`],
    ['in base64url without padding', `Sig: ${base64url.slice(0, -1)}`],
    ['broken over two lines', `Sig: ${S.slice(0, 50)}\n${S.slice(50)}\nMisc`],
    ['broken over two lines of a quote', `> Sig: ${S.slice(0, 50)}\n> ${S.slice(50)}`],
    ['broken over four lines after its label', `Sig:\n${S.match(/.{1,24}/g)!.join('\n')}`],
    ['with its padding on a line of its own', `Sig: ${S.slice(0, -1)}\n=`],
    ['after a wrong one', `Sig: ${OTHER[0]}\nSig: ${S}`],
    ['after wrong ones of another key and another payload', `Sig: ${OTHER[1]}\nSig: ${OTHER[0]}\nSig: ${S}`],
    ['after six copies of one wrong one', `${OTHER[0]}\n`.repeat(6) + S],
    ['behind an address', `https://alice.example/?a=1 ${S}`],
    ['in JSON behind an address', `{"comment":"https://alice.example/","signature":"${S}"}`],
    ['with trailing words', `Sig: ${S} trailing words`],
    ['beside entities that were not decoded', `Tom &amp; Jerry&#39;s\nSig: ${S}\n&lt;3`],
    ['behind the JSON of a file', JSON.stringify({ sign_payload: claim.signPayload, signature: S })],
    ['at the end of the longest text', `${'ä'.repeat(32 * 1024 - 45)}\n ${S}`],
    ['at the end of the longest text of ASCII', `${'a'.repeat(64 * 1024 - 89)}\n${S}`],
  ])('accepts it %s', (_where, text) => {
    expect(check(text)).toMatchObject({ valid: true, signature: S });
  });

  it('accepts the compact form of 64 bytes and keeps it as it is', () => {
    expect(check(`Sig: ${compact}`)).toMatchObject({ valid: true, signature: compact });
    expect(check(`Sig: ${compact.slice(0, -2)}`)).toMatchObject({ valid: true, signature: compact });
  });

  it.each([
    ['an empty text', ''],
    ['a text without a signature', 'Hello, I am alice'],
    ['an address that holds a signature', `look: https://evil.example/?s=${S}`],
    ['an address in Markdown that holds a signature', `[look](https://evil.example/?s=${S})`],
    ['an address in angle brackets that holds a signature', `<HTTP://evil.example/#=${S}>`],
    ['a signature in hex', Buffer.from(S, 'base64').toString('hex')],
    ['bytes that are not a signature', Buffer.alloc(65, 7).toString('base64')],
  ])('finds nothing in %s', (_what, text) => {
    expect(check(text)).toEqual({ valid: false, reason: expect.stringContaining('no signature') });
  });

  it.each([
    ['a signature that lost a character', `Sig: ${S.slice(1)}`],
    ['a signature with a character too many', `Sig: A${S}`],
    ['a signature in two words on one line', `Sig: ${S.slice(0, 50)} ${S.slice(50)}`],
    ['a signature in two paragraphs', `Sig: ${S.slice(0, 50)}\n\n${S.slice(50)}`],
    ['a signature with text behind its first part', `Sig: ${S.slice(0, 50)} (!)\n${S.slice(50)}`],
    ['a signature with text behind its second part', `Sig: ${S.slice(0, 50)}\n${S.slice(50)} (!)`],
    ['a signature with text before its second part', `Sig: ${S.slice(0, 50)}\n(!) ${S.slice(50)}`],
    ['a signature whose first words are left, behind its label', `Signature: ${S.slice(0, 12)}…`],
    ['a signature without its first half', S.slice(44)],
  ])('tells from none %s', (_what, text) => {
    expect(check(text)).toEqual({
      valid: false,
      reason: expect.stringMatching(/no whole signature.* \d+ char.*was cut/),
    });
  });

  it.each([
    ['a key in hex', `Sig: ${alice.key.uncompressed}`],
    ['an address of Ethereum', 'pay me: 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['a UUID', `UUID: ${claim.uuid}`],
    ['long words and numbers', 'Donaudampfschifffahrtsgesellschaft 12345678901234567890'],
    ['the label alone', 'Sig: gone'],
    ['an address on the web', `https://alice.example/${S.slice(0, 60)}`],
  ])('takes for no piece of a signature %s', (_what, text) => {
    expect(check(text)).toEqual({ valid: false, reason: expect.stringContaining('holds no signature') });
  });

  it.each([
    ['of another payload', OTHER[0]!],
    ['of another key', OTHER[1]!],
  ])('refuses a signature %s', (_what, signature) => {
    expect(check(`Sig: ${signature}`)).toEqual({
      valid: false,
      reason: expect.stringContaining('none that this Avatar'),
    });
  });

  it.each([
    ['behind a link', `<p><a href="https://a.example/">https://a.example/</a> ${S}</p>`],
    ['in a line', `<p>Signature: ${S}<br>UUID: u</p>`],
    ['in a line that is closed', `<p>Signature: ${S}<br />UUID: u</p>`],
    ['in entities', `<p>Signature: ${S.replaceAll('+', '&#43;').replaceAll('/', '&#47;').replace('=', '&#61;')}</p>`],
    ['cut by a tag that breaks no line', `<p>Signature: ${S.slice(0, 40)}<wbr>${S.slice(40)}</p>`],
  ])('accepts it in HTML %s', (_where, html) => {
    expect(check(textOfHtml(html))).toMatchObject({ valid: true, signature: S });
  });

  it('finds nothing in the paragraph of a quoted post', () => {
    expect(check(textOfHtml(`<p class="quote-inline">Signature: ${S}</p><p>look</p>`)).valid).toBe(false);
  });

  it.each([
    ['a quotation', `<blockquote>${S}</blockquote>`],
    ['a link with a title', `<a href="https://evil.example/">Sig: ${S}</a>`],
    ['a shared post', `<div class="shared-wrapper"><div>Sig: ${S}</div></div>`],
  ])('finds nothing in HTML in %s', (_what, html) => {
    expect(check(textOfHtml(`<p>look</p>${html}`)).valid).toBe(false);
  });

  it.each([
    ['alone', 'Sig: %SIG_BASE64%'],
    ['beside the one before', `Sig: %SIG_BASE64%\nprev: ${OTHER[0]!}`],
  ])('says that the placeholder still stands in the text, %s', (_where, text) => {
    expect(check(text)).toEqual({ valid: false, reason: expect.stringContaining('still holds %SIG_BASE64%') });
  });

  it('does not mind a placeholder beside the signature', () => {
    expect(check(`%SIG_BASE64% ${S}`)).toMatchObject({ valid: true, signature: S });
  });

  it('tries five candidates and no more', () => {
    const wrong = Array.from({ length: 5 }, (_, index) => alice.sign(`wrong ${index}`));

    expect(check([...wrong.slice(1), S].join('\n')).valid).toBe(true);
    expect(check([...wrong, S].join('\n')).valid).toBe(false);
  });

  it('believes no payload that stands in the post', () => {
    const forged = JSON.stringify({ ...JSON.parse(claim.signPayload), identity: 'mallory' });

    expect(check(`${forged}\nSig: ${alice.sign(forged)}`).valid).toBe(false);
  });
});

describe('texts made to cost time', () => {
  const FULL = 64 * 1024;
  /** Ends as a signature does, and begins with an r above the order of the group, so that it is none. */
  const outOfRange = (n: number, length = 87) => `${'/'.repeat(24)}${n}`.padEnd(length - 1, 'b') + 'A';

  it.each([
    ['64 KiB and one byte', `${S}\n${'a'.repeat(FULL - 88)}`],
    ['64 KiB and one byte of two-byte letters', `${S} ${'ä'.repeat((FULL - 88) / 2)}`],
    ['100,000 lines', `${S}\n${'Sig: \n'.repeat(100_000)}`],
  ])('refuses %s', (_what, text) => {
    expect(check(text)).toEqual({ valid: false, reason: expect.stringContaining('64 KiB') });
  });

  it.each([
    ['one word', 'a'.repeat(FULL)],
    ['underscores', '_'.repeat(FULL)],
    ['invisible characters', `a${'\u200b'.repeat(FULL / 3 - 1)}`],
    ['blanks', ' '.repeat(FULL)],
    ['line ends', '\r'.repeat(FULL)],
    ['lines of one letter', 'a\n'.repeat(FULL / 2)],
    ['lines of eleven letters', 'abcdefghijk\n'.repeat(FULL / 12)],
    ['half signatures', `${S.slice(0, 44)}\n`.repeat(FULL / 45)],
    ['words of 87 letters', `${'A'.repeat(87)} `.repeat(FULL / 88)],
    ['signatures of others', Array.from({ length: 700 }, (_, index) => `${index} ${OTHER[index % 2]}`).join('\n')],
    ['marked words', `__${'A'.repeat(87)}__ `.repeat(FULL / 92)],
    ['words of markers alone', `${'_'.repeat(93)} `.repeat(FULL / 94)],
    ['words that end as signatures do', Array.from({ length: 690 }, (_, n) => `______${outOfRange(n)}`).join(' ')],
    ['halves that end as signatures do', Array.from({ length: 1400 }, (_, n) => outOfRange(n, 43)).join('\n')],
    ['empty quotations', '> \n'.repeat(FULL / 3)],
    ['web addresses', 'http:// '.repeat(FULL / 8)],
  ])('reads 64 KiB of %s with less than half of the time that a request may cost', (_what, text) => {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(FULL);
    expect(check(text).valid).toBe(false);
    expect(leastCpuMs(() => check(text))).toBeLessThan(25);
  });
});

describe('the evidence of an accepted post', () => {
  it('says where the text was read, its hash and the account id', () => {
    expect(check(`Sig: ${S}`)).toEqual({
      valid: true,
      signature: S,
      accountId: '42',
      evidence: { url: seen.url, sha256: createHash('sha256').update(body).digest('hex'), matchedText: `Sig: ${S}` },
    });
  });

  it('has no account id where the platform has none', () => {
    expect(checkPostedSignature(S, claim, { url: seen.url, body })).not.toHaveProperty('accountId');
  });

  it.each([
    ['at the start', `${S}\n${'é€😀'.repeat(1000)}`],
    ['in the middle', `x${'é€😀'.repeat(1000)}\n${S}\n${'é€😀'.repeat(1000)}`],
    ['at the end', `xy${'é€😀'.repeat(1000)}\n${S}`],
  ])('keeps at most 4 KiB of whole characters around a signature %s', (_where, text) => {
    const { matchedText } = (check(text) as ValidVerdict).evidence!;

    expect(Buffer.byteLength(matchedText)).toBeLessThanOrEqual(4096);
    expect(Buffer.byteLength(matchedText)).toBeGreaterThan(2048);
    expect(matchedText).toContain(S);
    expect(matchedText).not.toContain('\ufffd');
  });

  it('replaces what no database can hold', () => {
    const { matchedText } = (check(`\0\ud800 ${S}`) as ValidVerdict).evidence!;

    expect(matchedText).toBe(`\ufffd\ufffd ${S}`);
  });
});
