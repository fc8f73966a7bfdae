import { InvalidRequestError, PlatformUnavailableError } from '@signet/look';
import { ActivitypubVerifier } from '../../src/verifiers/activitypub/activitypub.verifier.js';
import { aFetcher } from '../support/fetcher.js';
import { jsonReply, textReply } from '../support/stand-in-server.js';
import {
  aFediverseClaim,
  anInstance,
  aSplitDomain,
  inFediverse,
  nodeinfo,
  webfinger,
  type Routes,
} from './activitypub-stand-ins.js';
import { describeIdentities, describeLocations } from './describe-forms.js';
import { NUMERIC_STATUS_PATH } from './recorded/fediverse.js';

const verifier = new ActivitypubVerifier(aFetcher());
const IDENTITY = 'alice@social.example.com';

describeIdentities(verifier, {
  accepted: [
    ['alice@social.example.com', IDENTITY],
    ['@alice@social.example.com', IDENTITY],
    ['acct:alice@social.example.com', IDENTITY],
    ['ACCT:@alice@social.example.com', IDENTITY],
    [' alice@social.example.com\n', IDENTITY],
    ['@Alice@Social.Example.COM', IDENTITY],
    ['https://social.example.com/@alice', IDENTITY],
    ['https://social.example.com/@Alice/?tab=posts#top', IDENTITY],
    ['social.example.com/@alice', IDENTITY],
    ['https://social.example.com/users/alice', IDENTITY],
    ['https://social.example.com/u/alice', IDENTITY],
    ['https://other.example.com/@alice@social.example.com', IDENTITY],
    ['a_b.c-d@social.example.com', 'a_b.c-d@social.example.com'],
    ['_@social.example.com', '_@social.example.com'],
    [`${'a'.repeat(128)}@social.example.com`, `${'a'.repeat(128)}@social.example.com`],
    ['alice@bücher.example.org', 'alice@xn--bcher-kva.example.org'],
    ['alice@BÜCHER.example.org', 'alice@xn--bcher-kva.example.org'],
    ['alice@faß.example.org', 'alice@xn--fa-hia.example.org'],
  ],
  refused: [
    '',
    'alice',
    '@alice',
    'alice@',
    '@social.example.com',
    'alice@social.example.com@evil.example.net',
    '@@alice@social.example.com',
    'aacct:alice@social.example.com',
    'alice@localhost',
    'alice@com',
    'alice@127.0.0.1',
    'alice@2130706433',
    'alice@0x7f.1',
    'alice@[::1]',
    'alice@social.example.com:8443',
    'alice@social.example.com.',
    'alice@social.example.com/path',
    'alice@social.example.com?x',
    'alice@social.example.com#x',
    'alice@soc%69al.example.com',
    'alice@server.internal',
    'alice@server.local',
    'alice@metadata.onion',
    'al ice@social.example.com',
    'al/ice@social.example.com',
    '.alice@social.example.com',
    'alice.@social.example.com',
    '-alice@social.example.com',
    'álice@social.example.com',
    `${'a'.repeat(129)}@social.example.com`,
    `alice@${'a'.repeat(64)}.com`,
    'https://social.example.com:8443/@alice',
    'https://user@social.example.com/@alice',
    'https://social.example.com/about',
    'mi\u212ae@social.example.com',
  ],
});

const ID = '110000000000000001';

