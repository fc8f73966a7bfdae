import * as dns from 'dns-packet';
import type { WebTransport } from '../../../packages/look/src/node/web-transport.js';
import { testAuthority } from '../../../packages/look/test/support/certificates.js';
import {
  connectNames,
  jsonReply,
  type StandIn,
  startStandIn,
  type StandInReply,
  type StandInRequest,
  textReply,
} from '../../../packages/look/test/support/stand-in-server.js';

/** The platforms on which something is published. */
export const PUBLISHING = ['twitter', 'github', 'discord', 'minds', 'keybase', 'dotbit', 'dns', 'activitypub'] as const;
export type Publishing = (typeof PUBLISHING)[number];

/**
 * The accounts of each platform by number: one person holds those of one number, and what becomes of them is the same
 * everywhere.
 */
export const PEOPLE = {
  /** Valid, and checked a second time. */
  steady: 0,
  /** The post went away, and the proof is invalid. */
  lost: 1,
  /** Invalid, and valid again. */
  back: 2,
  /** Seen once that the post is gone. */
  missing: 3,
  /** The platform does not answer. */
  silent: 4,
  /** Deleted and made again. */
  remade: 5,
  /** Deleted. */
  revoked: 6,
} as const;

/** One account of a person on a platform. */
export interface Account {
  platform: Publishing;
  /** Tells the accounts of one platform apart, from 0 to 99. */
  number: number;
  /** What is published. */
  text: string;
  /** Compressed, with `0x`; some platforms name a file for it. */
  avatar: string;
  /** `gone`: the platform says that nothing is there; `down`: it says nothing that can be used. */
  state: 'there' | 'gone' | 'down';
}

const FEDIVERSE = 'social.demo-instance.org';
/** Where webhooks go; the path tells the receivers apart. */
export const HOOKS_HOST = 'hooks.demo-instance.org';
const [GUILD, CHANNEL] = ['1100000000000000001', '1100000000000000002'];

const two = (number: number) => String(number).padStart(2, '0');
const FORMS: Record<Publishing, { identity: (number: number) => string; location?: (number: number) => string }> = {
  twitter: { identity: (number) => `person_${number}`, location: (number) => `18000000000000000${two(number)}` },
  github: {
    identity: (number) => `person-${number}`,
    location: (number) => `0123456789abcdef0123456789abcd${two(number)}`,
  },
  discord: {
    identity: (number) => `person.${number}`,
    location: (number) => `https://discord.com/channels/${GUILD}/${CHANNEL}/12000000000000000${two(number)}`,
  },
  minds: { identity: (number) => `person${number}`, location: (number) => `15000000000000000${two(number)}` },
  keybase: { identity: (number) => `person${number}` },
  dotbit: { identity: (number) => `person${number}.bit` },
  dns: { identity: (number) => `person${number}.demo-instance.org` },
  activitypub: {
    identity: (number) => `person${number}@${FEDIVERSE}`,
    location: (number) => `1100000000000000${two(number)}`,
  },
};

/** The canonical identity of an account, and where its post is (`''` where the platform needs no place). */
export function placeOf(platform: Publishing, number: number): { identity: string; proofLocation: string } {
  const { identity, location } = FORMS[platform];
  return { identity: identity(number), proofLocation: location?.(number) ?? '' };
}

type Find = (number: number) => Account | undefined;

