import { NAME_PATTERNS } from '@signet/verify/names';
import { cleanPasted } from '@signet/verify/internal';
import { PlatformUnavailableError } from '../../errors.js';
import { didAnswer, type Fetcher } from '../../web/fetcher.js';
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
import { socialPostTexts } from '../../posts/post-texts.js';
import { checkPostedSignature } from '../../posts/posted-signature.js';
import { withoutQuotedLines } from '../../posts/quoted-lines.js';
import { findApiHost } from './activitypub-discovery.js';
import { parseHandle, splitHandle } from './activitypub-handle.js';
import { idOfNotice, notALocation, readLocation } from './activitypub-location.js';
import { readMastodonPost, readPleromaPost } from './activitypub-mastodon-api.js';
import { readMisskeyPost } from './activitypub-misskey-api.js';
import { FediverseObjects } from './activitypub-objects.js';
import type { AuthorsPost, ExpectedAuthor } from './activitypub-post.js';
import { FediverseRequests, unusable } from './activitypub-requests.js';
import { FediverseSoftware, type FediverseApi } from './activitypub-software.js';

const READERS = { mastodon: readMastodonPost, pleroma: readPleromaPost, misskey: readMisskeyPost };

/**
 * The Fediverse: a public post on the account's own server. That host is named in the request, so nothing it says is
 * trusted beyond its own names: webfinger finds the server, nodeinfo its kind, and a post counts only if its author has
 * an account there. Where no API shows posts, the post's own address is asked by a signed request. Sources: RFC 7033,
 * NodeInfo, ActivityPub, and the APIs of Mastodon and Misskey.
 */
export class ActivitypubVerifier implements PlatformVerifier {
  readonly platform = 'activitypub';
  readonly publishes = 'post';
  /** Mastodon, "Rate limits": 300 requests in five minutes. A check asks for webfinger, post and sometimes nodeinfo. */
  readonly costs: PlatformCosts = {
    rates: { plain: { requests: 300, seconds: 300 } },
    requestsPerCheck: 3,
    hostOf: (identity) => splitHandle(identity).host,
  };
  readonly guide: PlatformGuide = {
    label: 'Fediverse',
    // Mastodon and others take a text at /share. Addresses of profiles differ from one software to the next.
    composeUrl: 'https://{host}/share?text={text}',
    identityPattern: NAME_PATTERNS.activitypub,
    identityExample: 'alice@social.example.com',
    locationForms: [
      '110000000000000001',
      'https://social.example.com/@alice/110000000000000001',
      'https://misskey.example.com/notes/9abc123def',
      'https://pleroma.example.com/notice/AQj3BoAIDiUOXgtVVw',
    ],
    steps: [
      'Ask for a payload with your full name, user@host, as identity, and sign sign_payload with your Avatar key.',
      'Put the Base64 signature in place of %SIG_BASE64% in one of the texts of post_content.',
      'Publish that text from this account as a public post (not for followers only, and without the signature in a warning).',
      'Open the post on your own server, and submit the proof with its address, or the last part of it, as proof_location.',
      'Keep the post as long as the proof shall stay valid. Servers that show posts to other servers alone, such as those ' +
        'that run GoToSocial, can be checked where PUBLIC_URL is an https address. A name at a domain of your own is found by /.well-known/webfinger there; host-meta is not read.',
    ],
  };
  private readonly software = new FediverseSoftware();
  private readonly objects = new FediverseObjects();

  constructor(private readonly web: Fetcher) {}

  /** Takes `user@host`, `@user@host`, `acct:user@host` and profile pages; answers lowercase `user@host`. */
  canonicalIdentity(text: string): string {
    const { user, host } = parseHandle(text);
    return `${user}@${host}`;
  }

