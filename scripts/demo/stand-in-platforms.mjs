/**
 * Platforms on loopback for `npm run demo -- --platform <name>`: posts are kept in memory and answered in the form of
 * the real platform, so that the whole flow can be tried without internet. No request leaves this machine.
 */
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import * as dns from 'dns-packet';
import { makeBlueskyAccount, RKEY } from './bluesky-account.mjs';
import { certificateFor } from './certificate.mjs';
import { PROFILE_HOSTS, PROFILE_PLATFORMS } from './profile-texts.mjs';
import { connectorTo } from '../../packages/look/test/support/led-connector.mjs';

/**
 * @import { IncomingMessage, Server, ServerResponse } from 'node:http'
 * @import { AddressInfo } from 'node:net'
 * @import { WebTransport } from '@signet/look/node'
 */

/** @param {unknown} body @param {number} [status] @param {string} [type] */
const json = (body, status = 200, type = 'application/json') => ({ status, type, body: JSON.stringify(body) });
/**
 * @typedef {{ status: number, type: string, body: string | Buffer }} Answer
 *
 * @typedef {Answer | false} Found
 *
 * @typedef {(path: string, text: string, avatar: string, body: Buffer) => Found | Promise<Found>} Answers
 *
 * @typedef {object} Platform
 * @property {string} identity whose account it is
 * @property {string} [location] where the post is; absent where a platform needs no location
 * @property {string} act what a person would do
 * @property {Answers} answers what it answers, where the text is published; false: nothing is there
 *
 * @typedef {object} StandInPlatforms
 * @property {string} baseUrl
 * @property {Record<string, string>} env settings of a server that asks them
 * @property {WebTransport} transport
 * @property {(platform: string) => Platform} describe
 * @property {(platform: string, text: string, avatar: string) => void} publish does the part of the person
 * @property {() => Promise<void>} close
 */

const nothing = json({ message: 'Not Found' }, 404);

const POST_ID = '1800000000000000001';
const GIST_ID = '0123456789abcdef0123456789abcdef';
const [GUILD, CHANNEL, MESSAGE] = ['1100000000000000001', '1100000000000000002', '1200000000000000003'];
const FEDIVERSE_HOST = 'social.demo-instance.org';
/** The server of the account on Bluesky, and its handle. */
const ACCOUNT_HOST = 'pds.demo-instance.org';
const HANDLE = 'alice.demo-instance.org';
const HOSTS = [FEDIVERSE_HOST, ACCOUNT_HOST, HANDLE, ...PROFILE_HOSTS];
const PUBLIC_ADDRESS = '93.184.215.14';

const bluesky = await makeBlueskyAccount(HANDLE, `https://${ACCOUNT_HOST}`);

/**
 * Each platform: the account that publishes, the place of the text, and the answers of the platform.
 * @type {Record<string, Platform>}
 */
