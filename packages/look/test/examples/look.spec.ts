import { generateKeyPairSync } from 'node:crypto';
import {
  createVerifiers,
  InvalidRequestError,
  InvalidSignatureError,
  lookAt,
  optionsFromSettings,
  PLATFORM_DEFAULTS,
  PlatformMisconfiguredError,
  PlatformUnavailableError,
  RequestBudget,
  SIGNATURE_PLACEHOLDER,
  WebFailure,
} from '@signet/look';
import { BrowserFetcher, createLooker as createBrowserLooker, whomToAsk } from '../../src/browser.js';
import { createLooker, createRequestSigner, GuardedFetcher } from '../../src/node.js';
import { ActivitypubVerifier } from '../../src/verifiers/activitypub/activitypub.verifier.js';
import { BlueskyVerifier } from '../../src/verifiers/bluesky/bluesky.verifier.js';
import { DiscordVerifier } from '../../src/verifiers/discord/discord.verifier.js';
import { DnsVerifier } from '../../src/verifiers/dns/dns.verifier.js';
import { DotbitVerifier } from '../../src/verifiers/dotbit/dotbit.verifier.js';
import { EthereumVerifier } from '../../src/verifiers/ethereum/ethereum.verifier.js';
import { GithubVerifier } from '../../src/verifiers/github.verifier.js';
import { KeybaseVerifier } from '../../src/verifiers/keybase.verifier.js';
import { MindsVerifier } from '../../src/verifiers/minds.verifier.js';
import { NostrVerifier } from '../../src/verifiers/nostr/nostr.verifier.js';
import { SolanaVerifier } from '../../src/verifiers/solana/solana.verifier.js';
import { TwitterVerifier } from '../../src/verifiers/twitter/twitter.verifier.js';
import { DiscourseVerifier } from '../../src/verifiers/described/discourse.js';
import { ForgejoVerifier } from '../../src/verifiers/described/forgejo.js';
import { GitlabVerifier } from '../../src/verifiers/described/gitlab.js';
import { HackernewsVerifier } from '../../src/verifiers/described/hackernews.js';
import { LobstersVerifier } from '../../src/verifiers/described/lobsters.js';
import { OrcidVerifier } from '../../src/verifiers/described/orcid.js';
import { SteamVerifier } from '../../src/verifiers/steam.verifier.js';
import { WebsiteVerifier } from '../../src/verifiers/website.verifier.js';
import { gistOf, signedPost } from '../looker/signed-posts.js';
import { jsonReply, type StandIn, startStandIn } from '../support/stand-in-server.js';

const post = signedPost({ platform: 'github', identity: 'alice', location: '0123456789abcdef0123456789abcdef' });
/** A link whose signatures were checked, with the key that signed it: what `GET /v1/proofchain` answers. */
const { bound } = post;
const limits = { version: '1.0.0', maxBytes: 2 ** 20, timeoutMs: 10_000, connections: { user: 2, operator: 6 } };

let github: StandIn;
let apiBase: string;
beforeAll(async () => {
  github = await startStandIn(() => jsonReply(gistOf(post)));
  apiBase = github.baseUrl;
});
afterAll(() => github.close());

describe('@signet/look', () => {
  it('createVerifiers', () => {
    const verifiers = createVerifiers(new GuardedFetcher(limits), { github: { token: 'a token' } });
    expect(verifiers.map(({ platform }) => platform)).toContain('github');
  });

  it('lookAt', async () => {
    const web = new GuardedFetcher(limits);
    const { state, reason } = await lookAt(new GithubVerifier(web, { apiBase }), bound);
    expect([state, reason]).toEqual(['seen', '']);
    await web.stop();
  });

  it('optionsFromSettings', () => {
    expect(optionsFromSettings({ GITHUB_TOKEN: 'a token' }).github?.token).toBe('a token');
  });

  it('PLATFORM_DEFAULTS', () => {
    expect(PLATFORM_DEFAULTS.github.apiBase).toBe('https://api.github.com');
  });

  it('SIGNATURE_PLACEHOLDER', () => {
    expect(`Signed: ${SIGNATURE_PLACEHOLDER}`.replace(SIGNATURE_PLACEHOLDER, 'MEUC')).toBe('Signed: MEUC');
  });

  it('RequestBudget', () => {
    const budget = new RequestBudget(1, 10_000);
    expect(budget.consume() > 0).toBe(true);
    expect(() => budget.consume()).toThrow(WebFailure);
  });

  it('WebFailure', () => {
    expect(new WebFailure('slow', 'no answer in 10 s').kind).toBe('slow');
  });

  it('InvalidRequestError', () => {
    const verifier = new GithubVerifier(new BrowserFetcher());
    expect(() => verifier.canonicalIdentity('-alice')).toThrow(InvalidRequestError);
  });

  it('InvalidSignatureError', () => {
    expect(new InvalidSignatureError('The post holds another signature.').code).toBe('invalid_signature');
  });

  it('PlatformMisconfiguredError', () => {
    expect(new PlatformMisconfiguredError('DISCORD_BOT_TOKEN is missing.').code).toBe('platform_not_configured');
  });

  it('PlatformUnavailableError', () => {
    const { retryable } = new PlatformUnavailableError('github.com does not answer.');
    expect(retryable).toBe(true);
  });
});