  /**
   * The id of the post. An address must be one of the account's own server: ids mean nothing elsewhere. Asks that
   * server where the name of the host is another than that of the identity, and for `/objects/...`, which it redirects
   * to the page of the post.
   * @throws InvalidRequestError (`invalid_proof_location`), PlatformUnavailableError
   */
  async canonicalLocation(text: string, identity: string): Promise<string> {
    const location = readLocation(cleanPasted(text));
    if (location.host === null) return location.id;
    const handle = splitHandle(identity);
    const requests = new FediverseRequests(this.web);
    if (location.host !== handle.host) {
      const found = await findApiHost(requests, handle);
      if ('valid' in found || found.apiHost !== location.host) throw notALocation(`${location.host} is not its server`);
    }
    if ('objectPath' in location) return resolveObject(requests, location.host, location.objectPath);
    if (location.remoteHost && ![handle.host, location.host].includes(location.remoteHost)) {
      throw notALocation('the address shows a post from another server');
    }
    return location.id;
  }

  postContent(draft: ProofDraft): PostContent {
    return socialPostTexts(draft, { account: `@${draft.identity}`, network: 'Fediverse', hasArticle: true });
  }

  async verify(claim: ProofClaim): Promise<Verdict> {
    const requests = new FediverseRequests(this.web);
    const handle = splitHandle(claim.identity);
    const found = await findApiHost(requests, handle);
    if ('valid' in found) return found;
    const apis = await this.software.apisOf(requests, found.apiHost, handle);
    const post = await this.readPost(requests, apis, { ...handle, ...found }, claim.proofLocation);
    if ('valid' in post) return post;
    const verdicts = post.texts.map((text) => checkPostedSignature(withoutQuotedLines(text), claim, post));
    const verdict = verdicts.find(({ valid }) => valid) ?? verdicts[0]!;
    if (!verdict.valid) return verdict;
    const { accountId, ...rest } = verdict;
    return {
      ...rest,
      ...(isSameKind(accountId, claim.accountId) && { accountId }),
      ...(found.profileUrl !== undefined && { profileUrl: found.profileUrl }),
    };
  }

  /**
   * Asks by each API until one shows the post. Where a server speaks only one of two, the other may say "not found" for
   * the API itself, so a "no" stands only when no other has the post, and each of them could be asked. Objects are
   * asked for where no API answers by yes or no.
   */
  private async readPost(
    requests: FediverseRequests,
    apis: FediverseApi[],
    author: ExpectedAuthor,
    id: string,
  ): Promise<AuthorsPost | InvalidVerdict> {
    let refusal: InvalidVerdict | undefined;
    let failure: PlatformUnavailableError | undefined;
    let outage: PlatformUnavailableError | undefined;
    for (const api of apis) {
      const isObject = api === 'statuses' || api === 'notes';
      // A server that says by its API that there is no such post is not asked once more.
      if (isObject && (refusal || (failure && !requests.signerOf()))) continue;
      try {
        const answer = await (isObject
          ? this.objects.read(requests, author, id, api)
          : READERS[api](requests, author, id));
        if ('texts' in answer) {
          if (apis.length > 1) this.software.remember(author.apiHost, [api]);
          return answer;
        }
        refusal ??= answer;
      } catch (error) {
        if (!(error instanceof PlatformUnavailableError)) throw error;
        failure ??= error;
        if (!didAnswer(error)) outage ??= error;
      }
    }
    if (refusal && !outage) return refusal;
    throw outage ?? failure!;
  }
}

/** Whether two ids of accounts can be compared: APIs have ids of their own, objects the address of the actor. */
function isSameKind(found: string | undefined, bound: string | undefined): found is string {
  const isActor = (id: string) => id.startsWith('https://');
  return found !== undefined && (!bound || isActor(found) === isActor(bound));
}

/** The id behind `/objects/<uuid>`, by one request that is not redirected. */
async function resolveObject(requests: FediverseRequests, host: string, path: string): Promise<string> {
  const { status, headers } = await requests.get(`https://${host}${path}`, 'text/html');
  if (status === 429 || status >= 500) throw unusable();
  const id = status >= 300 && status < 400 ? idOfNotice(headers['location'] ?? '', host) : null;
  if (id === null) throw notALocation('the server does not lead from this address to a post');
  return id;
}
