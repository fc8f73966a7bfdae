import type { PostContent, ProofDraft } from '../platform-verifier.js';
import { SIGNATURE_PLACEHOLDER } from '../platform-verifier.js';

const MAX_ACCOUNT_LENGTH = 64; // longer names are shortened, so that every text fits 450 characters; nothing is read back from it

/** Where a text is published. */
interface Network {
  /** Such as `X`. */
  name: string;
  /** Whether the name takes an article: "the Fediverse", but "X". */
  hasArticle: boolean;
}

/**
 * What a person reads first: that this account on this network belongs to the holder of a key; then the name of the
 * time line. No claim begins with the account: X takes a post that begins with `@name` for a reply, which followers do
 * not see.
 */
type Wording = (account: string, network: Network) => { claim: string; time: string };

/** Our own wording, in the languages most used on these platforms. The key is language and region as in `zh_CN`. */
const WORDINGS: Record<string, Wording> = {
  en_US: (account, { name, hasArticle }) => ({
    claim: `I own ${account} on ${hasArticle ? 'the ' : ''}${name} and sign this with my own key.`,
    time: 'Time',
  }),
  zh_CN: (account, { name }) => ({ claim: `${name} 账号 ${account} 归我所有，以我的密钥签名为证。`, time: '时间' }),
  de_DE: (account, { name, hasArticle }) => ({
    claim: `${hasArticle ? 'Im' : 'Auf'} ${name} gehört ${account} mir; das belegt die Signatur meines Schlüssels.`,
    time: 'Zeit',
  }),
  es_ES: (account, { name, hasArticle }) => ({
    claim: `Mi cuenta en ${hasArticle ? 'el ' : ''}${name} es ${account}; lo firmo con mi clave.`,
    time: 'Hora',
  }),
  fr_FR: (account, { name, hasArticle }) => ({
    claim: `Mon compte sur ${hasArticle ? 'le ' : ''}${name} est ${account} ; je le signe avec ma clé.`,
    time: 'Heure',
  }),
  ja_JP: (account, { name }) => ({
    claim: `${name} の ${account} は私のアカウントです。私の鍵で署名します。`,
    time: '日時',
  }),
  ko_KR: (account, { name }) => ({
    claim: `${name} 계정 ${account} 은(는) 제 것이며 제 키로 서명합니다.`,
    time: '시각',
  }),
  pt_BR: (account, { name }) => ({
    claim: `Minha conta no ${name} é ${account}; assino com a minha chave.`,
    time: 'Hora',
  }),
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
  const written = Object.entries(WORDINGS).map(([language, wording]) => {
    const { claim, time } = wording(shortened(account), { name: network, hasArticle });
    const lines = [
      claim,
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