/** What each platform answers to a path; null: it is not of this platform. */
const ANSWERS: Record<Publishing, (request: StandInRequest, find: Find) => StandInReply | null> = {
  twitter: ({ path, query }, find) => {
    const single = /^\/2\/tweets\/18000000000000000(\d\d)$/.exec(path)?.[1];
    const ids = single ? [`18000000000000000${single}`] : path === '/2/tweets' ? query.get('ids')!.split(',') : null;
    if (!ids) return null;
    const posts = ids.map((id) => ({ id, account: find(Number(id.slice(-2))) }));
    // Of several posts, those that are down are simply left out.
    if (single && posts[0]!.account?.state === 'down') return DOWN;
    const found = posts.flatMap(({ id, account }) => (account?.state === 'there' ? [{ id, account }] : []));
    const data = found.map(({ id, account: { text, number } }) => ({
      id,
      text,
      author_id: `9900000000000000${two(number)}`,
      edit_history_tweet_ids: [id],
    }));
    const users = found.map(({ account: { number } }) => ({
      id: `9900000000000000${two(number)}`,
      username: FORMS.twitter.identity(number),
    }));
    const errors = posts
      .filter(({ account }) => account?.state !== 'there' && account?.state !== 'down')
      .map(({ id }) => ({ type: 'https://api.twitter.com/2/problems/resource-not-found', resource_id: id, value: id }));
    return jsonReply({
      ...(single ? { ...(data[0] && { data: data[0] }) } : { data }),
      includes: { users },
      ...(errors.length > 0 && { errors }),
    });
  },
  github: ({ path }, find) => {
    const gist = /^\/gists\/([0-9a-f]{30}(\d\d))$/.exec(path);
    if (!gist) return null;
    return ofState(find(Number(gist[2])), jsonReply({ message: 'Not Found' }, 404), ({ number, avatar, text }) =>
      jsonReply({
        id: gist[1],
        public: true,
        truncated: false,
        owner: { login: FORMS.github.identity(number), id: 9_000_000 + number, type: 'User' },
        files: {
          [`${avatar}.json`]: { filename: `${avatar}.json`, size: text.length, truncated: false, content: text },
        },
      }),
    );
  },
  discord: ({ path }, find) => {
    if (path === `/channels/${CHANNEL}`) return jsonReply({ id: CHANNEL, guild_id: GUILD });
    const message = /^\/channels\/\d+\/messages\/(\d+(\d\d))$/.exec(path);
    if (!message) return null;
    const unknown = jsonReply({ message: 'Unknown Message', code: 10008 }, 404);
    return ofState(find(Number(message[2])), unknown, ({ number, text }) => {
      const author = { id: `3000000000000000${two(number)}`, username: FORMS.discord.identity(number) };
      return jsonReply({
        id: message[1],
        channel_id: CHANNEL,
        type: 0,
        flags: 0,
        author: { ...author, discriminator: '0', bot: false },
        content: text,
      });
    });
  },
  minds: ({ path, query }, find) => {
    const guid = /^\/api\/v2\/entities/.test(path) ? /\d+(\d\d)$/.exec(query.get('urns') ?? '') : null;
    if (!guid) return null;
    const nothing = jsonReply({ status: 'success', entities: [] });
    return ofState(find(Number(guid[1])), nothing, ({ number, text }) => {
      const ownerObj = { guid: `13000000000000000${two(number)}`, username: FORMS.minds.identity(number) };
      const post = { guid: guid[0], type: 'activity', subtype: '', urn: `urn:activity:${guid[0]}`, access_id: '2' };
      return jsonReply({ status: 'success', entities: [{ ...post, message: text, ownerObj }] });
    });
  },
  keybase: ({ path, query }, find) => {
    if (path === '/keybase/probe') return textReply('mounted');
    const asked = query.get('usernames')?.slice('person'.length);
    if (path.startsWith('/_/api/1.0/user/lookup.json') && asked !== undefined) {
      const them = [
        { id: `0123456789abcdef0123456789abcd${two(Number(asked))}`, basics: { username: `person${asked}` } },
      ];
      return jsonReply({ status: { code: 0, name: 'OK' }, them });
    }
    const file = /^\/keybase\/person(\d+)\/(0x[0-9a-f]+)\.(\w+)$/.exec(path);
    if (!file) return null;
    const account = find(Number(file[1]));
    const isThere = account?.state !== 'there' || (account.avatar === file[2] && file[3] === 'txt');
    return isThere ? ofState(account, textReply('', 404), ({ text }) => textReply(text)) : textReply('', 404);
  },
  dotbit: ({ path, body }, find) => {
    if (path.endsWith('/server/info'))
      return jsonReply({ err_no: 0, err_msg: '', data: { is_latest_block_number: true } });
    if (!path.endsWith('/account/records')) return null;
    const { account: name } = JSON.parse(body) as { account: string };
    const records = (list: object[]) => jsonReply({ err_no: 0, err_msg: '', data: { account: name, records: list } });
    return ofState(find(Number(/\d+/.exec(name)?.[0])), records([]), ({ text }) =>
      records([{ key: 'profile.self', label: '', value: text, ttl: '300' }]),
    );
  },
  dns: ({ path, bytes }, find) => {
    if (path !== '/dns-query') return null;
    const query = dns.decode(bytes);
    const { name } = query.questions![0]!;
    const reply = (answers: dns.Answer[]): StandInReply => ({
      headers: { 'content-type': 'application/dns-message' },
      bytes: dns.encode({
        type: 'response',
        id: query.id!,
        flags: dns.RECURSION_DESIRED | dns.RECURSION_AVAILABLE,
        questions: query.questions!,
        answers,
      }),
    });
    return ofState(find(Number(/\d+/.exec(name)?.[0])), reply([]), ({ text }) =>
      reply([{ type: 'TXT', name, ttl: 300, data: [text] }]),
    );
  },
  activitypub: ({ path, query }, find) => {
    const home = `https://${FEDIVERSE}`;
    if (path === '/.well-known/webfinger') {
      const user = query.get('resource')!.replace(/^acct:|@.*$/g, '');
      const self = { rel: 'self', type: 'application/activity+json', href: `${home}/users/${user}` };
      return {
        json: { subject: `acct:${user}@${FEDIVERSE}`, links: [self] },
        headers: { 'content-type': 'application/jrd+json' },
      };
    }
    if (path === '/.well-known/nodeinfo')
      return jsonReply({
        links: [{ rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href: `${home}/nodeinfo/2.0` }],
      });
    if (path === '/nodeinfo/2.0')
      return jsonReply({
        version: '2.0',
        software: { name: 'mastodon', version: '4.5.1' },
        protocols: ['activitypub'],
      });
    const id = /^\/api\/v1\/statuses\/(\d+(\d\d))$/.exec(path);
    if (!id) return null;
    const missing = jsonReply({ error: 'Record not found' }, 404);
    return ofState(find(Number(id[2])), missing, ({ number, text }) => {
      const user = `person${number}`;
      return jsonReply({
        id: id[1],
        uri: `${home}/users/${user}/statuses/${id[1]}`,
        url: `${home}/@${user}/${id[1]}`,
        visibility: 'public',
        spoiler_text: '',
        reblog: null,
        content: `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '<br />')}</p>`,
        account: { id: String(number), username: user, acct: user, url: `${home}/@${user}` },
      });
    });
  },
};

