import { PlatformMisconfiguredError, PlatformUnavailableError } from '@signet/look';
import { DiscordVerifier } from '../../src/verifiers/discord/discord.verifier.js';
import { aFetcher, VERSION } from '../support/fetcher.js';
import { jsonReply, type StandInHandler, type StandInReply } from '../support/stand-in-server.js';
import { describeIdentities, describeLocations } from './describe-forms.js';
import {
  aClaim,
  describePostVerifier,
  postOf,
  refusal,
  withVerifier,
  type VerifierUnderTest,
} from './describe-verifier.js';

const GUILD = '1100000000000000001';
const CHANNEL = '1100000000000000002';
const MESSAGE = '1100000000000000003';
const LINK = `https://discord.com/channels/${GUILD}/${CHANNEL}/${MESSAGE}`;
const TOKEN = 'a-bot-token';
/** Discord, "User Agent": `DiscordBot ($url, $versionNumber)`. */
const USER_AGENT = /^DiscordBot \(https?:\/\/(?!example\b|[^/]*\.invalid)[^\s(),]+, \d+\.\d+\.\d+\)$/;

const anAuthor = (username: string, changes: object = {}) => ({
  id: '300000000000000001',
  username,
  discriminator: '0',
  global_name: 'Alice',
  bot: false,
  ...changes,
});

function aMessage(author: object, content: string, changes: object = {}): object {
  return {
    id: MESSAGE,
    channel_id: CHANNEL,
    type: 0,
    flags: 0,
    author,
    content,
    embeds: [],
    attachments: [],
    components: [],
    timestamp: '2026-01-02T03:04:05.000000+00:00',
    edited_timestamp: null,
    ...changes,
  };
}

/** Answers like Discord: the message with its text to the bot, its channel, and codes of Discord's own for all else. */
function showing(message: object | null, guild = GUILD): StandInHandler {
  return ({ path, headers }) => {
    if (headers['authorization'] !== `Bot ${TOKEN}`) return jsonReply({ message: '401: Unauthorized', code: 0 }, 401);
    if (!USER_AGENT.test(headers['user-agent'] ?? '')) return { status: 403, text: 'blocked' };
    if (path === `/channels/${CHANNEL}`) return jsonReply({ id: CHANNEL, type: 0, guild_id: guild });
    if (path === `/channels/${CHANNEL}/messages/${MESSAGE}` && message) return jsonReply(message);
    return jsonReply({ message: 'Unknown Message', code: 10008 }, 404);
  };
}

const suite: VerifierUnderTest = {
  platform: 'discord',
  identity: 'alice.demo',
  otherIdentity: 'mallory',
  proofLocation: LINK,
  accountId: '300000000000000001',
  create: (web, options) => new DiscordVerifier(web, options),
  settings: (baseUrl) => ({ DISCORD_API_BASE: baseUrl, DISCORD_BOT_TOKEN: TOKEN }),
  published: ({ author, text }) => showing(aMessage(anAuthor(author), text)),
  otherForms: {
    'a reply with a text of its own': ({ author, text }) =>
      showing(aMessage(anAuthor(author), text, { type: 19, message_reference: { type: 0, message_id: '1' } })),
  },
  missing: {
    'an unknown message': showing(null),
    'an unknown channel': () => jsonReply({ message: 'Unknown Channel', code: 10003 }, 404),
  },
  foreign: {
    'a forward': ({ author, text }) =>
      showing(
        aMessage(anAuthor(author), '', {
          flags: 1 << 14,
          message_reference: { type: 1, message_id: '1', channel_id: '2' },
          message_snapshots: [{ message: { content: text } }],
        }),
      ),
    'a forward that pretends to have a text': ({ author, text }) =>
      showing(aMessage(anAuthor(author), text, { message_reference: { type: 1 } })),
    'a forward that shows by its flag alone': ({ author, text }) =>
      showing(aMessage(anAuthor(author), text, { flags: 1 << 14 })),
    'a forward that shows by its snapshots alone': ({ author, text }) =>
      showing(aMessage(anAuthor(author), text, { message_snapshots: [] })),
    'the copy of a message of another channel': ({ author, text }) =>
      showing(aMessage(anAuthor(author), text, { flags: 2 })),
    'the message that a reply answers': ({ author, text }) =>
      showing(
        aMessage(anAuthor(author), 'look', { type: 19, referenced_message: aMessage(anAuthor('mallory'), text) }),
      ),
    'an embed': ({ author, text }) => showing(aMessage(anAuthor(author), 'look', { embeds: [{ description: text }] })),
  },
};

