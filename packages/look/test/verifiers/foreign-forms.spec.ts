import { createVerifiers, type Fetcher, lookAt, type WebRequest } from '@signet/look';
import { linkPayload } from '@signet/verify';
import { anAvatar } from '../support/avatar.js';

const mallory = anAvatar('mallory');
const avatar = mallory.key.compressed;
const UUID = '6f1c0000-0000-4000-8000-000000000000';

/** Notes what it is asked, and answers nothing. */
function recorder(): Fetcher & { asked: string[] } {
  const asked: string[] = [];
  const note = (what: string): never => {
    asked.push(what);
    throw new Error(`was asked: ${what}`);
  };
  const send = async ({ url }: Pick<WebRequest, 'url'>) => note(url);
  return {
    ...{ asked, version: '0', send, sendJson: send, sendFollowing: send, sendJsonFollowing: send },
    systemDns: {
      resolveTxt: async (name) => note(name),
      exchange: async () => note('a server of the DNS'),
      areAddresses: () => true,
    },
  };
}

/** A look at a link that names these, as a hostile server gives it, by readers that have every token. */
async function lookFor(platform: string, identity: string, proofLocation: string) {
  const web = recorder();
  const token = 'token';
  const verifier = createVerifiers(web, {
    ...{ twitter: { token }, discord: { token }, github: { token }, dns: { mode: 'system' } },
    keybase: { fileUrl: 'https://gateway.example/public/{username}/{pubkey}.{ext}' },
  }).find((one) => one.platform === platform)!;
  const createdAt = '1763700000';
  const fields = { action: 'create', avatar, created_at: createdAt, identity, platform, prev: null, uuid: UUID };
  const payload = linkPayload(fields as never);
  const link = {
    ...{ action: 'create', platform, identity, proof_location: proofLocation, created_at: createdAt, uuid: UUID },
    ...{ signature_payload: payload, signature: mallory.sign(payload), extra: {} },
  };
  // Where the recorder was asked, its error may pass.
  const look = await lookAt(verifier, { avatar, link: link as never, accountId: '' }).catch(() => null);
  return { look, asked: web.asked };
}

describe('a look at a link whose names were chosen by a hostile server', () => {
  it.each([
    ['twitter', 'alice', '../usage/tweets?days=90#'],
    ['twitter', 'alice', '../../users/me'],
    ['twitter', 'alice', '1,2'],
    ['twitter', 'Alice', '1'],
    ['discord', 'alice', 'https://discord.com/channels/../guilds/1'],
    ['discord', 'alice', 'https://discord.com/channels/1100000000000000001/%2e%2e/1'],
    ['discord', 'alice', '../../users/@me'],
    ['github', 'alice', '..'],
    ['github', 'alice', ''],
    ['github', 'alice/../bob', '1'.repeat(32)],
    ['keybase', '../../private', ''],
    ['keybase', 'Alice', ''],
    ['minds', 'alice', '1?x=1'],
    ['minds', 'alice', '../1'],
    ['activitypub', 'alice@h.example.org#@mastodon.social', '1'],
    ['activitypub', 'alice@h.example.org/@mastodon.social', '1'],
    ['activitypub', 'alice@h.example.org?@mastodon.social', '1'],
    ['activitypub', 'alice@127.0.0.1', '1'],
    ['activitypub', 'alice@social.example.com', '../../instance'],
    ['dns', 'localhost', ''],
    ['dns', 'printer.local', ''],
    ['dns', '127.0.0.1', ''],
    ['dotbit', 'alice.bit/../x', ''],
    ['dotbit', 'alice.eth', ''],
  ])('asks nobody for %s %j at %j', async (platform, identity, location) => {
    const { look, asked } = await lookFor(platform, identity, location);

    expect(asked).toEqual([]);
    expect(look).toMatchObject({ state: 'could_not_look', problem: 'unusable' });
    expect(look!.reason).toContain(`is not written as ${platform} writes it`);
  });

  it.each([
    ['twitter', 'alice', '1800000000000000001'],
    ['github', 'alice', '1'.repeat(32)],
    ['discord', 'alice', 'https://discord.com/channels/1100000000000000001/1100000000000000002/1100000000000000003'],
    ['keybase', 'alice', ''],
    ['minds', 'alice', '1500000000000000001'],
    ['activitypub', 'alice@social.example.com', '110000000000000001'],
    ['dns', 'alice.example.org', ''],
    ['dotbit', 'alice.bit', ''],
  ])('asks for %s %j at %j, which the platform could have', async (platform, identity, location) => {
    const { asked } = await lookFor(platform, identity, location);

    expect(asked).not.toEqual([]);
  });
});
