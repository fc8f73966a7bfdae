import type { PostContent, ProofDraft } from '../platform-verifier.js';
import { SIGNATURE_PLACEHOLDER } from '../platform-verifier.js';
import { WORDINGS } from './wordings.js';

const MAX_ACCOUNT_LENGTH = 64; // longer names are shortened, so that every text fits 450 characters; nothing is read back from it

/** The languages most used on these platforms, as language and region, by the words of their texts. */
const LANGUAGES: Record<string, keyof typeof WORDINGS> = {
  en_US: 'en',
  zh_CN: 'zh',
  de_DE: 'de',
  es_ES: 'es',
  fr_FR: 'fr',
  ja_JP: 'ja',
  ko_KR: 'ko',
  pt_BR: 'pt',
};

/**
 * The texts that a person publishes on a social network, by language; `default` is English. `account` is the name as
 * people write it there (`@alice`), `network` the name of the network (`X`), `hasArticle` whether that takes an
 * article. The signature stands on a line of its own behind `Sig:`, which other services of this kind look for. A text
 * weighs at most 270 by the rules of X as long as `account` has 16 letters, and never has more than 450 characters,
 * once the placeholder became the 88 characters of a signature.
 */
export function socialPostTexts(
  draft: ProofDraft,
  { account, network, hasArticle = false }: { account: string; network: string; hasArticle?: boolean },
): PostContent {
  const values: Record<string, string> = { account: shortened(account), network };
  const written = Object.entries(LANGUAGES).map(([language, words]) => {
    const { claim, claim_the: claimWithArticle, time } = WORDINGS[words];
    const lines = [
      (hasArticle ? claimWithArticle : claim).replace(/\{(\w+)\}/g, (_, name: string) => values[name]!),
      `Sig: ${SIGNATURE_PLACEHOLDER}`,
      `UUID: ${draft.uuid}`,
      `${time}: ${draft.createdAt.toISOString().replace(/\.\d+Z$/, 'Z')}`,
    ];
    return [language, lines.join('\n')] as const;
  });
  const texts = Object.fromEntries(written);
  return { default: texts['en_US']!, ...texts };
}

/** A name could be long, or spell the placeholder, which has to stand in the text once. */
function shortened(account: string): string {
  const letters = [...account.replaceAll(SIGNATURE_PLACEHOLDER, '…')];
  return letters.length > MAX_ACCOUNT_LENGTH
    ? `${letters.slice(0, MAX_ACCOUNT_LENGTH - 1).join('')}…`
    : letters.join('');
}