describe('@signet/look/node', () => {
  it('createLooker', async () => {
    const looker = createLooker({ github: { apiBase } });
    const { state, accountId } = await looker.look(bound);
    expect([state, accountId]).toEqual(['seen', '9000001']);
    await looker.close();
  });

  it('createRequestSigner', () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const signer = createRequestSigner({ keyId: 'https://app.example/actor#main-key', privateKey });
    const headers = signer.sign('https://social.example/users/alice', 'rfc9421', new Date());
    expect(Object.keys(headers)).toContain('signature-input');
  });

  it('GuardedFetcher', async () => {
    const web = new GuardedFetcher(limits);
    const hidden = { platform: 'dns', url: 'https://127.0.0.1/', trust: 'user' } as const;
    await expect(web.send(hidden as never)).rejects.toThrow(PlatformUnavailableError);
    await web.stop();
  });
});

describe('@signet/look/browser', () => {
  it('createLooker', async () => {
    const looker = createBrowserLooker({ github: { apiBase } });
    const { state } = await looker.look(bound);
    expect(state).toBe('seen');
    await looker.close();
  });

  it('BrowserFetcher', () => {
    const web = new BrowserFetcher({ version: '1.0.0', timeoutMs: 5_000 });
    expect(web.isCrossOrigin).toBe(true);
  });

  it('whomToAsk', () => {
    expect(whomToAsk('github', 'alice')).toMatchObject({ hosts: ['api.github.com'], reveals: 'platform' });
    expect(whomToAsk('twitter', 'alice')).toBe(null);
  });
});

const web = new BrowserFetcher();

describe('@signet/look/activitypub', () => {
  it('ActivitypubVerifier', () => {
    expect(new ActivitypubVerifier(web).canonicalIdentity('@Alice@social.example.com')).toBe(
      'alice@social.example.com',
    );
  });
});

describe('@signet/look/bluesky', () => {
  it('BlueskyVerifier', () => {
    const did = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz';
    expect(new BlueskyVerifier(web).canonicalIdentity(did)).toBe(did);
  });
});

describe('@signet/look/discord', () => {
  it('DiscordVerifier', () => {
    expect(new DiscordVerifier(web, { token: 'of a bot' }).canonicalIdentity('Alice')).toBe('alice');
  });
});

describe('@signet/look/dns', () => {
  it('DnsVerifier', () => {
    const verifier = new DnsVerifier(web, { mode: 'doh', dohUrls: ['https://dns.google/dns-query'] });
    expect(verifier.canonicalIdentity('Example.ORG')).toBe('example.org');
  });
});

describe('@signet/look/dotbit', () => {
  it('DotbitVerifier', () => {
    expect(new DotbitVerifier(web).canonicalIdentity('Alice.bit')).toBe('alice.bit');
  });
});

describe('@signet/look/ethereum', () => {
  it('EthereumVerifier', () => {
    const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    expect(new EthereumVerifier(web).canonicalIdentity(address)).toBe(address.toLowerCase());
  });
});

describe('@signet/look/github', () => {
  it('GithubVerifier', () => {
    const verifier = new GithubVerifier(web, { token: 'a token' });
    expect(verifier.canonicalIdentity('@Alice')).toBe('alice');
  });
});

describe('@signet/look/keybase', () => {
  it('KeybaseVerifier', () => {
    expect(new KeybaseVerifier(web).canonicalIdentity('Alice')).toBe('alice');
  });
});

describe('@signet/look/minds', () => {
  it('MindsVerifier', () => {
    expect(new MindsVerifier(web).canonicalIdentity('@Alice')).toBe('alice');
  });
});

describe('@signet/look/nostr', () => {
  it('NostrVerifier', () => {
    const npub = 'npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg';
    expect(new NostrVerifier(web).canonicalIdentity(`nostr:${npub}`)).toBe(npub);
  });
});

describe('@signet/look/solana', () => {
  it('SolanaVerifier', () => {
    const key = 'HXqxDbshu9KGXE3WCX48RwPN53haboNyJQHqx5pXBsNX';
    expect(new SolanaVerifier().canonicalIdentity(key)).toBe(key);
  });
});

describe('@signet/look/twitter', () => {
  it('TwitterVerifier', () => {
    expect(new TwitterVerifier(web, { token: 'a token' }).canonicalIdentity('@Alice')).toBe('alice');
  });
});

describe('@signet/look/discourse', () => {
  it('DiscourseVerifier', () => {
    expect(new DiscourseVerifier(web).canonicalIdentity('Alice@forum.example.com')).toBe('alice@forum.example.com');
  });
});

describe('@signet/look/forgejo', () => {
  it('ForgejoVerifier', () => {
    expect(new ForgejoVerifier(web).canonicalIdentity('Alice@git.example.com')).toBe('alice@git.example.com');
  });
});

describe('@signet/look/gitlab', () => {
  it('GitlabVerifier', () => {
    expect(new GitlabVerifier(web).canonicalIdentity('Alice@gitlab.example.com')).toBe('alice@gitlab.example.com');
  });
});

describe('@signet/look/hackernews', () => {
  it('HackernewsVerifier', () => {
    expect(new HackernewsVerifier(web).canonicalIdentity('Alice')).toBe('Alice');
  });
});

describe('@signet/look/lobsters', () => {
  it('LobstersVerifier', () => {
    expect(new LobstersVerifier(web).canonicalIdentity('alice')).toBe('alice');
  });
});

describe('@signet/look/orcid', () => {
  it('OrcidVerifier', () => {
    expect(new OrcidVerifier(web).canonicalIdentity('0000-0002-1825-0097')).toBe('0000-0002-1825-0097');
  });
});

describe('@signet/look/steam', () => {
  it('SteamVerifier', () => {
    expect(new SteamVerifier(web).canonicalIdentity('76561197960287930')).toBe('76561197960287930');
  });
});

describe('@signet/look/website', () => {
  it('WebsiteVerifier', () => {
    expect(new WebsiteVerifier(web).canonicalIdentity('example.com/about')).toBe('example.com/about');
  });
});