describeLocations(verifier, {
  identity: IDENTITY,
  accepted: [
    [ID, ID],
    ['9abc123def', '9abc123def'],
    ['AQj3BoAIDiUOXgtVVw', 'AQj3BoAIDiUOXgtVVw'],
    [`https://social.example.com/@alice/${ID}`, ID],
    [`social.example.com/@alice/${ID}`, ID],
    [`https://social.example.com/@alice/${ID}/?x=1#y`, ID],
    [`HTTPS://Social.Example.com/@Alice/${ID}`, ID],
    [`https://social.example.com/@alice/${ID}/embed`, ID],
    [`https://social.example.com/@alice/${ID}/embed/`, ID],
    [`https://social.example.com/@alice@Social.Example.com/${ID}`, ID],
    [`https://social.example.com/web/@alice/${ID}`, ID],
    [`https://social.example.com/web/statuses/${ID}`, ID],
    [`https://social.example.com/deck/@alice/${ID}`, ID],
    [`https://social.example.com/users/alice/statuses/${ID}`, ID],
    [`https://social.example.com${NUMERIC_STATUS_PATH}`, NUMERIC_STATUS_PATH.split('/').at(-1)!],
    [`https://social.example.com/statuses/${ID}`, ID],
    [`https://social.example.com/@alice@social.example.com/${ID}`, ID],
    ['https://social.example.com/notes/9abc123def', '9abc123def'],
    ['https://social.example.com/notice/AQj3BoAIDiUOXgtVVw', 'AQj3BoAIDiUOXgtVVw'],
    ['https://social.example.com/@alice/posts/AQj3BoAIDiUOXgtVVw', 'AQj3BoAIDiUOXgtVVw'],
    ['https://social.example.com/post/018e-aa', '018e-aa'],
    ['https://social.example.com/@alice/statuses/01ARZ3NDEKTSV4RRFFQ69G5FAV', '01ARZ3NDEKTSV4RRFFQ69G5FAV'],
    [`https://social.example.com/p/alice/${ID}`, ID],
    [`https://social.example.com/i/web/post/${ID}`, ID],
    [`https://elk.zone/social.example.com/@alice/${ID}`, ID],
    [`https://main.elk.zone/social.example.com/@alice@social.example.com/${ID}`, ID],
    [`https://phanpy.social/#/social.example.com/s/${ID}`, ID],
    [`https://phanpy.social/#/social.example.com/s/${ID}?view=full`, ID],
    [`<iframe src="https://social.example.com/@alice/${ID}/embed" width="400"></iframe>`, ID],
  ],
  refused: [
    '',
    'a'.repeat(65),
    '../../etc', // a path
    '110%2F..', // percent signs
    'https://social.example.com/', // the front page
    'https://social.example.com/@alice', // the profile
    'https://social.example.com/@alice/following/1', // another page
    'https://social.example.com/@alice/%2e%2e', // dots
    'https://social.example.com/@alice/11%2F22', // a slash in the id
    `https://social.example.com/@alice@other.example.com/${ID}`, // a view of a post from another server
    `https://social.example.com:8443/@alice/${ID}`, // a port
    `https://alice:secret@social.example.com/@alice/${ID}`, // credentials
    `https://alice@social.example.com/@alice/${ID}`, // a user name
    `https://:secret@social.example.com/@alice/${ID}`, // a password
    `https://social.example.com/@alice/embed/${ID}`, // another page
    `https://social.example.com/@alice/${ID}/embedded`, // another page
    `ftp://social.example.com/@alice/${ID}`, // another scheme
    'javascript:alert(1)',
    'https://', // a broken address
    `https://social.example.com/p/alice/${ID}/edit`, // another page
    `https://elk.zone/social.example.com/@alice@other.example.com/${ID}`, // a post from another server
    `https://elk.zone/social.example.com:8443/@alice/${ID}`, // a port
    `https://elk.zone:8443/social.example.com/@alice/${ID}`, // a port of the client
    `https://alice@elk.zone/social.example.com/@alice/${ID}`, // a user name at the client
    `https://phanpy.social/#/x@social.example.com/s/${ID}`, // a user name at the server
    'https://phanpy.social/#/social.example.com/s/..', // dots
    `https://elk.zone.evil.example.net/social.example.com/@alice/${ID}`, // no such client
  ],
});

