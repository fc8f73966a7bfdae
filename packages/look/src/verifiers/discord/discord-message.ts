import { asciiLower, composed } from '@signet/verify/names';
import type { ProofClaim, Verdict } from '../../platform-verifier.js';
import { invalid } from '../../platform-verifier.js';
import { checkPostedSignature } from '../../posts/posted-signature.js';
import { withoutDiscordQuotes } from '../../posts/quoted-lines.js';

/** The part of a message that we read. Every field is optional: we did not write that server. */
export interface DiscordMessage {
  id?: string;
  channel_id?: string;
  type?: number;
  flags?: number;
  webhook_id?: string;
  author?: { id?: string; username?: string; discriminator?: string; bot?: boolean; system?: boolean };
  content?: string;
  message_reference?: { type?: number };
  message_snapshots?: unknown[];
  embeds?: unknown[];
  attachments?: unknown[];
  components?: unknown[];
  sticker_items?: unknown[];
}

const DEFAULT_MESSAGE = 0;
const REPLY = 19;
const FORWARD = 1; // message_reference.type
const IS_CROSSPOST = 1 << 1;
const HAS_SNAPSHOT = 1 << 14;
const SNOWFLAKE = /^\d{1,20}$/;

/**
 * What a message proves. A message of a webhook carries any author name that its maker chose, bots and the system speak
 * for no account, and a forward or a crosspost shows what another author wrote: none of them counts. The global name
 * and nicknames are free text and not looked at. Null means that Discord did not say what a message has to have;
 * `unreadable` that Discord hides the text of messages from this bot.
 */
export function judgeMessage(
  message: DiscordMessage,
  claim: ProofClaim,
  body: Uint8Array,
): Verdict | 'unreadable' | null {
  const [channelId, messageId] = claim.proofLocation.split('/').slice(-2);
  const { author, content } = message;
  if (message.id !== messageId || message.channel_id !== channelId || typeof content !== 'string') return null;
  if (typeof author?.username !== 'string' || typeof author.id !== 'string' || !SNOWFLAKE.test(author.id)) return null;
  if (typeof author.discriminator !== 'string' || typeof message.type !== 'number') return null;
  if (![author.bot, author.system].every((flag) => flag === undefined || typeof flag === 'boolean')) return null;
  if (message.webhook_id !== undefined)
    return invalid('The message comes from a webhook; one of a person was expected.');
  if (author.bot || author.system)
    return invalid('The message comes from a bot or the system; one of a person was expected.');
  if (isSomebodyElses(message))
    return invalid('The message shows the text of another one; one of its own was expected.');
  if (message.type !== DEFAULT_MESSAGE && message.type !== REPLY) {
    return invalid('This is not an ordinary message of a person.');
  }
  if (nameOf(author.username, author.discriminator) !== claim.identity) {
    return invalid(`The message belongs to another Discord account than "${claim.identity}".`);
  }
  if (content === '' && !hasOtherContent(message)) return 'unreadable';
  const ownWords = withoutDiscordQuotes(content);
  return checkPostedSignature(ownWords, claim, { url: claim.proofLocation, body, accountId: author.id });
}

function isSomebodyElses({
  flags,
  message_reference: reference,
  message_snapshots: snapshots,
}: DiscordMessage): boolean {
  const isCopy = ((flags ?? 0) & (IS_CROSSPOST | HAS_SNAPSHOT)) !== 0;
  return reference?.type === FORWARD || snapshots !== undefined || isCopy;
}

/**
 * Since 2023 people have the discriminator `0` and a unique name; `Name#1234` is what older accounts, now bots only,
 * are called.
 */
function nameOf(username: string, discriminator: string): string | null {
  return discriminator === '0' ? asciiLower(username) : composed(`${username}#${discriminator}`);
}

/** A message without the text that this bot may not read still shows that there is an embed, a file and the like. */
function hasOtherContent({ embeds, attachments, components, sticker_items: stickers }: DiscordMessage): boolean {
  return [embeds, attachments, components, stickers].some((list) => Array.isArray(list) && list.length > 0);
}
