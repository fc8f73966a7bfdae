import { cleanPasted } from '@signet/verify/internal';
import { asciiLower, canonicalForm, NAME_PATTERNS } from '@signet/verify/names';
import { InvalidRequestError, PlatformMisconfiguredError, PlatformUnavailableError } from '../errors.js';
import type { JsonReply } from '../web/web-request.js';
import { retryAfterSeconds } from '../web/rate-hints.js';
import type { Fetcher } from '../web/fetcher.js';
import { type Filled, filled, type GithubOptions } from '../options/options.js';
import type {
  InvalidVerdict,
  PlatformCosts,
  PlatformGuide,
  PlatformVerifier,
  PostContent,
  ProofClaim,
  ProofDraft,
  Verdict,
} from '../platform-verifier.js';
import { invalid } from '../platform-verifier.js';
import { checkProofDocument, namesAvatar, readProofDocument, writeProofDocument } from '../posts/proof-document.js';
import { unusableAnswer } from '../web/unusable-answer.js';

const PROFILE_PAGE = /^(?:https?:\/\/)?(?:www\.)?github\.com\/([^/?#]+)\/?(?:[?#].*)?$/i;
/** Hexadecimal, 20 or 32 digits; the oldest gists have short decimal numbers. */
const GIST_ID = /^[0-9a-f]{1,40}$/;
const REVISION = /^[0-9a-f]{40}$/;
const GIST_PAGE_HOSTS = ['gist.github.com', 'gist.githubusercontent.com'];
const MAX_FILES = 5; // a gist has one file for this key, sometimes an old one beside it
const LIMIT_SECONDS = 60; // GitHub asks for at least a minute when it names no time

/** The part of a gist that we read. Every field is optional: we did not write that server. */
interface Gist {
  public?: boolean;
  truncated?: boolean;
  owner?: { login?: string; id?: number } | null;
  /** The gist of which this one is a fork. */
  fork_of?: unknown;
  files?: Record<string, GistFile | null>;
  /** Of an error. */
  message?: string;
}

interface GistFile {
  truncated?: boolean;
  content?: string;
}

/**
 * GitHub: a public gist of the account `identity` with a file `0x<compressed key hex>.json` that holds the signed
 * document of a binding (`sign_payload` and its signature, JSON). Always the newest version counts. Source: GitHub REST
 * API, "Get a gist" and "Rate limits for the REST API".
 */
export class GithubVerifier implements PlatformVerifier {
  readonly platform = 'github';
  readonly publishes = 'post';
  readonly addresses = { apiBase: '' };
  /** "Rate limits for the REST API": 60 requests an hour for an address, 5,000 for a token. */
  readonly costs: PlatformCosts;
  readonly guide: PlatformGuide = {
    label: 'GitHub',
    profileUrls: ['https://github.com/{identity}'],
    postUrl: 'https://gist.github.com/{identity}/{location}',
    composeUrl: 'https://gist.github.com/',
    fileName: '{avatar}.json',
    identityPattern: NAME_PATTERNS.github,
    identityExample: 'alice-demo',
    locationForms: [
      '0123456789abcdef0123456789abcdef',
      'https://gist.github.com/alice-demo/0123456789abcdef0123456789abcdef',
    ],
    steps: [
      'Ask for a payload with your GitHub username as identity, and sign sign_payload with your Avatar key.',
      'Put the Base64 signature in place of %SIG_BASE64% in post_content.default.',
      'At https://gist.github.com, make a public gist (not a secret one, not a fork) with a file of this text. The file name is your compressed ' +
        'Avatar key with .json behind it: 0x<66 hex digits>.json.',
      'Submit the proof with the id or the address of the gist as proof_location, and keep the gist as long as the proof shall stay valid.',
    ],
  };

  private readonly options: Filled<'github'>;

  constructor(
    private readonly web: Fetcher,
    options: GithubOptions = {},
  ) {
    this.options = filled('github', options);
    this.costs = {
      rates: { plain: { requests: 60, seconds: 3600 }, withToken: { requests: 5000, seconds: 3600 } },
      hasToken: Boolean(options.token),
    };
  }

  /** GitHub logins ignore case. Takes `@name` and profile URLs too. */
  canonicalIdentity(text: string): string {
    const login = cleanPasted(text).replace(PROFILE_PAGE, '$1');
    const name = canonicalForm(this.platform, login);
    if (name !== null) return name;
    throw new InvalidRequestError('Not a GitHub username: expected letters, digits and hyphens.', 'invalid_identity');
  }

  /** The id of the gist; takes its addresses as shown, raw, of the API and for git too. */
  canonicalLocation(text: string): string {
    const pasted = cleanPasted(text);
    const id = (GIST_ID.test(pasted.toLowerCase()) ? pasted : gistIdOf(pasted)).toLowerCase();
    if (GIST_ID.test(id)) return id;
    throw new InvalidRequestError(
      'Not a gist: expected its id or its address on gist.github.com.',
      'invalid_proof_location',
    );
  }

  postContent(draft: ProofDraft): PostContent {
    const comment = `This file binds the GitHub account ${draft.identity} to an Avatar key by the signature over sign_payload.`;
    return { default: writeProofDocument(draft, 'github_username', comment) };
  }

  async verify(claim: ProofClaim): Promise<Verdict> {
    const { apiBase, token } = this.options;
    const reply = await this.web.sendJson<Gist>({
      url: `${apiBase.replace(/\/$/, '')}/gists/${encodeURIComponent(claim.proofLocation)}`,
      trust: 'operator',
      platform: this.platform,
      headers: {
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
    });
    if (reply.status !== 200) return refusal(reply);
    const gist = reply.json;
    if (typeof gist?.files !== 'object' || gist.files === null) throw unusableAnswer('GitHub');
    return judge(gist, gist.files, reply.body, claim);
  }
}

/** Only the signature proves the key; here, everything that must hold beside it. What GitHub did not say is no "no". */
function judge(gist: Gist, allFiles: NonNullable<Gist['files']>, body: Uint8Array, claim: ProofClaim): Verdict {
  if (gist.owner === null) return invalid('The gist has no owner.');
  if (typeof gist.owner?.login !== 'string' || typeof gist.public !== 'boolean') throw unusableAnswer('GitHub');
  const login = asciiLower(gist.owner.login);
  if (login !== claim.identity) {
    return invalid(
      `The gist belongs to ${canonicalForm('github', login) === login ? `"${login}"` : 'somebody else'}, not "${claim.identity}".`,
    );
  }
  // A fork makes its maker the owner of the copied files, without a word written or signed by that account.
  if (gist.fork_of !== undefined && gist.fork_of !== null) {
    return invalid('The gist is a fork of another one; a gist of its own was expected.');
  }
  if (!gist.public) return invalid('The gist is secret; a public gist was expected.');
  if (gist.truncated === true) return invalid('The gist has too many files to be read.');
  const files = proofFiles(allFiles, claim);
  if (files.length === 0) return invalid(`The gist has no file ${claim.avatar.compressed}.json.`);

  const url = `https://gist.github.com/${claim.proofLocation}`;
  const id = gist.owner?.id;
  if (!Number.isSafeInteger(id)) throw unusableAnswer('GitHub'); // without it, a name that changes hands would not be noticed
  let refused: Verdict | null = null;
  for (const file of files.slice(0, MAX_FILES)) {
    const verdict =
      file.truncated === true
        ? invalid('The file in the gist is too long; a proof has less than 2 KiB.')
        : checkProofDocument(textOf(file), claim, { url, body, accountId: String(id) });
    if (verdict.valid) return verdict;
    refused ??= verdict;
  }
  return refused!;
}

/** @throws PlatformUnavailableError if GitHub did not send the text */
function textOf({ content }: GistFile): string {
  if (typeof content !== 'string') throw unusableAnswer('GitHub');
  return content;
}

/** The file named for the key, with or without `0x`, first; then `.json` files that name the key inside. */
function proofFiles(files: NonNullable<Gist['files']>, claim: ProofClaim): GistFile[] {
  const { avatar } = claim;
  const names = [`${avatar.compressed}.json`, `${avatar.compressed.slice(2)}.json`];
  const ranked = Object.entries(files).flatMap(([name, file]) => {
    const lowerName = name.toLowerCase();
    if (!lowerName.endsWith('.json')) return [];
    const rank = names.indexOf(lowerName);
    if (rank >= 0) return [{ file: file ?? {}, rank }];
    const namesKey = typeof file?.content === 'string' && namesAvatar(readProofDocument(file.content), claim);
    return namesKey ? [{ file, rank: names.length }] : [];
  });
  return ranked.sort((one, other) => one.rank - other.rank).map(({ file }) => file);
}

/** What an answer other than 200 means. 429 and 5xx do not come here: the web client throws for them. */
function refusal(reply: JsonReply<Gist>): InvalidVerdict {
  const { status, headers, json } = reply;
  if (typeof json?.message !== 'string') throw unusableAnswer('GitHub'); // not the API but something in front of it
  if (status === 404 || status === 410) return invalid('There is no such gist.');
  if (status === 401)
    throw new PlatformMisconfiguredError('GitHub refuses the token of this server (GITHUB_TOKEN, github.token).');
  const isLimit =
    headers['x-ratelimit-remaining'] === '0' ||
    headers['retry-after'] !== undefined ||
    /rate limit/i.test(json.message);
  if (status === 403 && isLimit) {
    throw new PlatformUnavailableError('GitHub limits the requests of this server at the moment; try again later.', {
      retryAfterSeconds: retryAfterSeconds(headers, Date.parse(headers['date'] ?? '')) ?? LIMIT_SECONDS,
    });
  }
  if (status === 403 || status === 451) return invalid('GitHub does not show this gist any more.');
  throw unusableAnswer('GitHub');
}

/** The part of a pasted address that should be the id of a gist; `''` if it is not an address of one. */
function gistIdOf(pasted: string): string {
  const ssh = /^git@gist\.github\.com:([^/]+?)(?:\.git)?$/i.exec(pasted);
  if (ssh) return ssh[1]!;
  const address = /^(?:https?:\/\/)?([a-z.]+)\/([^?#]*)/i.exec(pasted);
  if (!address) return '';
  const host = address[1]!.toLowerCase();
  const parts = address[2]!.split('/').filter((part) => part !== '');
  if (host === 'api.github.com') return parts[0] === 'gists' ? (parts[1] ?? '') : '';
  if (!GIST_PAGE_HOSTS.includes(host)) return '';
  const [first = '', second] = parts.map((part) => part.replace(/\.(?:git|js|json)$/i, ''));
  // `/<id>`, `/<id>/raw` and `/<id>/<revision>` have no user in front.
  const hasNoUser =
    second === undefined || (GIST_ID.test(first) && (['raw', 'edit'].includes(second) || REVISION.test(second)));
  return hasNoUser ? first : second;
}
