import { cleanPasted } from '@signet/verify/internal';
import { findCanonicalName, NAME_PATTERNS } from '@signet/verify/names';
import { type DiscordOptions, type Filled, filled } from '../../options/options.js';
import { InvalidRequestError, PlatformMisconfiguredError, PlatformUnavailableError } from '../../errors.js';
import type { Fetcher } from '../../web/fetcher.js';
import type { JsonReply } from '../../web/web-request.js';
import { parsePastedUrl } from '../../posts/pasted-url.js';
import type {
  InvalidVerdict,
  PlatformCosts,
  PlatformGuide,
  PlatformVerifier,
  PostContent,
  ProofClaim,
  ProofDraft,
  Verdict,
} from '../../platform-verifier.js';
import { invalid } from '../../platform-verifier.js';
import { socialPostTexts } from '../../posts/post-texts.js';
import { type DiscordMessage, judgeMessage } from './discord-message.js';
import { unusableAnswer } from '../../web/unusable-answer.js';

/** 64 bits; the first ones were given in 2015. */
const SNOWFLAKE = /^\d{17,20}$/;
const HOSTS = /^(?:(?:www|ptb|canary)\.)?(?:discord|discordapp)\.com$/;
/** What the desktop client copies: `discord://-/channels/<guild>/<channel>/<message>`, or the path alone. */
const CLIENT_LINK = /^(?:discord:\/\/(?:[a-z.-]*\/)?|\/)?channels\/([^/?#]+)\/([^/?#]+)\/([^/?#]+)\/?(?:[?#].*)?$/i;

/** Types of channels that belong to no server ("Channel Types"). */
const DIRECT = 1;
const GROUP_DIRECT = 3;
const UNKNOWN_CHANNEL = 10003;
const UNKNOWN_MESSAGE = 10008;
/** After a refused token; Discord bans addresses that keep sending one. */
const TOKEN_REST_MS = 10 * 60 * 1000;
const MAX_KNOWN_CHANNELS = 10_000;
/** Where every bot is registered; named where the operator gives no address of their own. */
const BOTS_PAGE = 'https://discord.com/developers/applications';
/** An address in printable ASCII, without the signs that would end a comment in a header. */
const PLAIN_URL = /^https?:\/\/(?:(?![(),\\])[\x21-\x7e])+$/;

/**
 * Discord: a message of the person `identity` in a channel that the bot of this server can read. Source: Discord
 * developer documentation, "Get Channel Message", "Message object", "Rate limits", "Opcodes and status codes".
 */
export class DiscordVerifier implements PlatformVerifier {
  readonly platform = 'discord';
  readonly publishes = 'post';
  readonly addresses = { apiBase: '' };
  /** "Rate limits" of Discord: 50 requests a second for a bot. */
  readonly costs: PlatformCosts = { rates: { plain: { requests: 45, seconds: 1 } } };
  readonly guide: PlatformGuide;
  /** In milliseconds of `performance.now()`. */
  private tokenRestsUntil = 0;
  /** The server (guild) of each channel that was asked for: a channel never moves. */
  private readonly guilds = new Map<string, string>();

  private readonly options: Filled<'discord'>;

  constructor(
    private readonly web: Fetcher,
    options: DiscordOptions = {},
  ) {
    this.options = filled('discord', options);
    const { channels } = options;
    this.guide = {
      label: 'Discord',
      composeUrl: 'https://discord.com/channels/@me',
      identityPattern: NAME_PATTERNS.discord,
      identityExample: 'alice.demo',
      locationForms: ['https://discord.com/channels/1100000000000000001/1100000000000000002/1100000000000000003'],
      steps: [
        'Ask for a payload with your Discord username (not the display name) as identity, and sign sign_payload with your Avatar key.',
        'Take the text of post_content in your language and put the Base64 signature in place of %SIG_BASE64%.',
        channels
          ? `Send the text as a message of your own in one of these channels: ${channels.join(', ')}.`
          : 'Send the text as a message of your own in a channel of a server where the bot of this service can read; no direct message, and no forward.',
        'Open the menu of the message, choose "Copy Message Link", and submit the proof with that link as proof_location.',
        'Keep the message and your username as long as the proof shall stay valid.',
      ],
    };
  }

  /** Takes `@name`, `name#0` and, for older accounts, `Name#1234`, whose letter case counts. */
  canonicalIdentity(text: string): string {
    const name = findCanonicalName(this.platform, text);
    if (name !== null) return name;
    throw new InvalidRequestError(
      'Not a Discord username: expected 2 to 32 letters, digits, underscores and dots.',
      'invalid_identity',
    );
  }

  /** `https://discord.com/channels/<guild>/<channel>/<message>`; takes the links of all clients. */
  canonicalLocation(text: string): string {
    const url = parsePastedUrl(text);
    const linked = url && HOSTS.test(url.host) && url.path[0] === 'channels' ? url.path.slice(1) : null;
    const ids = linked ?? CLIENT_LINK.exec(cleanPasted(text))?.slice(1) ?? [];
    if (ids[0] === '@me')
      throw badLocation('A direct message cannot be read by the bot of this service; use a channel of a server.');
    if (ids.length !== 3 || !ids.every(isSnowflake)) {
      throw badLocation(
        'Not a Discord message: expected its link, https://discord.com/channels/<server>/<channel>/<message>.',
      );
    }
    return `https://discord.com/channels/${ids.join('/')}`;
  }

  /** Without `@`, which could notify another account. */
  postContent(draft: ProofDraft): PostContent {
    return socialPostTexts(draft, { account: draft.identity, network: 'Discord' });
  }

  missingSetting(): string | null {
    return this.options.token
      ? null
      : 'Discord is checked through a bot: DISCORD_BOT_TOKEN (discord.token) is not set.';
  }

  async verify(claim: ProofClaim): Promise<Verdict> {
    const missing = this.missingSetting();
    if (missing) throw new PlatformMisconfiguredError(missing);
    const [guildId = '', channelId = '', messageId = ''] = claim.proofLocation.split('/').slice(-3);
    const { channels } = this.options;
    if (channels && !channels.includes(channelId)) {
      return invalid(`The message is in another channel than those where proofs count here: ${channels.join(', ')}.`);
    }
    const reply = await this.get<DiscordMessage & ApiError>(
      `/channels/${encodeURIComponent(channelId)}/messages/${encodeURIComponent(messageId)}`,
    );
    if (reply.status !== 200) return refusal(reply);
    const verdict = reply.json ? judgeMessage(reply.json, claim, reply.body) : null;
    if (verdict === null) throw unusableAnswer('Discord');
    if (verdict === 'unreadable') {
      throw new PlatformMisconfiguredError(
        'Discord hides the text of messages from the bot of this server: it needs the message content intent. A message that mentions the bot can be read without it.',
      );
    }
    return verdict.valid ? this.checkGuild(channelId, guildId, verdict) : verdict;
  }

  /**
   * A message does not say in which guild it is, so without this any guild could be written into the link that is
   * stored.
   */
  private async checkGuild(channelId: string, guildId: string, verdict: Verdict): Promise<Verdict> {
    if (!this.guilds.has(channelId)) {
      const reply = await this.get<{ id?: string; type?: number; guild_id?: string } & ApiError>(
        `/channels/${encodeURIComponent(channelId)}`,
      );
      if (reply.status !== 200) return refusal(reply);
      const { id, type, guild_id: guild } = reply.json ?? {};
      if (id !== channelId) throw unusableAnswer('Discord');
      if (this.guilds.size >= MAX_KNOWN_CHANNELS) this.guilds.clear();
      if (typeof guild === 'string') this.guilds.set(channelId, guild);
      else if (type !== DIRECT && type !== GROUP_DIRECT) throw unusableAnswer('Discord');
    }
    return this.guilds.get(channelId) === guildId
      ? verdict
      : invalid('The channel of the message is not in the server that the link names.');
  }

  private async get<T>(path: string): Promise<JsonReply<T>> {
    const { apiBase, token, contact = '' } = this.options;
    if (performance.now() < this.tokenRestsUntil) throw tokenRefused();
    const address = PLAIN_URL.test(contact) ? contact : BOTS_PAGE;
    const reply = await this.web.sendJson<T>({
      url: `${apiBase.replace(/\/$/, '')}${path}`,
      trust: 'operator',
      platform: this.platform,
      // Discord blocks clients whose name is not `DiscordBot ($url, $versionNumber)`.
      headers: {
        authorization: `Bot ${token}`,
        'user-agent': `DiscordBot (${address}, ${this.web.version})`,
      },
    });
    if (reply.status !== 401 || !reply.isJson) return reply;
    this.tokenRestsUntil = performance.now() + TOKEN_REST_MS;
    throw tokenRefused();
  }
}

interface ApiError {
  /** Discord's own code of an error. */
  code?: number;
}

/** What an answer other than 200 means. 429 and 5xx do not come here: the web client throws for them. */
function refusal({ status, json }: JsonReply<ApiError>): InvalidVerdict {
  if (status === 404 && json?.code === UNKNOWN_MESSAGE) return invalid('There is no such message on Discord.');
  if (status === 404 && json?.code === UNKNOWN_CHANNEL) return invalid('There is no such channel on Discord.');
  if (status === 403 && json) {
    throw new PlatformUnavailableError(
      'The bot of this server may not read that channel of Discord; use another one or invite the bot.',
    );
  }
  throw unusableAnswer('Discord');
}

function isSnowflake(id: string): boolean {
  return SNOWFLAKE.test(id) && BigInt.asUintN(64, BigInt(id)) === BigInt(id);
}

function badLocation(message: string): InvalidRequestError {
  return new InvalidRequestError(message, 'invalid_proof_location');
}

function tokenRefused(): PlatformMisconfiguredError {
  return new PlatformMisconfiguredError('Discord refuses the token of this server (DISCORD_BOT_TOKEN, discord.token).');
}
