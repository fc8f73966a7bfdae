import type { ProofDraft } from '../../src/platform-verifier.js';
import { SIGNATURE_PLACEHOLDER } from '../../src/platform-verifier.js';
import { socialPostTexts } from '../../src/posts/post-texts.js';
import { checkPostedSignature } from '../../src/posts/posted-signature.js';
import { anAvatar } from '../support/avatar.js';
import { aClaim } from './describe-verifier.js';
import { weightedLength } from './x-length.js';

const alice = anAvatar('alice');
/** The widest characters of Base64, as long as a signature. */
const SIGNATURE = `${'W'.repeat(87)}=`;

const draftOf = (identity: string): ProofDraft => aClaim({ platform: 'twitter', identity, proofLocation: '1' });
/** `[network, account as written, most characters of a post]` with the longest names that the networks allow. */
const NETWORKS: [network: string, account: string, limit: number][] = [
  ['X', `@${'w'.repeat(15)}`, 270],
  ['Minds', `@${'w'.repeat(128)}`, 450],
  ['Discord', `${'漢'.repeat(32)}#1234`, 2000],
  ['Fediverse', `${'w'.repeat(128)}@${'w'.repeat(63)}.example.org`, 450],
];

describe('the length of a post on X', () => {
  it.each([
    ['hello', 5],
    ['ä é ñ', 5],
    ['e\u0301', 1],
    ['你好', 4],
    ['“a”', 3],
    ['…', 2],
    ['한국', 4],
  ])('of %j is %i', (text, length) => {
    expect(weightedLength(text)).toBe(length);
  });
});

describe.each(NETWORKS)('the texts for %s', (network, account, limit) => {
  const draft = draftOf(account);
  const texts = Object.entries(socialPostTexts(draft, { account, network, hasArticle: network === 'Fediverse' }));

  it('exist in at least seven languages, and by default', () => {
    const languages = texts.map(([language]) => language);

    expect(languages).toEqual(expect.arrayContaining(['default', 'en_US', 'zh_CN']));
    expect(languages.length).toBeGreaterThanOrEqual(7);
    for (const language of languages) expect(language).toMatch(/^(?:default|[a-z]{2,3}_[A-Z]{2})$/);
    expect(new Set(texts.map(([, text]) => text)).size).toBe(languages.length - 1); // default is one of them
  });

  it.each(texts)('fit in %s with the longest name and a signature', (_language, text) => {
    const post = text.replace(SIGNATURE_PLACEHOLDER, SIGNATURE);

    expect(network === 'X' ? weightedLength(post) : [...post].length).toBeLessThanOrEqual(limit);
  });

  it.each(texts)('hold the placeholder once, the uuid, the time and the network in %s', (_language, text) => {
    expect(text.split(SIGNATURE_PLACEHOLDER)).toHaveLength(2);
    expect(text).toContain(`\nSig: ${SIGNATURE_PLACEHOLDER}\n`);
    expect(text).toContain(draft.uuid);
    expect(text).toContain('2024-06-10T06:13:20Z');
    expect(text).toContain(network);
    expect(text).toContain(account.slice(0, 16));
  });

  it.each(texts)('begin with no mention in %s, which would make a reply of the post', (_language, text) => {
    expect(text).not.toMatch(/^\s*[@\uff20]/);
  });

  it.each(texts)('are found again in %s', (_language, text) => {
    const claim = { ...draft, proofLocation: '1' };
    const post = text.replace(SIGNATURE_PLACEHOLDER, alice.sign(draft.signPayload));

    expect(checkPostedSignature(post, claim, { url: '', body: new Uint8Array() }).valid).toBe(true);
  });
});

it('puts the article before a network that takes one, and none before others', () => {
  const textsFor = (network: string, hasArticle: boolean) =>
    socialPostTexts(draftOf('alice'), { account: '@alice', network, hasArticle });
  const claims = (texts: Record<string, string>) =>
    ['en_US', 'de_DE', 'es_ES', 'fr_FR', 'pt_BR'].map((language) => texts[language]!.split('\n')[0]);

  expect(claims(textsFor('Fediverse', true))).toEqual([
    'I own @alice on the Fediverse and sign this with my own key.',
    'Im Fediverse gehört @alice mir; das belegt die Signatur meines Schlüssels.',
    'Mi cuenta en el Fediverse es @alice; lo firmo con mi clave.',
    'Mon compte sur le Fediverse est @alice ; je le signe avec ma clé.',
    'Minha conta no Fediverse é @alice; assino com a minha chave.',
  ]);
  expect(claims(textsFor('X', false))).toEqual([
    'I own @alice on X and sign this with my own key.',
    'Auf X gehört @alice mir; das belegt die Signatur meines Schlüssels.',
    'Mi cuenta en X es @alice; lo firmo con mi clave.',
    'Mon compte sur X est @alice ; je le signe avec ma clé.',
    'Minha conta no X é @alice; assino com a minha chave.',
  ]);
});

describe('a name in a text', () => {
  it('is shortened in whole characters when it is very long', () => {
    const { default: text } = socialPostTexts(draftOf('x'), { account: '😀'.repeat(100), network: 'X' });

    expect(text).toContain(`${'😀'.repeat(63)}…`);
    expect(Buffer.from(text).toString()).toBe(text);
  });

  it('cannot bring a second placeholder', () => {
    const account = `${SIGNATURE_PLACEHOLDER}#1234`;

    for (const text of Object.values(socialPostTexts(draftOf(account), { account, network: 'Discord' }))) {
      expect(text.split(SIGNATURE_PLACEHOLDER)).toHaveLength(2);
    }
  });
});