const DOWN = textReply('out of order', 503);

function ofState(
  account: Account | undefined,
  gone: StandInReply,
  there: (account: Account) => StandInReply,
): StandInReply {
  if (account?.state === 'down') return DOWN;
  return account?.state === 'there' ? there(account) : gone;
}

/** What a receiver of webhooks got. */
export interface ReceivedWebhook {
  /** The path without its slash. */
  receiver: string;
  messageId: string;
  headers: Record<string, string>;
  body: string;
}

/** No queue waits for what a platform allows. */
export const UNLIMITED = [
  'activitypub',
  'discord',
  'dns',
  'dotbit',
  'ethereum',
  'github',
  'keybase',
  'minds',
  'twitter',
]
  .map((name) => `${name}=100000/1`)
  .join();

/** Accounts on all platforms and receivers of webhooks, on loopback. */
export class OutsideWorld {
  /** Oldest first. */
  readonly received: ReceivedWebhook[] = [];
  /** How a receiver answers, by its name; the others answer as `answerHooks` was told, at first 204. */
  readonly receivers = new Map<string, StandInReply>();
  private hooksReply: StandInReply | Promise<StandInReply> = { status: 204 };

  private constructor(
    private readonly accounts: Map<string, Account>,
    private readonly plain: StandIn,
    private readonly secure: StandIn,
  ) {}

  /** @param accounts what is published already */
  static async start(accounts: Account[] = []): Promise<OutsideWorld> {
    const [plain, secure] = [await startStandIn(() => 'cut'), await startStandIn(() => 'cut', { tls: true })];
    const known = new Map(accounts.map((account) => [keyOf(account.platform, account.number), account]));
    const world = new OutsideWorld(known, plain, secure);
    plain.handle((request) => world.answer(request));
    secure.handle((request) => world.answer(request));
    return world;
  }

  /** Settings of a server that asks these stand-ins. */
  get settings(): Record<string, string> {
    const base = this.plain.baseUrl;
    return {
      X_API_BASE: base,
      X_BEARER_TOKEN: 'token',
      GITHUB_API_BASE: base,
      DISCORD_API_BASE: base,
      DISCORD_BOT_TOKEN: 'token',
      MINDS_BASE_URL: base,
      KEYBASE_FILE_URL_TEMPLATE: `${base}/keybase/{username}/{pubkey}.{ext}`,
      KEYBASE_PROBE_URL: `${base}/keybase/probe`,
      KEYBASE_API_BASE: base,
      DOTBIT_INDEXER_URLS: base,
      DOTBIT_REGISTER_API_URL: base,
      DOH_URLS: `${base}/dns-query`,
    };
  }

  /** The ports of the names that users chose. */
  get hosts(): Record<string, number> {
    return { [FEDIVERSE]: this.secure.port, [HOOKS_HOST]: this.secure.port };
  }

  /** For a server of this process. */
  transport(): Promise<WebTransport> {
    return connectNames({ [FEDIVERSE]: this.secure, [HOOKS_HOST]: this.secure });
  }

  async certificateAuthority(): Promise<string> {
    return (await testAuthority()).root;
  }

  /** @param reply a promise makes receivers wait */
  answerHooks(reply: StandInReply | Promise<StandInReply>): void {
    this.hooksReply = reply;
  }

  publish(account: Account): void {
    this.accounts.set(keyOf(account.platform, account.number), account);
  }

  /** Changes the state of the accounts of one number, on all platforms. */
  set(number: number, state: Account['state']): void {
    for (const account of this.accounts.values()) if (account.number === number) account.state = state;
  }

  everything(): Account[] {
    return [...this.accounts.values()];
  }

  async close(): Promise<void> {
    await Promise.all([this.plain.close(), this.secure.close()]);
  }

  private answer(request: StandInRequest): StandInReply | Promise<StandInReply> {
    if (request.headers['host'] === HOOKS_HOST) return this.receive(request);
    for (const platform of PUBLISHING) {
      const answer = ANSWERS[platform](request, (number) => this.accounts.get(keyOf(platform, number)));
      if (answer) return answer;
    }
    return textReply('Not Found', 404);
  }

  private receive({ path, body, headers }: StandInRequest): StandInReply | Promise<StandInReply> {
    const receiver = path.slice(1);
    this.received.push({ receiver, messageId: headers['webhook-id']!, headers, body });
    return this.receivers.get(receiver) ?? this.hooksReply;
  }
}

function keyOf(platform: string, number: number): string {
  return `${platform} ${number}`;
}