describe('the location of a Fediverse post', () => {
  /** Appendix A of the platform reference, whose hosts are names reserved for examples. */
  it.each([
    ['https://mk.example/notes/9abc123def', 'alice@mk.example', '9abc123def'],
    ['https://pl.example/notice/AQj3BoAIDiUOXgtVVw', 'alice@pl.example', 'AQj3BoAIDiUOXgtVVw'],
    ['http://mk.example/notes/9abc123def', 'alice@mk.example', '9abc123def'],
    [' mk.example/notes/9abc123def ', 'alice@mk.example', '9abc123def'],
  ])('is reduced to its id: %s', async (text, identity, id) => {
    expect(await verifier.canonicalLocation(text, identity)).toBe(id);
  });

  it.each(['xhttps', 'httpsx', 'ftp', 'web+http'])('is refused with the scheme %s', async (scheme) => {
    const attempt = verifier.canonicalLocation(`${scheme}://mk.example/notes/9abc123def`, 'alice@mk.example');

    await expect(attempt).rejects.toThrow(InvalidRequestError);
  });

  it('is refused on a server that is not that of the account, who may see the post there', async () => {
    const attempt = inFediverse(anInstance('mastodon'), (bench) =>
      bench.verifier.canonicalLocation(`https://evil.example.net/@alice@social.example.com/${ID}`, IDENTITY),
    );

    await expect(attempt).rejects.toThrow(InvalidRequestError);
    await expect(attempt).rejects.toThrow('evil.example.net is not its server');
  });

  it.each([
    `https://elk.zone/evil.example.net/@alice@social.example.com/${ID}`,
    `https://phanpy.social/#/evil.example.net/s/${ID}`,
  ])('is refused where a client shows it as another server has it, which nobody asks: %s', async (address) => {
    const asked = await inFediverse(anInstance('mastodon'), async (bench) => {
      const attempt = bench.verifier.canonicalLocation(address, IDENTITY);
      await expect(attempt).rejects.toThrow('evil.example.net is not its server');
      return bench.standIn.requests.map(({ headers }) => headers['host']);
    });

    expect(new Set(asked)).toEqual(new Set(['social.example.com']));
  });

  it.each([`https://phanpy.social/#/s/${ID}`, `https://elk.zone/@alice/${ID}`])(
    'is refused where the address of a client does not name the server: %s',
    async (address) => {
      await expect(verifier.canonicalLocation(address, IDENTITY)).rejects.toThrow('names no server and post');
    },
  );

  it('is accepted on the server of a split domain', async () => {
    const ids = await inFediverse(aSplitDomain(), async (bench) => [
      await bench.verifier.canonicalLocation(`https://social.example.com/@alice/${ID}`, 'alice@example.com'),
      await bench.verifier.canonicalLocation(
        `https://social.example.com/@alice@example.com/${ID}`,
        'alice@example.com',
      ),
    ]);

    expect(ids).toEqual([ID, ID]);
  });

  it('of an account that the server does not know is refused', async () => {
    const attempt = inFediverse({}, (bench) =>
      bench.verifier.canonicalLocation(`https://evil.example.net/@alice/${ID}`, IDENTITY),
    );

    await expect(attempt).rejects.toThrow(InvalidRequestError);
  });

  describe('as /objects/UUID', () => {
    const PATH = 'social.example.com/objects/6f1c0000-0000-4000-8000-000000000000';
    const resolve = (routes: Routes, address = `https://${PATH}`) =>
      inFediverse(routes, async ({ verifier: asked, standIn }) => ({
        id: await asked.canonicalLocation(address, IDENTITY),
        requests: standIn.requests.length,
      }));
    const leadTo = (location: string) => ({ [PATH]: { status: 302, headers: { location } } });

    it.each(['/notice/AQj3BoAIDiUOXgtVVw', 'https://social.example.com/notice/AQj3BoAIDiUOXgtVVw'])(
      'is resolved by one request to %s',
      async (location) => {
        expect(await resolve(leadTo(location))).toEqual({ id: 'AQj3BoAIDiUOXgtVVw', requests: 1 });
      },
    );

    it('is resolved for /activities/UUID too', async () => {
      const path = PATH.replace('objects', 'activities');

      expect(
        (await resolve({ [path]: { status: 302, headers: { location: '/notice/abc' } } }, `https://${path}`)).id,
      ).toBe('abc');
    });

    it.each([
      'https://evil.example.net/notice/AQj3BoAIDiUOXgtVVw',
      '//evil.example.net/notice/AQj3BoAIDiUOXgtVVw',
      'http://social.example.com/notice/AQj3BoAIDiUOXgtVVw',
      'https://social.example.com:8443/notice/AQj3BoAIDiUOXgtVVw',
      '/users/alice',
      '/notice/a/b',
      '/notice/a/',
      '/x/notice/a',
      'http://[',
      `/notice/${'a'.repeat(65)}`,
      'http://169.254.169.254/notice/1',
    ])('is refused where it leads to %s, which is not asked', async (location) => {
      await expect(resolve(leadTo(location))).rejects.toThrow(InvalidRequestError);
    });

    it.each([200, 404, 410])('is refused where the server answers %i', async (status) => {
      await expect(resolve({ [PATH]: textReply('<html>', status, 'text/html') })).rejects.toThrow(InvalidRequestError);
    });

    it.each([
      ['an answer that names an address and redirects nowhere', 200, { location: '/notice/AQj3BoAIDiUOXgtVVw' }],
      ['an error that names an address', 400, { location: '/notice/AQj3BoAIDiUOXgtVVw' }],
      ['a redirect without an address', 302, {}],
    ])('is refused where the server gives %s', async (_what, status, headers) => {
      await expect(resolve({ [PATH]: { status, headers } })).rejects.toThrow(InvalidRequestError);
    });

    it.each([300, 399])('is resolved by any redirect: %i', async (status) => {
      const reply = { status, headers: { location: '/notice/AQj3BoAIDiUOXgtVVw' } };

      expect((await resolve({ [PATH]: reply })).id).toBe('AQj3BoAIDiUOXgtVVw');
    });

    it.each([429, 500, 503])('can be tried again where the server answers %i', async (status) => {
      await expect(resolve({ [PATH]: textReply('<html>', status, 'text/html') })).rejects.toThrow(
        PlatformUnavailableError,
      );
    });

    it('is refused on another server, which is not asked for it', async () => {
      const attempt = inFediverse({ ...anInstance('pleroma') }, async (bench) => {
        const outcome = await bench.verifier
          .canonicalLocation('https://evil.example.net/objects/6f1c0000-0000-4000-8000-000000000000', IDENTITY)
          .catch((error: unknown) => error);
        return { outcome, asked: bench.standIn.requests.map(({ headers }) => headers['host']) };
      });

      expect((await attempt).outcome).toBeInstanceOf(InvalidRequestError);
      expect((await attempt).asked).not.toContain('evil.example.net');
    });
  });
});

