import { boundedVerdict } from '../../src/posts/verdict-form.js';
import {
  aFediverseClaim,
  anInstance,
  aSplitDomain,
  aStatus,
  MASTODON_ID,
  verdictOf,
  webfinger,
} from './activitypub-stand-ins.js';
import { anAvatar } from '../support/avatar.js';
import { jsonReply, type PlainReply } from '../support/stand-in-server.js';

const POST = `social.example.com/api/v1/statuses/${MASTODON_ID}`;
const WEBFINGER = 'social.example.com/.well-known/webfinger';
const SELF = { rel: 'self', type: 'application/activity+json', href: 'https://social.example.com/users/alice' };
const PAGE = 'http://webfinger.net/rel/profile-page';

/** The page that a check keeps of an account whose webfinger has these links. */
async function keptPage(...links: object[]): Promise<string | undefined> {
  const claim = aFediverseClaim();
  const json = { subject: 'acct:alice@social.example.com', links: [...links, SELF] };
  const routes = { ...anInstance('mastodon'), [WEBFINGER]: { json } as PlainReply };
  const verdict = await verdictOf(
    { ...routes, [POST]: jsonReply(aStatus(`Sig: ${anAvatar('alice').sign(claim.signPayload)}`)) },
    claim,
  );
  const kept = boundedVerdict('activitypub', verdict);
  if (!kept.valid) throw new Error(kept.reason);
  return kept.profileUrl;
}

describe('the page of a Fediverse account', () => {
  it.each([
    ['as Mastodon writes it', 'https://social.example.com/@alice'],
    ['with the letters that the server has', 'https://social.example.com/@Alice'],
    ['with its slash, where it has one', 'https://social.example.com/alice/'],
  ])('is kept %s', async (_how, href) => {
    expect(await keptPage({ rel: PAGE, type: 'text/html', href })).toBe(href);
  });

  it('is kept where its type is not said', async () => {
    const href = 'https://social.example.com/@alice';

    expect(await keptPage({ rel: PAGE, href })).toBe(href);
  });

  it.each([
    'https://social.example.net/@alice',
    'http://social.example.com/@alice',
    'https://social.example.com:8443/@alice',
    'https://alice@social.example.com/@alice',
    'https://social.example.com/@alice and more',
    `https://social.example.com/@${'a'.repeat(2048)}`,
    'javascript:alert(1)',
    7,
  ])('is not kept where it may be that of somebody else, or no page: %s', async (href) => {
    expect(await keptPage({ rel: PAGE, type: 'text/html', href })).toBeUndefined();
  });

  it('may lie on the server of a name on another domain', async () => {
    const claim = aFediverseClaim({ identity: 'alice@example.com' });
    const routes = {
      ...aSplitDomain(),
      'example.com/.well-known/webfinger': webfinger('alice', 'example.com', 'social.example.com'),
      [POST]: jsonReply(aStatus(`Sig: ${anAvatar('alice').sign(claim.signPayload)}`)),
    };

    expect(await verdictOf(routes, claim)).toMatchObject({ profileUrl: 'https://social.example.com/@alice' });
  });
});
