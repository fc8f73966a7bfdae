import type { ProofClaim, Verdict } from '../../src/platform-verifier.js';
import { ActivitypubVerifier } from '../../src/verifiers/activitypub/activitypub.verifier.js';
import type { PlainReply, StandIn, StandInHandler, StandInReply, StandInRequest } from '../support/stand-in-server.js';
import { jsonReply, textReply } from '../support/stand-in-server.js';
import { aClaim, verdictEverywhere, withReader, withVerifier } from './describe-verifier.js';

/**
 * Answers by `<host><path>`. A path that is not named is answered as a web server does that knows nothing of the
 * Fediverse.
 */
export type Routes = Record<string, PlainReply | 'hang' | 'cut' | ((request: StandInRequest) => StandInReply)>;

/** The names that lead to the stand-in. One server stands for all of them and looks at the name it was called by. */
const HOSTS = ['social.example.com', 'example.com', 'evil.example.net', 'xn--bcher-kva.example.com'];
export const MASTODON_ID = '110000000000000001';
export const MISSKEY_ID = '9abc123def';

export const suite = {
  create: (web: ConstructorParameters<typeof ActivitypubVerifier>[0]) => new ActivitypubVerifier(web),
  browser: (web: ConstructorParameters<typeof ActivitypubVerifier>[0]) => new ActivitypubVerifier(web),
  browserAsksLess: true,
  platform: 'activitypub',
  settings: () => ({}),
  hosts: HOSTS,
};

export function serve(routes: Routes): StandInHandler {
  return (request) => {
    const route = routes[`${request.headers['host']}${request.path}`];
    if (route === undefined) return textReply('<html>Not Found</html>', 404, 'text/html');
    return typeof route === 'function' ? route(request) : route;
  };
}

export function aFediverseClaim(changes: Partial<ProofClaim> = {}): ProofClaim {
  const names = { platform: 'activitypub', identity: 'alice@social.example.com', proofLocation: MASTODON_ID };
  return aClaim({ ...names, ...changes }, changes);
}

/** The verdict of a fresh verifier of the service, for what is only its own: nodeinfo, and which requests it sends. */
export function serverVerdictOf(routes: Routes, claim = aFediverseClaim()): Promise<Verdict> {
  return inFediverse(routes, ({ verifier }) => verifier.verify(claim));
}

/** The verdict of a fresh verifier on a Fediverse made of `routes`, and of what browsers load. */
export function verdictOf(
  routes: Routes,
  claim = aFediverseClaim(),
  variables: Record<string, string> = {},
): Promise<Verdict> {
  return verdictEverywhere(suite, serve(routes), claim, variables);
}

/** What a fresh verifier says, and what browsers load, one after the other: they may ask for other things. */
export function verdictsOf(routes: Routes, claim = aFediverseClaim()): (() => Promise<Verdict>)[] {
  return [withVerifier, withReader].map(
    (by) => () =>
      by(
        suite,
        serve(routes),
        ({ verifier }: { verifier: Pick<ActivitypubVerifier, 'verify'> }) => verifier.verify(claim),
        {},
      ),
  );
}

export function inFediverse<T>(
  routes: Routes,
  use: (bench: { verifier: ActivitypubVerifier; standIn: StandIn }) => Promise<T>,
  OUTBOUND_TIMEOUT_MS = '5000',
): Promise<T> {
  return withVerifier(
    suite,
    serve(routes),
    (bench) => use(bench as { verifier: ActivitypubVerifier; standIn: StandIn }),
    { OUTBOUND_TIMEOUT_MS },
  );
}

/** What a server says about an account; `apiHost` differs from `host` on split domains. */
export function webfinger(user = 'alice', host = 'social.example.com', apiHost = host): PlainReply {
  const self = { rel: 'self', type: 'application/activity+json', href: `https://${apiHost}/users/${user}` };
  const page = { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: `https://${apiHost}/@${user}` };
  return {
    json: { subject: `acct:${user}@${host}`, links: [page, self] },
    headers: { 'content-type': 'application/jrd+json; charset=utf-8' },
  };
}

/** Webfinger of `alice@social.example.com` and nodeinfo of `software`. */
export function anInstance(software: string, metadata: unknown = {}): Routes {
  return {
    'social.example.com/.well-known/webfinger': webfinger(),
    ...nodeinfo(software, metadata),
  };
}

export function nodeinfo(software: string, metadata: unknown = {}): Routes {
  const rel = 'http://nodeinfo.diaspora.software/ns/schema/2.0';
  return {
    'social.example.com/.well-known/nodeinfo': jsonReply({
      links: [{ rel, href: 'https://social.example.com/nodeinfo/2.0' }],
    }),
    'social.example.com/nodeinfo/2.0': jsonReply({
      version: '2.0',
      software: { name: software, version: '4.5.1' },
      metadata,
    }),
  };
}

/** A handle on `example.com` whose server is `social.example.com`; only webfinger is led from one to the other. */
export function aSplitDomain(software = 'mastodon'): Routes {
  return {
    ...anInstance(software),
    'example.com/.well-known/webfinger': ({ query }) => ({
      status: 301,
      headers: { location: `https://social.example.com/.well-known/webfinger?${query}` },
    }),
    'social.example.com/.well-known/webfinger': webfinger('alice', 'example.com', 'social.example.com'),
  };
}

/** The lines of a post as Mastodon writes them. */
export function asHtml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<p>${escaped.replaceAll('\n\n', '</p><p>').replaceAll('\n', '<br />')}</p>`;
}

/** A status of the Mastodon API. */
export function aStatus(text: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: MASTODON_ID,
    uri: `https://social.example.com/users/alice/statuses/${MASTODON_ID}`,
    url: `https://social.example.com/@alice/${MASTODON_ID}`,
    visibility: 'public',
    spoiler_text: '',
    edited_at: null,
    in_reply_to_id: null,
    reblog: null,
    quote: null,
    content: asHtml(text),
    account: { id: '42', username: 'Alice', acct: 'Alice', url: 'https://social.example.com/@alice' },
    ...changes,
  };
}

/** A note of the Misskey API. */
export function aNote(text: string | null, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: MISSKEY_ID,
    createdAt: '2026-01-02T03:04:05.000Z',
    userId: '8zuserid01',
    visibility: 'public',
    localOnly: false,
    cw: null,
    text,
    renoteId: null,
    isHidden: false,
    user: { id: '8zuserid01', username: 'Alice', host: null },
    ...changes,
  };
}

export function misskeyError(code: string, status = 400): PlainReply {
  return jsonReply(
    { error: { code, id: '24fcbfc6-2e37-42b6-8388-c29b3861a08d', message: code, kind: 'client' } },
    status,
  );
}

export const STATUS_PATH = `social.example.com/api/v1/statuses/${MASTODON_ID}`;
export const NOTE_PATH = 'social.example.com/api/notes/show';
export const RECORD_NOT_FOUND = jsonReply({ error: 'Record not found' }, 404);
