import { SIGNATURE_PLACEHOLDER } from '@signet/verify';

/** What the texts are made from: the members of the text to sign. */
interface SignedFields {
  action: string;
  avatar: string;
  platform: string;
  identity: string;
  created_at: string;
  uuid: string;
}

/**
 * The post texts of a payload in the forms that clients of NextID recognise: on twitter, what Maskbook takes for a
 * proof; in the documents of github and keybase, the key as `persona` too.
 * @param content texts by language
 * @param signPayload the text to sign, from which the texts are made
 */
export function recognisedTexts(content: Record<string, string>, signPayload: string): Record<string, string> {
  const fields = JSON.parse(signPayload) as SignedFields;
  if (fields.action !== 'create') return content;
  if (fields.platform === 'twitter') return { ...content, ...twitterTexts(fields) };
  if (fields.platform !== 'github' && fields.platform !== 'keybase') return content;
  return Object.fromEntries(
    Object.entries(content).map(([language, document]) => [language, withPersona(document, fields.avatar)]),
  );
}

/**
 * The third line has room for the link before, which no client needs: with it, a name of 15 letters would make the text
 * one too long for X, which counts the picture at its start twice.
 */
function twitterTexts({ identity, uuid, created_at: createdAt }: SignedFields): Record<string, string> {
  const text = (claim: string, others: string) =>
    [claim, `Sig: ${SIGNATURE_PLACEHOLDER}`, `${others}: ${uuid}|${createdAt}|`].join('\n');
  const english = text(`🎭 Verify @${identity} with @NextDotID.`, 'Misc');
  return {
    default: english,
    en_US: english,
    zh_CN: text(`🎭 正在通过 @NextDotID 验证账号 @${identity}。`, '其它信息'),
  };
}

function withPersona(document: string, avatar: string): string {
  return JSON.stringify({ persona: avatar, ...(JSON.parse(document) as object) }, null, 2);
}
