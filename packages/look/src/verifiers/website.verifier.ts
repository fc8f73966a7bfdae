import { decodeHex, encodeBase58 } from '@signet/verify';
import { cleanPasted } from '@signet/verify/internal';
import { canonicalForm, NAME_PATTERNS } from '@signet/verify/names';
import { InvalidRequestError } from '../errors.js';
import { sha256Hex } from '../hashing.js';
import {
  invalid,
  type PlatformCosts,
  type PlatformGuide,
  type PlatformVerifier,
  type PostContent,
  type ProofClaim,
  type ProofDraft,
  SIGNATURE_PLACEHOLDER,
  type Verdict,
} from '../platform-verifier.js';
import { readHead } from '../posts/head-elements.js';
import { checkPostedSignature, type SeenPost } from '../posts/posted-signature.js';
import { checkProofDocument, writeProofDocument } from '../posts/proof-document.js';
import { type Fetcher, RequestBudget, type WebReply } from '../web/fetcher.js';
import { unusableAnswer } from '../web/unusable-answer.js';
import { isOrdinaryName } from '../web/url-guard.js';

const FILE = '/.well-known/signet.json';
const META = 'signet';
/** Bytes of a page in which the head has to be. */
const HEAD_BYTES = 256 * 1024;
const MAX_BYTES = 1024 * 1024;
const MAX_HOPS = 3;
/** Documents in one file, and meta elements in one page, that are tried. */
const MAX_PIECES = 20;
/** Before the compressed key in a `did:key`: 0xe7 of the table of multicodec, as a varint. */
const SECP256K1 = [0xe7, 0x01];

/** What is at an address, in the end; a sentence says why nothing is. */
type Found = { reply: WebReply; url: string } | { reason: string };

/**
 * A website: a file at its host, `/.well-known/signet.json`, with the proof document of the link or a list of such, or
 * `<meta name="signet">` with the signature in the head of the page that the identity names. Both hold the signature of
 * this very link. A claim by `rel="me"` needs less: `<link rel="me">` in that head, which names the key and no link.
 * Redirects are followed on the same host alone. Sources: RFC 8615; HTML Standard, "The meta element" and "Link type
 * me"; did:key, secp256k1.
 */
export class WebsiteVerifier implements PlatformVerifier {
  readonly platform = 'website';
  readonly publishes = 'record';
  readonly takesRelMe = true;
  readonly costs: PlatformCosts = {
    rates: { plain: { requests: 60, seconds: 60 } },
    requestsPerCheck: 2,
    hostOf: (identity) => hostOf(identity),
  };
  readonly guide: PlatformGuide = {
    label: 'Website',
    identityPattern: NAME_PATTERNS.website,
    identityExample: 'alice.example.org',
    locationForms: [],
    steps: [
      'Ask for a payload with the address of your page without https://, such as alice.example.org or example.org/~alice, as identity, and sign sign_payload with your Avatar key.',
      'Put the Base64 signature in place of %SIG_BASE64% in post_content.default.',
      'For a whole host, save this text as /.well-known/signet.json there; if that file is there already, make a list of both documents. For a page below it, put the text into the head of the page.',
      'Have it answered with the header Access-Control-Allow-Origin: *, so that browsers can look at it by themselves.',
      'Submit the proof without proof_location, and keep the text as long as the proof shall stay valid.',
      'Where only links can be set in the head of the page: put <link rel="me" href="…"> there, with the address of the page of your key (…/a/0x…) or its did:key, and submit extra.rel "me" with the Base64 signature as extra.signature. The page names your key then and not this binding, which is shown.',
    ],
  };

  constructor(private readonly web: Fetcher) {}

  /** Takes whole addresses: what follows the path is dropped, and letter case counts in the path alone. */
  canonicalIdentity(text: string): string {
    const page = canonicalForm(this.platform, cleanPasted(text));
    if (page !== null && isOrdinaryName(hostOf(page))) return page;
    throw new InvalidRequestError(
      'Not the address of a page: expected a public host, with a path or without, such as alice.example.org.',
      'invalid_identity',
    );
  }

  postContent(draft: ProofDraft): PostContent {
    const meta = `<meta name="${META}" content="${draft.avatar.compressed}:${SIGNATURE_PLACEHOLDER}">`;
    if (draft.identity.includes('/')) return { default: meta };
    const comment = `This file binds the website ${draft.identity} to an Avatar key by the signature over sign_payload.`;
    return { default: writeProofDocument(draft, 'website', comment) };
  }

  async verify(claim: ProofClaim): Promise<Verdict> {
    const budget = new RequestBudget();
    const isHost = !claim.identity.includes('/') && claim.rel !== 'me';
    const byFile = isHost ? await this.byFile(claim, budget) : null;
    const verdict = byFile?.valid ? byFile : await this.byPage(claim, budget, byFile);
    return verdict.valid ? { ...verdict, profileUrl: `https://${claim.identity}` } : verdict;
  }