describePostVerifier(suite);

const offline = new DiscordVerifier(aFetcher(), { token: TOKEN });

describe('discord: what is its own', () => {
  const claim = aClaim(suite);
  const text = postOf(offline, claim);
  const check = (handler: StandInHandler, variables = {}, asked = claim) =>
    withVerifier(suite, handler, ({ verifier }) => verifier.verify(asked), variables);

  /** The good message, and this for its channel. */
  function ofChannel(reply: StandInReply): StandInHandler {
    const message = showing(aMessage(anAuthor('alice.demo'), text));
    return (request) => (request.path === `/channels/${CHANNEL}` ? reply : message(request));
  }

  it.each([
    ['a reply with a text of its own', aMessage(anAuthor('alice.demo'), text, { type: 19 })],
    ['a message in a code block', aMessage(anAuthor('alice.demo'), `\`\`\`\n${text}\n\`\`\``)],
    ['a message in a spoiler', aMessage(anAuthor('alice.demo'), `||${text}||`)],
    ['an edited message', aMessage(anAuthor('alice.demo'), text, { edited_timestamp: '2026-01-02T03:04:06+00:00' })],
  ])('accepts %s', async (_what, message) => {
    expect(await check(showing(message))).toMatchObject({ valid: true, evidence: { url: LINK } });
  });

  it.each([
    ['a webhook that borrows the name', aMessage(anAuthor('alice.demo'), text, { webhook_id: '1' })],
    [
      'a webhook with its usual author',
      aMessage(anAuthor('alice.demo', { discriminator: '0000', bot: true }), text, { webhook_id: '1' }),
    ],
    ['a bot', aMessage(anAuthor('alice.demo', { bot: true }), text)],
    ['the system', aMessage(anAuthor('alice.demo', { system: true }), text)],
    ['an account with that display name', aMessage(anAuthor('mallory', { global_name: 'alice.demo' }), text)],
    ['an older account with that name', aMessage(anAuthor('alice.demo', { discriminator: '1234' }), text)],
    ['an account that was deleted', aMessage(anAuthor('deleted_user_1a2b3c'), text)],
    ['a notice that somebody joined', aMessage(anAuthor('alice.demo'), text, { type: 7 })],
    ['a message with a file alone', aMessage(anAuthor('alice.demo'), '', { attachments: [{ id: '1' }] })],
    ['a message with an embed alone', aMessage(anAuthor('alice.demo'), '', { embeds: [{}] })],
    ['a message with a button alone', aMessage(anAuthor('alice.demo'), '', { components: [{}] })],
    ['a message with a sticker alone', aMessage(anAuthor('alice.demo'), '', { sticker_items: [{ id: '1' }] })],
  ])('refuses a message of %s', async (_what, message) => {
    expect(await check(showing(message))).toEqual(refusal());
  });

  it.each([
    ['each line of which is quoted', text.replace(/^/gm, '> ')],
    ['whose signature alone is quoted', text.replace(/^(?=Sig|.*=$)/gm, '> ')],
    ['that is quoted to its end', `look\n>>> ${text}`],
    ['that is quoted behind blanks', text.replace(/^/gm, '  > ')],
    ['that is quoted, with a code block within the quotation', `> \`\`\`\n${text.replace(/^/gm, '> ')}\n> \`\`\``],
    ['that is quoted behind a code block that does not end', `\`\`\`\n${text.replace(/^/gm, '> ')}`],
  ])('refuses a message %s', async (_what, content) => {
    expect(await check(showing(aMessage(anAuthor('alice.demo'), content)))).toEqual(refusal());
  });

  it.each([
    ['a quotation before its own text', `> hello\n> there\n${text}`],
    ['a sign that begins no quotation', text.replace(/^/gm, '>')],
    ['what looks like quotations in a code block', `\`\`\`\n>>> sign(payload)\n${text}\n\`\`\`\n> hello`],
    // No rule of Discord says whose words these are, and any other wording could introduce them as well.
    ['words that a person may put before the text of another', `@mallory wrote: ${text}`],
  ])('accepts a message with %s', async (_what, content) => {
    expect(await check(showing(aMessage(anAuthor('alice.demo'), content)))).toMatchObject({ valid: true });
  });

  it('tells an older account by its four digits', async () => {
    const asked = { ...claim, identity: 'Älice#1234' };
    const of = (discriminator: string) => showing(aMessage(anAuthor('A\u0308lice', { discriminator }), text));

    expect(await check(of('1234'), {}, asked)).toMatchObject({ valid: true });
    expect(await check(of('4321'), {}, asked)).toEqual(refusal());
  });

  it('takes no older name for another that only looks like it', async () => {
    const message = aMessage(anAuthor('Ali\u212ae', { discriminator: '1234' }), text);

    expect(await check(showing(message), {}, { ...claim, identity: 'AliKe#1234' })).toEqual(refusal());
  });

  it('says that the text of messages is hidden from the bot, and does not call the proof gone', async () => {
    const unreadable = showing(aMessage(anAuthor('alice.demo'), ''));

    await expect(check(unreadable)).rejects.toThrow(PlatformMisconfiguredError);
    await expect(check(unreadable)).rejects.toThrow(/message content intent/);
  });

  it('refuses a link that names a server in which the channel is not', async () => {
    expect(await check(showing(aMessage(anAuthor('alice.demo'), text), '1100000000000000009'))).toEqual(refusal());
  });

  it('refuses a link that names another server also where proof channels are set', async () => {
    const handler = showing(aMessage(anAuthor('alice.demo'), text), '1100000000000000009');

    expect(await check(handler, { DISCORD_PROOF_CHANNELS: CHANNEL })).toEqual(refusal());
  });

  it('asks only once in which server a channel is', async () => {
    const handler = showing(aMessage(anAuthor('alice.demo'), text));

    const paths = await withVerifier(suite, handler, async ({ verifier, standIn }) => {
      await verifier.verify(claim);
      await verifier.verify(claim);
      return standIn.requests.map(({ path }) => path);
    });

    expect(paths).toEqual([
      `/channels/${CHANNEL}/messages/${MESSAGE}`,
      `/channels/${CHANNEL}`,
      `/channels/${CHANNEL}/messages/${MESSAGE}`,
    ]);
  });

  it.each([
    [
      'the address of the operator',
      { OUTBOUND_CONTACT: 'https://proofs.example.org/about' },
      'https://proofs.example.org/about',
    ],
    ['a page of Discord for want of an address', {}, 'https://discord.com/developers/applications'],
    [
      'the same where the contact is an e-mail address',
      { OUTBOUND_CONTACT: 'ops@example.org' },
      'https://discord.com/developers/applications',
    ],
    [
      'the same where the address would end the comment',
      { OUTBOUND_CONTACT: 'https://a.example/(b),c' },
      'https://discord.com/developers/applications',
    ],
  ])('introduces itself with %s', async (_what, variables, url) => {
    const names = await withVerifier(
      suite,
      showing(aMessage(anAuthor('alice.demo'), text)),
      async ({ verifier, standIn }) => {
        await verifier.verify(claim);
        return standIn.requests.map(({ headers }) => headers['user-agent']);
      },
      variables,
    );

    expect(new Set(names)).toEqual(new Set([`DiscordBot (${url}, ${VERSION})`]));
  });

  it('counts messages of the proof channels alone, where they are set, and asks for no others', async () => {
    const handler = showing(aMessage(anAuthor('alice.demo'), text));

    const asked = await withVerifier(
      suite,
      handler,
      async ({ verifier, standIn }) => [await verifier.verify(claim), standIn.requests.length],
      { DISCORD_PROOF_CHANNELS: '1100000000000000009' },
    );

    expect(asked).toEqual([refusal(), 0]);
    expect(await check(handler, { DISCORD_PROOF_CHANNELS: `1,${CHANNEL}` })).toMatchObject({ valid: true });
  });

  it.each([
    [403, 50001, /may not read that channel/],
    [403, 50013, /may not read that channel/],
    [404, 0, /no usable answer/],
    [400, 50035, /no usable answer/],
    [400, 10003, /no usable answer/],
  ])('keeps a proof as it is on status %i with code %i', async (status, code, words) => {
    const asked = check(() => jsonReply({ message: 'no', code }, status));

    await expect(asked).rejects.toThrow(PlatformUnavailableError);
    await expect(asked).rejects.toThrow(words);
  });

  it('does not take the 403 of something in front of Discord for that of the channel', async () => {
    await expect(check(() => ({ status: 403, text: 'no' }))).rejects.toThrow(/no usable answer/);
  });

  it('tells why a direct message cannot be read', () => {
    const link = `https://discord.com/channels/@me/${CHANNEL}/${MESSAGE}`;

    expect(() => offline.canonicalLocation(link)).toThrow(/direct message/);
    expect(() => offline.canonicalLocation(`https://discord.com/channels/${CHANNEL}/${MESSAGE}`)).toThrow(/its link/);
  });

  it.each<[string, StandInHandler]>([
    ['a message with another number', showing(aMessage(anAuthor('alice.demo'), text, { id: '1100000000000000009' }))],
    ['a message of another channel', showing(aMessage(anAuthor('alice.demo'), text, { channel_id: GUILD }))],
    ['a message without a text', showing(aMessage(anAuthor('alice.demo'), text, { content: undefined }))],
    ['an author without a name', showing(aMessage(anAuthor('alice.demo', { username: 7 }), text))],
    ['an author whose id is a word', showing(aMessage(anAuthor('alice.demo', { id: 'me' }), text))],
    ['an author whose id is a number', showing(aMessage(anAuthor('alice.demo', { id: 300000 }), text))],
    ['nothing', () => jsonReply(null)],
    ['a 404 with the code of a message in another status', () => jsonReply({ code: 10008 }, 400)],
    ['the channel of another one', ofChannel(jsonReply({ id: GUILD, guild_id: GUILD }))],
    ['no channel', ofChannel(jsonReply(null))],
    ['a page in place of the channel', ofChannel({ status: 404, text: 'no' })],
  ])('keeps a proof as it is when Discord shows %s', async (_what, handler) => {
    await expect(check(handler)).rejects.toThrow(PlatformUnavailableError);
  });

  it.each<[string, StandInReply]>([
    ['is gone', jsonReply({ message: 'Unknown Channel', code: 10003 }, 404)],
    ['is a direct message', jsonReply({ id: CHANNEL, type: 1 })],
  ])('refuses a message whose channel %s', async (_what, channel) => {
    expect(await check(ofChannel(channel))).toEqual(refusal());
  });

  it('asks again after a 401 that is not of Discord', async () => {
    const requests = await withVerifier(
      suite,
      () => ({ status: 401, text: 'proxy' }),
      async ({ verifier, standIn }) => {
        await expect(verifier.verify(claim)).rejects.toThrow(PlatformUnavailableError);
        await expect(verifier.verify(claim)).rejects.toThrow(PlatformUnavailableError);
        return standIn.requests.length;
      },
    );

    expect(requests).toBe(2);
  });

  it('leaves Discord alone once it has refused the token', async () => {
    const refusing: StandInHandler = () => jsonReply({ message: '401: Unauthorized', code: 0 }, 401);

    const requests = await withVerifier(suite, refusing, async ({ verifier, standIn }) => {
      await expect(verifier.verify(claim)).rejects.toThrow(PlatformMisconfiguredError);
      await expect(verifier.verify(claim)).rejects.toThrow(PlatformMisconfiguredError);
      return standIn.requests.length;
    });

    expect(requests).toBe(1);
  });

  it('asks for its setting, and for nothing else, while it has none', async () => {
    const verifier = new DiscordVerifier(aFetcher());

    expect(offline.missingSetting()).toBeNull();
    expect(verifier.missingSetting()).toContain('DISCORD_BOT_TOKEN');
    await expect(verifier.verify(claim)).rejects.toThrow(PlatformMisconfiguredError);
  });
});

