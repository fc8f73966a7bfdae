/** Published texts that hold a signature, or do not. */
import { accepted, alice, base64, forms, linksOf, mallory, refused } from './people.mjs';

/** @import { Expected } from './types.d.ts' */

/** Published texts that hold the Avatar's signature, or do not. */
export function evidence() {
  const [link] = linksOf(alice, [{ platform: 'github', identity: 'alice' }]);
  const { signature, signature_payload: payload } = link;
  const bare = signature.replace(/=+$/, '');
  const url = bare.replaceAll('+', '-').replaceAll('/', '_');
  const compact = base64(forms.compact(signature));
  const others = Array.from({ length: 6 }, (_, n) => alice.sign(`another text ${n}`));
  /** @param {number} width @param {string} [end] */
  const folded = (width, end = '\n') => (bare.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join(end);
  /** @param {string} id @param {string} text @param {Expected} expected */
  const vector = (id, text, expected) => ({ id, text, payload, avatar: alice.avatar, expected });
  /** @param {string} id @param {string} text @param {string} [found] */
  const good = (id, text, found = signature) => vector(id, text, accepted({ signature: found }));
  /** @param {string} id @param {string} text */
  const bad = (id, text) => vector(id, text, refused(['evidence']));
  /** @param {string} text */
  const document = (text) => JSON.stringify({ version: '1', sign_payload: payload, signature: text }, null, 2);
  /** @param {object} more */
  const escaped = (more) => JSON.stringify({ signature, ...more }).replaceAll('/', '\\/');
  return {
    description:
      'Texts as a server kept them as evidence: whether one holds the signature of `avatar` over `payload`. `signature` is what was found, in Base64.',
    vectors: [
      good('the-signature-alone', signature),
      good('in-a-sentence', `Verifying my identity: ${signature} as alice.`),
      good('without-padding', `(${bare})`),
      good('in-the-url-alphabet', url),
      good('compact-eip-2098', `Sig: ${compact}`, compact),
      good('in-markdown', `**${bare}**`),
      good('between-underscores', `__${bare}__`),
      good('between-other-underscores', `_${bare}___`),
      good('with-invisible-characters', `${bare.slice(0, 20)}\u200b${bare.slice(20, 50)}\u00ad${bare.slice(50)}`),
      good('in-lines-of-30', `Sig:\n${folded(30)}`),
      good('in-lines-of-11', folded(11)),
      good('in-lines-of-cr-lf', folded(44, '\r\n')),
      good(
        'in-quoted-lines',
        folded(40)
          .split('\n')
          .map((line) => `> ${line}`)
          .join('\n'),
      ),
      good('behind-five-words-of-other-lengths', `${'A'.repeat(85)} ${'B'.repeat(88 + 10)} ${signature}`),
      good('behind-four-other-signatures', [...others.slice(0, 4), signature].join('\n\n')),
      good('behind-the-same-signature-ten-times', [...Array(10).fill(others[0]), signature].join(' ')),
      good('behind-an-address', `https://signet.example/${others[0]} ${signature}`),
      good('in-a-document', document(signature)),
      good('in-a-document-with-escaped-slashes', document(signature).replaceAll('/', '\\/')),
      good(
        'in-a-document-with-typographic-quotes',
        document(signature)
          .replaceAll('/', '\\/')
          .replaceAll('"', '“')
          .replace(/(“signature“: )“(.*)“/, '$1„$2”')
          .replace(/“sign_payload“: .*\n/, ''),
      ),
      good(
        'in-a-document-with-escaped-slashes-behind-five-other-signatures',
        `{
"others": ${JSON.stringify(others.slice(0, 5))},
"signature": ${JSON.stringify(signature).replaceAll('/', '\\/')}
}`,
      ),
      bad('empty', ''),
      bad('no-signature', 'Verifying my identity as alice.'),
      bad('of-another-key', mallory.sign(payload)),
      bad('over-another-text', others[0]),
      bad('in-an-address', `https://signet.example/?sig=${bare}`),
      bad('in-an-address-with-capitals', `HTTPS://signet.example/${bare}`),
      bad('behind-five-other-signatures', [...others.slice(0, 5), signature].join('\n\n')),
      bad('in-nine-lines', folded(10)),
      bad('in-lines-with-a-word-between', folded(44, '\nand\n')),
      bad('in-lines-with-an-address-between', folded(44, '\nhttps://signet.example/ ')),
      bad('in-lines-with-an-address-alone-between', folded(44, '\nhttps://signet.example/\n')),
      bad('in-a-document-with-half-a-surrogate-pair', escaped({ comment: '\ud83d' })),
      bad(
        'in-a-document-with-a-number-out-of-range',
        escaped({ comment: 1 }).replace('"comment":1', '"comment":1e400'),
      ),
      bad('in-a-document-of-a-document', JSON.stringify({ later: JSON.parse(escaped({})) }).replaceAll('/', '\\/')),
      bad('in-lines-with-a-full-stop', folded(44, '.\n')),
      bad('with-a-letter-more', `A${bare}`),
      bad('with-seven-underscores', `____${bare}___`),
      bad('one-letter-changed', `${signature.slice(0, 10)}${signature[10] === 'A' ? 'B' : 'A'}${signature.slice(11)}`),
      bad('in-hex', Buffer.from(signature, 'base64').toString('hex')),
      bad('longer-than-64-kib', `${signature} ${'.'.repeat(65_536)}`),
    ],
  };
}