const PLATFORMS = {
  twitter: {
    identity: 'alice_demo',
    location: `https://x.com/alice_demo/status/${POST_ID}`,
    act: 'post the text on X',
    answers: (path, text) =>
      path.startsWith(`/2/tweets/${POST_ID}`) &&
      json({
        data: { id: POST_ID, text, author_id: '990000000000000001', edit_history_tweet_ids: [POST_ID] },
        includes: { users: [{ id: '990000000000000001', username: 'Alice_Demo' }] },
      }),
  },
  github: {
    identity: 'alice-demo',
    location: `https://gist.github.com/alice-demo/${GIST_ID}`,
    act: 'save the text as a public gist, in a file named for the Avatar',
    answers: (path, content, avatar) =>
      path === `/gists/${GIST_ID}` &&
      json({
        id: GIST_ID,
        public: true,
        truncated: false,
        owner: { login: 'Alice-Demo', id: 9000001, type: 'User' },
        files: { [`${avatar}.json`]: { filename: `${avatar}.json`, size: content.length, truncated: false, content } },
      }),
  },
  discord: {
    identity: 'alice.demo',
    location: `https://discord.com/channels/${GUILD}/${CHANNEL}/${MESSAGE}`,
    act: 'send the text as a message',
    answers: (path, content) => {
      if (path === `/channels/${CHANNEL}`) return json({ id: CHANNEL, guild_id: GUILD });
      if (path !== `/channels/${CHANNEL}/messages/${MESSAGE}`) return false;
      const author = { id: '300000000000000001', username: 'alice.demo', discriminator: '0', bot: false };
      return json({ id: MESSAGE, channel_id: CHANNEL, type: 0, flags: 0, author, content });
    },
  },
  minds: {
    identity: 'alice',
    location: 'https://www.minds.com/newsfeed/1500000000000000001',
    act: 'publish the text as a post on Minds',
    answers: (path, message) =>
      path.startsWith('/api/v2/entities/') &&
      json({
        status: 'success',
        entities: [
          {
            guid: '1500000000000000001',
            type: 'activity',
            subtype: '',
            urn: 'urn:activity:1500000000000000001',
            access_id: '2',
            message,
            ownerObj: { guid: '1300000000000000001', username: 'alice' },
          },
        ],
      }),
  },
  keybase: {
    identity: 'alice',
    act: 'save the text in the public Keybase folder',
    answers: (path, text, avatar) => {
      if (path === `/keybase/alice/${avatar}.txt`) return { status: 200, type: 'text/plain', body: text };
      if (path.startsWith('/_/api/1.0/user/lookup.json')) {
        return json({
          status: { code: 0, name: 'OK' },
          them: [{ id: '0123456789abcdef0123456789abcd00', basics: { username: 'alice' } }],
        });
      }
      return path === '/keybase/probe' && { status: 200, type: 'text/plain', body: 'mounted' };
    },
  },
  dotbit: {
    identity: 'alice.bit',
    act: 'set the text as record profile.self of the name',
    answers: (path, value) => {
      if (path.endsWith('/server/info'))
        return json({ err_no: 0, err_msg: '', data: { is_latest_block_number: true } });
      const records = [{ key: 'profile.self', label: '', value, ttl: '300' }];
      return (
        path.endsWith('/account/records') && json({ err_no: 0, err_msg: '', data: { account: 'alice.bit', records } })
      );
    },
  },
  dns: {
    identity: 'demo-instance.org',
    act: 'add the text as a TXT record of the domain',
    answers: (path, text, _avatar, body) => {
      if (path !== '/dns-query') return false;
      const { id, questions = [] } = dns.decode(body);
      const answer = { type: /** @type {const} */ ('TXT'), name: questions[0].name, ttl: 300, data: [text] };
      const flags = dns.RECURSION_DESIRED | dns.RECURSION_AVAILABLE;
      return {
        status: 200,
        type: 'application/dns-message',
        body: dns.encode({ type: 'response', id, flags, questions, answers: [answer] }),
      };
    },
  },
  activitypub: {
    identity: `alice@${FEDIVERSE_HOST}`,
    location: `https://${FEDIVERSE_HOST}/@alice/110000000000000001`,
    act: 'publish the text as a public post',
    answers: (path, text) => {
      const home = `https://${FEDIVERSE_HOST}`;
      const page = { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: `${home}/@alice` };
      const self = { rel: 'self', type: 'application/activity+json', href: `${home}/users/alice` };
      if (path.startsWith('/.well-known/webfinger')) {
        return json({ subject: `acct:alice@${FEDIVERSE_HOST}`, links: [page, self] }, 200, 'application/jrd+json');
      }
      if (path === '/.well-known/nodeinfo') {
        return json({
          links: [{ rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href: `${home}/nodeinfo/2.0` }],
        });
      }
      if (path === '/nodeinfo/2.0')
        return json({ version: '2.0', software: { name: 'mastodon', version: '4.5.1' }, protocols: ['activitypub'] });
      const id = '110000000000000001';
      const account = { id: '1', username: 'alice', acct: 'alice', url: `${home}/@alice` };
      const content = `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '<br />')}</p>`;
      return (
        path === `/api/v1/statuses/${id}` &&
        json({
          id,
          uri: `${home}/users/alice/statuses/${id}`,
          url: `${home}/@alice/${id}`,
          visibility: 'public',
          spoiler_text: '',
          reblog: null,
          content,
          account,
        })
      );
    },
  },
  bluesky: {
    identity: bluesky.did,
    location: `https://bsky.app/profile/${bluesky.did}/post/${RKEY}`,
    act: 'publish the text as a post on Bluesky',
    answers: async (path, text) => {
      if (path.endsWith('/log/audit')) return json(bluesky.operations);
      if (path === '/.well-known/atproto-did') return { status: 200, type: 'text/plain', body: bluesky.did };
      if (!path.startsWith('/xrpc/com.atproto.sync.getRecord')) return false;
      return { status: 200, type: 'application/vnd.ipld.car', body: await bluesky.carOf(text) };
    },
  },
  ...PROFILE_PLATFORMS,
};

