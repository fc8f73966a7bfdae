import { createVerify } from 'node:crypto';
import { anAvatar } from '../support/avatar.js';
import { type RunningApp, startApp } from '../support/app.js';
import {
  connectTo,
  jsonReply,
  type StandIn,
  type StandInHandler,
  startStandIn,
} from '../../packages/look/test/support/stand-in-server.js';

const HOST = 'social.example.com';
const OWN = 'https://signet.example.org';
const ID = '01J0000000000000000000000';
const alice = anAvatar('alice');
const names = { platform: 'activitypub', identity: `alice@${HOST}`, public_key: alice.key.compressed };

let standIn: StandIn;
let app: RunningApp;
let text = '';
const seen: string[] = [];

/**
 * A server of GoToSocial. Its check of signatures, written from internal/federation/authenticate.go and
 * internal/middleware/signaturecheck.go: the key is fetched from where `keyId` says, and `Signature` is verified over
 * the headers that it names, by RSA with SHA-256; a request without one gets 401.
 */
const goToSocial: StandInHandler = async ({ path, headers }) => {
  if (path === '/.well-known/webfinger') {
    const self = { rel: 'self', type: 'application/activity+json', href: `https://${HOST}/users/alice` };
    return jsonReply({ subject: `acct:alice@${HOST}`, links: [self] });
  }
  if (path === '/.well-known/nodeinfo') {
    const rel = 'http://nodeinfo.diaspora.software/ns/schema/2.0';
    return jsonReply({ links: [{ rel, href: `https://${HOST}/nodeinfo/2.0` }] });
  }
  if (path === '/nodeinfo/2.0')
    return jsonReply({ version: '2.0', software: { name: 'gotosocial', version: '0.20.1' } });
  if (!(await isSigned(path, headers))) return jsonReply({ error: "Unauthorized: http request wasn't signed" }, 401);
  if (path !== `/users/alice/statuses/${ID}` || text === '') return jsonReply({ error: 'Not Found' }, 404);
  return {
    json: {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: `https://${HOST}/users/alice/statuses/${ID}`,
      type: 'Note',
      attributedTo: `https://${HOST}/users/alice`,
      to: 'https://www.w3.org/ns/activitystreams#Public',
      cc: `https://${HOST}/users/alice/followers`,
      content: `<p>${text.replaceAll('\n', '<br>')}</p>`,
    },
    headers: { 'content-type': 'application/activity+json' },
  };
};

async function isSigned(path: string, headers: Record<string, string>): Promise<boolean> {
  const parts = Object.fromEntries(
    [...(headers['signature'] ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!]),
  );
  if (!parts['keyId']?.startsWith(OWN)) return false;
  seen.push(parts['keyId']);
  // The key is fetched from the server that signed, as any other visitor would.
  const actor = (await (await fetch(`${app.baseUrl}/actor`)).json()) as Actor;
  if (actor.publicKey.id !== parts['keyId']) return false;
  const line = (name: string) =>
    name === '(request-target)' ? `${name}: get ${path}` : `${name}: ${headers[name] ?? ''}`;
  const signed = parts['headers']!.split(' ').map(line).join('\n');
  return createVerify('sha256').update(signed).verify(actor.publicKey.publicKeyPem, parts['signature']!, 'base64');
}

interface Actor {
  id: string;
  type: string;
  inbox: string;
  preferredUsername: string;
  publicKey: { id: string; owner: string; publicKeyPem: string };
}

async function start(env: Record<string, string>): Promise<void> {
  app = await startApp({
    transport: await connectTo(standIn, [HOST]),
    env: { REVALIDATION: 'off', LOG: 'off', ...env },
  });
}

async function submit(): Promise<{ status: number; body: { message: string; code: string } }> {
  const { body } = await app.post('/v1/proof/payload', { action: 'create', ...names });
  text = body.post_content.default.replace('%SIG_BASE64%', alice.sign(body.sign_payload));
  const proof_location = `https://${HOST}/@alice/statuses/${ID}`;
  const { uuid, created_at } = body;
  return app.post('/v1/proof', { action: 'create', ...names, uuid, created_at, proof_location });
}

beforeEach(async () => {
  standIn = await startStandIn(goToSocial, { tls: true });
  text = '';
  seen.length = 0;
});
afterEach(async () => {
  await app.close();
  await standIn.close();
});

describe('a server of the Fediverse that answers only those who sign', () => {
  it('is asked by the actor of this server', async () => {
    await start({ PUBLIC_URL: OWN });

    expect(await submit()).toMatchObject({ status: 201 });
    expect(seen).toEqual([`${OWN}/actor#main-key`]);
  });

  it.each([{}, { PUBLIC_URL: 'http://signet.example.org' }])(
    'cannot be asked with %j, and the person hears why',
    async (env) => {
      await start(env);

      const { status, body } = await submit();
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'platform_unavailable' });
      expect(body.message).toContain('PUBLIC_URL');
      expect((await app.get('/actor')).status).toBe(404);
    },
  );
});

describe('the actor of a server', () => {
  it('is found by webfinger, which names the actor with its key', async () => {
    await start({ PUBLIC_URL: OWN });

    const found = await app.get('/.well-known/webfinger?resource=acct:self@signet.example.org');
    expect(found).toMatchObject({ status: 200, body: { subject: 'acct:self@signet.example.org' } });
    expect(found.headers.get('content-type')).toContain('application/jrd+json');
    const actor = await app.get('/actor');
    expect(actor.headers.get('content-type')).toContain('application/activity+json');
    expect(actor.body).toMatchObject({
      ...{ id: `${OWN}/actor`, type: 'Application', preferredUsername: 'self' },
      publicKey: { id: `${OWN}/actor#main-key`, owner: `${OWN}/actor` },
    });
    expect(JSON.stringify(actor.body)).not.toContain('PRIVATE');
  });

  it.each([
    '',
    '?resource=',
    '?resource=acct:other@signet.example.org',
    '?resource=acct:self@other.example.org',
    '?resource=a&resource=b',
  ])('is not found by webfinger%s', async (query) => {
    await start({ PUBLIC_URL: OWN });

    expect(await app.get(`/.well-known/webfinger${query}`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('is refused to a host that asks for it in a loop', async () => {
    await start({ PUBLIC_URL: OWN, RATE_LIMIT: 'on', RATE_LIMIT_DOCUMENTS: '20' });

    const statuses = [];
    for (let count = 0; count < 25; count += 1) statuses.push((await app.get('/actor')).status);
    expect(statuses.slice(0, 20).every((status) => status === 200)).toBe(true);
    expect(statuses.slice(20).every((status) => status === 429)).toBe(true);
  });
});