  private async byFile(claim: ProofClaim, budget: RequestBudget): Promise<Verdict> {
    const found = await this.find(`https://${claim.identity}${FILE}`, budget);
    if ('reason' in found) return invalid(found.reason);
    const { reply, url } = found;
    // Many sites answer a page for whatever they do not have.
    const documents = isHtml(reply) ? [] : documentsIn(new TextDecoder().decode(reply.body));
    let refused: Verdict = invalid(`${FILE} holds no proof document.`);
    for (const document of documents.slice(0, MAX_PIECES)) {
      const verdict = checkProofDocument(document, claim, { url, body: reply.body });
      if (verdict.valid) return verdict;
      refused = verdict;
    }
    return refused;
  }

  /** @param byFile what the file of the host says, which stands where the page shows nothing; null for other pages */
  private async byPage(claim: ProofClaim, budget: RequestBudget, byFile: Verdict | null): Promise<Verdict> {
    const found = await this.find(`https://${claim.identity}${claim.identity.includes('/') ? '' : '/'}`, budget);
    if ('reason' in found) return byFile ?? invalid(found.reason);
    const { reply, url } = found;
    if (!isHtml(reply)) {
      if (byFile) return byFile;
      throw unusableAnswer('The website');
    }
    const { contents, me } = readHead(new TextDecoder().decode(reply.body.subarray(0, HEAD_BYTES)), META);
    if (claim.rel === 'me') return byRelMe(me, claim, { url, body: reply.body });
    let refused = byFile ?? invalid(`The head of the page has no <meta name="${META}">.`);
    for (const content of contents.slice(0, MAX_PIECES)) {
      const verdict = checkPostedSignature(content.replace(/^[^:]*:/, ''), claim, { url, body: reply.body });
      if (verdict.valid) return verdict;
      refused = verdict;
    }
    return refused;
  }

  /** @throws PlatformUnavailableError where the host says neither what is there nor that nothing is */
  private async find(address: string, budget: RequestBudget): Promise<Found> {
    const { hostname } = new URL(address);
    let url = address;
    for (let hop = 0; hop <= MAX_HOPS; hop += 1) {
      const headers = { accept: 'text/html, application/json' };
      const request = { url, trust: 'user', platform: this.platform, budget, headers, maxBytes: MAX_BYTES } as const;
      // A browser shows no redirect, and follows by itself; what counts is who answered in the end.
      const reply: WebReply & { url?: string } = this.web.isCrossOrigin
        ? await this.web.sendFollowing(request)
        : await this.web.send(request);
      if (reply.url !== undefined && new URL(reply.url).hostname !== hostname) break;
      if (reply.status === 404 || reply.status === 410)
        return { reason: `There is nothing at ${new URL(url).pathname}.` };
      if (reply.status === 200) return { reply, url: reply.url ?? url };
      const location = reply.headers['location'] ?? '';
      if (![301, 302, 303, 307, 308].includes(reply.status) || !URL.canParse(location, url)) break;
      const next = new URL(location, url);
      // Another host is another identity.
      if (next.hostname !== hostname) break;
      url = next.href;
    }
    throw unusableAnswer('The website');
  }
}

/** A page that names the key holds no signature, so its evidence has no text. */
function byRelMe(addresses: string[], { avatar }: ProofClaim, { url, body }: SeenPost): Verdict {
  if (!addresses.slice(0, MAX_PIECES).some((address) => namesKey(address, avatar.compressed)))
    return invalid(`The head of the page has no <link rel="me"> that names the key ${avatar.compressed}.`);
  return { valid: true, extra: { rel: 'me' }, evidence: { url, sha256: sha256Hex(body), matchedText: '' } };
}

/** Whether an address is the `did:key` of a key, or that of its page at any server of Signet. */
function namesKey(address: string, key: string): boolean {
  if (address === `did:key:z${encodeBase58(Uint8Array.of(...SECP256K1, ...decodeHex(key.slice(2))!))}`) return true;
  return URL.canParse(address) && new URL(address).pathname.toLowerCase().replace(/\/$/, '') === `/a/${key}`;
}

function hostOf(identity: string): string {
  return identity.replace(/\/.*$/, '');
}

function isHtml({ headers }: WebReply): boolean {
  return /^text\/html(?:;|$)/i.test(headers['content-type'] ?? '');
}

/** The texts of the documents in a file: one, or those of a list. @throws PlatformUnavailableError if it is no JSON */
function documentsIn(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text);
    return (Array.isArray(value) ? (value as unknown[]) : [value]).map((one) => JSON.stringify(one));
  } catch {
    throw unusableAnswer('The website');
  }
}