export const STAND_IN_PLATFORMS = Object.keys(PLATFORMS);

/**
 * Starts the platforms: `baseUrl`, `env` and `transport` point a server at them, `publish` does the part of the person.
 * With `answersPublish`, `POST /publish/<platform>?avatar=0x...` does the same over HTTP.
 * @param {{ port?: number, answersPublish?: boolean }} [options]
 * @returns {Promise<StandInPlatforms>}
 */
export async function startPlatforms({ port = 0, answersPublish = false } = {}) {
  /** @type {Map<string, { text: string, avatar: string }>} */
  const published = new Map();
  /** @param {IncomingMessage} request @param {ServerResponse} response */
  const answer = async (request, response) => {
    /** @type {Buffer[]} */
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://platforms');
    const named = /^\/publish\/(\w+)$/.exec(pathname)?.[1] ?? '';
    if (answersPublish && named in PLATFORMS) {
      published.set(named, { text: Buffer.concat(chunks).toString(), avatar: searchParams.get('avatar') ?? '' });
      response.writeHead(204).end();
      return;
    }
    const answers = [...published].map(([name, { text, avatar }]) =>
      PLATFORMS[name].answers(request.url ?? '', text, avatar, Buffer.concat(chunks)),
    );
    const found = (await Promise.all(answers)).find(Boolean);
    const { status, type, body } = found || nothing;
    response.writeHead(status, { 'Content-Type': type }).end(body);
  };
  const identityOfHost = await certificateFor(HOSTS);
  const plain = createServer(answer);
  const secure = createTlsServer({ key: identityOfHost.key, cert: identityOfHost.certificate }, answer);
  await listen(plain, port);
  await listen(secure, 0);
  const base = `http://127.0.0.1:${portOf(plain)}`;
  return {
    baseUrl: base,
    env: { X_BEARER_TOKEN: 'demo', DISCORD_BOT_TOKEN: 'demo' },
    // The guard still judges the address; only the last step of connecting leads to the stand-in.
    transport: {
      lookup: async (host) => (HOSTS.includes(host) ? [PUBLIC_ADDRESS] : ['127.0.0.1']),
      connector: connectorTo((address, port) =>
        address === PUBLIC_ADDRESS ? { host: '127.0.0.1', port: portOf(secure) } : { host: address, port },
      ),
      certificateAuthority: identityOfHost.certificate,
    },
    describe: (platform) => PLATFORMS[platform],
    publish: (platform, text, avatar) => published.set(platform, { text, avatar }),
    close: async () => {
      for (const server of [plain, secure]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

/**
 * @param {Server} server
 * @param {number} port
 * @throws Error if the port is taken.
 */
const listen = (server, port) =>
  new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', () => resolve(undefined)));

/** @param {Server} server */
const portOf = (server) => /** @type {AddressInfo} */ (server.address()).port;