describeIdentities(offline, {
  accepted: [
    ['alice.demo', 'alice.demo'],
    [' @Alice.Demo ', 'alice.demo'],
    ['\uff20alice_demo', 'alice_demo'],
    ['alice#0', 'alice'],
    ['Alice#1234', 'Alice#1234'],
    ['A\u0308lice#0001', 'Älice#0001'],
    ['two words#1234', 'two words#1234'],
  ],
  refused: [
    '',
    'a',
    'a..b',
    'a'.repeat(33),
    'alice#12',
    'alice#12345',
    'alice#0000',
    'al:ice#1234',
    'a@b#1234',
    'älice',
    'two words',
    'a\nb#1234',
    'ali\u212ae',
    'ali\u212ae#1234',
    '\uff41lice',
    'al\u0131ce',
  ],
});

describeLocations(offline, {
  identity: suite.identity,
  accepted: [
    [LINK, LINK],
    [`https://ptb.discord.com/channels/${GUILD}/${CHANNEL}/${MESSAGE}`, LINK],
    [`https://canary.discord.com/channels/${GUILD}/${CHANNEL}/${MESSAGE}/`, LINK],
    [`http://www.discordapp.com/channels/${GUILD}/${CHANNEL}/${MESSAGE}?x=1#y`, LINK],
    [`discord.com/channels/${GUILD}/${CHANNEL}/${MESSAGE}`, LINK],
    [`discord://-/channels/${GUILD}/${CHANNEL}/${MESSAGE}`, LINK],
    [`discord:///channels/${GUILD}/${CHANNEL}/${MESSAGE}`, LINK],
    [`discord://channels/${GUILD}/${CHANNEL}/${MESSAGE}`, LINK],
    [`/channels/${GUILD}/${CHANNEL}/${MESSAGE}`, LINK],
    [` channels/${GUILD}/${CHANNEL}/${MESSAGE} `, LINK],
  ],
  refused: [
    '',
    MESSAGE,
    'https://discord.com/channels/@me/1/2',
    `https://discord.com/channels/@me/${CHANNEL}/${MESSAGE}`,
    `https://discord.com/channels/${CHANNEL}/${MESSAGE}`,
    `https://discord.com/users/${GUILD}/${CHANNEL}/${MESSAGE}`,
    `https://discord.com/channels/${GUILD}/${CHANNEL}/${MESSAGE}/${MESSAGE}`,
    `https://discord.com/channels/${GUILD}/${CHANNEL}/x`,
    `https://discord.com/channels/${GUILD}/${CHANNEL}/..%2f..%2fusers`,
    `https://discord.com/channels/${GUILD}/${CHANNEL}/99999999999999999999`,
    `https://discord.com.evil.example/channels/${GUILD}/${CHANNEL}/${MESSAGE}`,
    `https://evil.example/channels/${GUILD}/${CHANNEL}/${MESSAGE}`,
    `https://discord.com@evil.example/channels/${GUILD}/${CHANNEL}/${MESSAGE}`,
    'https://discord.gg/abc',
  ],
});

describe('discord: the text to post', () => {
  it('holds the placeholder once, whatever the name', () => {
    const draft = { ...aClaim(suite), identity: '%SIG_BASE64%#1234' };

    for (const text of Object.values(offline.postContent(draft))) expect(text.split('%SIG_BASE64%')).toHaveLength(2);
  });
});

it('costs less than 50 requests a second, and is asked where its settings say', () => {
  expect(offline.costs).toEqual({ rates: { plain: { requests: 45, seconds: 1 } } });
  expect(offline.addresses).toEqual({ apiBase: '' });
});