describe('the texts for a Fediverse post', () => {
  it('fit into 500 characters with the longest name, hold the placeholder once, and come in six languages at least', () => {
    const identity = `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.example.com`;

    const texts = verifier.postContent(aFediverseClaim({ identity }));

    expect(Object.keys(texts)).toEqual(expect.arrayContaining(['default', 'en_US', 'zh_CN']));
    expect(Object.keys(texts).length).toBeGreaterThan(6);
    for (const text of Object.values(texts)) {
      expect(text.split('%SIG_BASE64%')).toHaveLength(2);
      expect([...text.replace('%SIG_BASE64%', 'A'.repeat(88))].length).toBeLessThan(500);
    }
  });
});

describe('the requests of a check', () => {
  it('go to https hosts by name only, and carry no credentials', async () => {
    const headers = await inFediverse(anInstance('mastodon'), async ({ verifier: asked, standIn }) => {
      await asked.verify(aFediverseClaim()).catch(() => {});
      return standIn.requests.map((request) => request.headers);
    });

    expect(headers.length).toBeGreaterThan(2);
    for (const sent of headers) {
      expect(sent).not.toHaveProperty('authorization');
      expect(sent).not.toHaveProperty('cookie');
      expect(sent).not.toHaveProperty('referer');
    }
  });

  it.each([
    'alice@127.0.0.1',
    'alice@localhost',
    'alice@printer.local',
    'alice@2130706433',
    'alice@unknown.example.com',
  ])('never reach a host that is not public, whatever is stored: %s', async (identity) => {
    await inFediverse(anInstance('mastodon'), async ({ verifier: asked, standIn }) => {
      await expect(asked.verify(aFediverseClaim({ identity }))).rejects.toThrow(PlatformUnavailableError);
      expect(standIn.requests).toEqual([]);
    });
  });

  it('are eight at most, however the hosts send us around', async () => {
    const roundabout: Routes = {
      ...nodeinfo('someone-new'),
      'example.com/.well-known/webfinger': ({ query }) =>
        query.get('hop') === '2'
          ? webfinger('alice', 'example.com', 'social.example.com')
          : { status: 302, headers: { location: `/.well-known/webfinger?hop=${Number(query.get('hop') ?? 0) + 1}` } },
      'social.example.com/.well-known/webfinger': ({ query }) =>
        query.get('hop') === '2'
          ? webfinger('alice', 'example.com', 'social.example.com')
          : { status: 302, headers: { location: `/.well-known/webfinger?hop=${Number(query.get('hop') ?? 0) + 1}` } },
      'social.example.com/api/v1/statuses/110000000000000001': jsonReply({ error: {} }, 404),
    };

    await inFediverse(roundabout, async ({ verifier: asked, standIn }) => {
      await expect(asked.verify(aFediverseClaim({ identity: 'alice@example.com' }))).rejects.toThrow(
        PlatformUnavailableError,
      );
      expect(standIn.requests).toHaveLength(8);
    });
  });
});

it('costs what each instance allows, which is a host that users choose', () => {
  expect(verifier.costs).toEqual({
    rates: { plain: { requests: 300, seconds: 300 } },
    requestsPerCheck: 3,
    hostOf: expect.any(Function),
  });
  expect(verifier.costs.hostOf!(IDENTITY)).toBe('social.example.com');
});
