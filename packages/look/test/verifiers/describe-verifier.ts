import { PlatformMisconfiguredError, PlatformUnavailableError } from '@signet/look';
import type { AvatarKeyText } from '@signet/verify';
import {
  SIGNATURE_PLACEHOLDER,
  type PlatformVerifier,
  type ProofClaim,
  type Verdict,
} from '../../src/platform-verifier.js';
import { BrowserFetcher } from '../../src/browser/browser-fetcher.js';
import type { Fetcher } from '../../src/web/fetcher.js';
import type { CommonOptions } from '../../src/options/options.js';
import { anAvatar } from '../support/avatar.js';
import { aFetcher, optionsIn } from '../support/fetcher.js';
import { type Asked, MAX_BYTES, withStandIn } from '../support/shared-stand-ins.js';
import {
  cutMidBody,
  hugeBody,
  slowDrip,
  textReply,
  type StandInHandler,
  type StandInReply,
} from '../support/stand-in-server.js';

/** For answers that never come; those that come have longer, because the machine may be busy. */
const SHORT_TIMEOUT = { OUTBOUND_TIMEOUT_MS: '400' };
/** Far more members than any good answer has. */
const MAX_MEMBERS = 500;
const SECRET = 'planted-secret';

/** Names that look like another one, or are read as it by a program that is not careful. */
const LOOKALIKES: [what: string, change: (name: string) => string][] = [
  ['a character of another script', (name) => name.replace(/[a-z0-9]/i, (one) => ALIKE[one.toLowerCase()] ?? 'х')],
  ['a blank of no width', (name) => `${name.slice(0, 1)}\u200b${name.slice(1)}`],
  ['a letter doubled', (name) => name.replace(/[a-z0-9]/i, '$&$&')],
];
const ALIKE: Record<string, string> = { a: 'а', d: 'ԁ', 0: '０', 7: '７' };

/** What somebody has published on a platform. */
export interface PublishedPost {
  /** Canonical identity of the account that published it. */
  author: string;
  /** The author's own text. */
  text: string;
  /** The key that the claim names, for platforms where a file or a record is named for it. */
  avatar: AvatarKeyText;
}

export interface VerifierUnderTest {
  platform: string;
  /** Two canonical identities that the platform could have. */
  identity: string;
  otherIdentity: string;
  /** Canonical; `''` where the platform needs none. */
  proofLocation: string;
  /** The platform's account id of the author in the answers of `published`; absent where it has none. */
  accountId?: string;
  /** The verifier under test; the fetcher and the options lead to the stand-in. */
  create(web: Fetcher, options: CommonOptions): PlatformVerifier;
  /** The reader that browsers load, where they can read the platform; the tests then run with it as well. */
  browser?: (web: Fetcher, options: CommonOptions) => Pick<PlatformVerifier, 'verify'>;
  /** Whether browsers ask for less, so that they may say "unavailable" where the service says no. */
  browserAsksLess?: boolean;
  /** Settings that lead to the stand-in at `baseUrl`, such as `{ GITHUB_API_BASE: baseUrl }`, tokens included. */
  settings(baseUrl: string): Record<string, string>;
  /** For hosts that users choose: the names for which the stand-in answers, by https. */
  hosts?: string[];
  /** How the platform answers when this has been published at `proofLocation`. */
  published(post: PublishedPost): StandInHandler;
  /** Other forms in which the platform shows the same post; by name, such as `a long post`. */
  otherForms?: Record<string, (post: PublishedPost) => StandInHandler>;
  /** Members of the good answers whose absence is how the platform says "nothing is there": path and source. */
  absenceIsNo?: Record<string, string>;
  /** Whether the platform answers in HTML, so that a page without a proof is a "no". */
  readsHtml?: boolean;
  /** How the platform answers when nothing is there, in each way it has; by name, such as `a 404`. */
  missing: Record<string, StandInHandler>;
  /**
   * How the platform answers when `post.author` has published something without a signature, and `post.text` stands in
   * the answer as somebody else's: quoted, forwarded, replied to. By name, such as `a quoted post`.
   */
  foreign?: Record<string, (post: PublishedPost) => StandInHandler>;
  /**
   * How the platform answers when somebody else has the name of the author now, and publishes the same; absent where
   * names are never given to others.
   */
  reused?: (post: PublishedPost) => StandInHandler;
}

/** A running verifier with the stand-in that it asks. */
export interface VerifierBench<Verifier = PlatformVerifier> {
  verifier: Verifier;
  standIn: Asked['standIn'];
}

const alice = anAvatar('alice');
/** For verifiers that write texts alone. */
const neverUsed = aFetcher();

/** A claim of alice, to be confirmed by the platform. Not signed here; see `postOf`. */
export function aClaim(
  { platform, identity, proofLocation }: Pick<VerifierUnderTest, 'platform' | 'identity' | 'proofLocation'>,
  changes: Partial<ProofClaim> = {},
): ProofClaim {
  return {
    avatar: alice.key,
    identity,
    signPayload: JSON.stringify({ action: 'create', avatar: alice.key.compressed, identity, platform, prev: null }),
    uuid: '6f1c0f3e-5a1b-4c2d-8e3f-0123456789ab',
    createdAt: new Date(1_718_000_000_000),
    previous: null,
    proofLocation,
    ...changes,
  };
}

/** The text that a person publishes for a claim: the verifier's own, with a signature in place of the placeholder. */
export function postOf(
  verifier: PlatformVerifier,
  claim: ProofClaim,
  signature = alice.sign(claim.signPayload),
): string {
  return verifier.postContent(claim).default.replace(SIGNATURE_PLACEHOLDER, signature);
}

/** What makes a verifier, and leads it to a stand-in. */
type Bench = Pick<VerifierUnderTest, 'create' | 'hosts' | 'platform' | 'settings'>;

/** Starts a stand-in and a verifier that asks it, runs `use`, and stops both. `variables` are further settings. */
export async function withVerifier<T>(
  suite: Bench,
  handler: StandInHandler,
  use: (bench: VerifierBench) => Promise<T>,
  variables: Record<string, string> = {},
): Promise<T> {
  return withStandIn(suite, handler, (asked) => askVerifier(suite, asked, use), variables);
}

/** As `withVerifier`, with what browsers have: their reader, over a `fetch`. */
export async function withReader<T>(
  suite: Bench & Pick<VerifierUnderTest, 'browser'>,
  handler: StandInHandler,
  use: (bench: VerifierBench<Pick<PlatformVerifier, 'verify'>>) => Promise<T>,
  variables: Record<string, string> = {},
): Promise<T> {
  return withStandIn(suite, handler, (asked) => askReader(suite, asked, use), variables);
}

/** Runs `use` with a new verifier, which remembers nothing. */
async function askVerifier<T>(suite: Bench, asked: Asked, use: (bench: VerifierBench) => Promise<T>): Promise<T> {
  const { standIn, options } = asked;
  return use({ verifier: suite.create(await asked.fetcher(), options), standIn });
}

/** Runs `use` with a new reader of browsers, which remembers nothing. */
async function askReader<T>(
  suite: Bench & Pick<VerifierUnderTest, 'browser'>,
  asked: Asked,
  use: (bench: VerifierBench<Pick<PlatformVerifier, 'verify'>>) => Promise<T>,
): Promise<T> {
  const { standIn, options, maxBytes } = asked;
  const web = new BrowserFetcher({ fetch: await asked.fetch(), maxBytes, timeoutMs: options.timeoutMs });
  return use({ verifier: suite.browser!(web, options), standIn });
}

/**
 * The verdict of the service's verifier. Where browsers can read the platform, what they load must say the same, or
 * throw an error of the same class.
 */
export async function verdictEverywhere(
  suite: Bench & Pick<VerifierUnderTest, 'browser' | 'browserAsksLess'>,
  handler: StandInHandler,
  claim: ProofClaim,
  variables: Record<string, string> = {},
): Promise<Verdict> {
  const ask = ({ verifier }: VerifierBench<Pick<PlatformVerifier, 'verify'>>) => verifier.verify(claim);
  const outcomeOf = (verdict: Promise<Verdict>) => verdict.catch((error: Error) => error);
  const nameOf = (outcome: Verdict | Error) => (outcome instanceof Error ? outcome.constructor.name : outcome);
  const outcome = await outcomeOf(withVerifier(suite, handler, ask, variables));
  if (suite.browser) {
    const inBrowser = await outcomeOf(withReader(suite, handler, ask, variables));
    const isNo = !(outcome instanceof Error) && !outcome.valid;
    const knowsLess = suite.browserAsksLess && isNo && inBrowser instanceof PlatformUnavailableError;
    if (!knowsLess) expect(nameOf(inBrowser)).toEqual(nameOf(outcome));
  }
  if (outcome instanceof Error) throw outcome;
  return outcome;
}

/**
 * What every verifier of something published has to do, whatever its platform. The spec of a platform adds what is its
 * own.
 */
export function describePostVerifier(suite: VerifierUnderTest): void {
  const claim = aClaim(suite);
  const check = (handler: StandInHandler, variables: Record<string, string> = {}): Promise<Verdict> =>
    verdictEverywhere(suite, handler, claim, variables);
  /** Publishes the post of the claim with the signature and the author given, and checks it. */
  const checkPost = ({
    signature = alice.sign(claim.signPayload),
    author = suite.identity,
    asked = claim,
  } = {}): Promise<Verdict> =>
    verdictEverywhere(
      suite,
      (request) =>
        suite.published({ author, text: postOf(verifierOf(suite), asked, signature), avatar: asked.avatar })(request),
      asked,
    );

  describe(`${suite.platform}: the common suite`, () => {
    it('accepts a good post, with its signature, account id and evidence', async () => {
      const signature = alice.sign(claim.signPayload);

      const verdict = await checkPost();

      expect(verdict).toMatchObject({ valid: true, signature });
      const { accountId, evidence } = verdict as Extract<Verdict, { valid: true }>;
      expect(accountId).toBe(suite.accountId);
      expect(evidence!.sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(evidence!.matchedText).toContain(signature);
      expect(evidence!.url).not.toBe('');
    });

    describeSecrets(suite, claim);

    it('refuses the post of another author', async () => {
      expect(await checkPost({ author: suite.otherIdentity })).toEqual(refusal());
    });

    it.each(LOOKALIKES)('takes no account for this one whose name has %s', async (_what, change) => {
      const author = change(suite.identity);
      expect(author).not.toBe(suite.identity);
      const outcome = await checkPost({ author }).catch((error: unknown) => error);

      if (!(outcome instanceof PlatformUnavailableError)) expect(outcome).toEqual(refusal());
    });

    it('refuses a post that another key has signed', async () => {
      expect(await checkPost({ signature: anAvatar('mallory').sign(claim.signPayload) })).toEqual(refusal());
    });

    it('refuses a good post for another key', async () => {
      const asked = { ...claim, avatar: anAvatar('mallory').key };

      expect(await checkPost({ asked })).toEqual(refusal());
    });

    it('refuses a post that was signed for another payload', async () => {
      expect(await checkPost({ signature: alice.sign(claim.signPayload.replace('create', 'delete')) })).toEqual(
        refusal(),
      );
    });

    it('refuses a post whose signature was edited away', async () => {
      expect(await checkPost({ signature: 'gone' })).toEqual(refusal());
    });

    it('says that the placeholder still stands where the signature belongs', async () => {
      expect(await checkPost({ signature: '%SIG_BASE64%' })).toMatchObject({
        valid: false,
        reason: expect.stringMatching(/still (holds|stands)/),
      });
    });

    it.each([
      [24, false],
      [50, false],
      [85, true],
    ])('tells a signature that was cut behind %i characters from none', async (letters, isPadded) => {
      const cut = alice.sign(claim.signPayload).slice(0, letters) + (isPadded ? '=' : '');

      expect(await checkPost({ signature: cut })).toMatchObject({ reason: expect.stringContaining('was cut') });
      expect(await checkPost({ signature: 'gone' })).not.toMatchObject({ reason: expect.stringContaining('was cut') });
    });

    it.each(Object.entries(suite.missing))('refuses when nothing is there: %s', async (_how, handler) => {
      expect(await check(handler)).toEqual(refusal());
    });

    describeSlashes(suite, claim);
    describeForeign(suite, claim, check);
    describeFailures(suite, check);
    describeSurprises(suite, claim);
    describeGaps(suite, claim);
  });
}

/**
 * Operators put keys into the addresses of their servers (nodes, resolvers, gateways) as well as into tokens: neither
 * is told to anybody else.
 */
function describeSecrets(suite: VerifierUnderTest, claim: ProofClaim): void {
  const tokens = Object.entries(suite.settings('http://127.0.0.1')).filter(([name]) => /TOKEN|SECRET/.test(name));
  const secrets = [SECRET, ...tokens.map(([, token]) => token)];
  const settings = (baseUrl: string) => suite.settings(`${baseUrl}/${SECRET}`);
  const hasAddresses = Object.values(settings('')).some((value) => value.includes(SECRET));
  /** Everything that is told of a check, where the platform answers with `handler` below a path that is a secret. */
  const told = (handler: StandInHandler): Promise<string> =>
    withVerifier(
      { ...suite, settings },
      (request) => handler({ ...request, path: request.path.replace(`/${SECRET}`, '') }),
      async ({ verifier, standIn }) => {
        const outcome = await verifier.verify(claim).catch((error: Error) => error);
        const sent = JSON.stringify(standIn.requests);
        if (hasAddresses) expect(sent).toContain(SECRET);
        for (const [, token] of tokens) expect(sent).toContain(token);
        return outcome instanceof Error ? outcome.message : JSON.stringify(outcome);
      },
    );
  const good: StandInHandler = (request) =>
    suite.published({ author: suite.identity, text: postOf(verifierOf(suite), claim), avatar: claim.avatar })(request);

  it.each<[string, StandInHandler]>([
    ['a good answer', good],
    ['an answer that refuses the credential', () => ({ status: 401, json: { message: 'Unauthorized' } })],
    ['a failure', () => ({ status: 503 })],
    ['an answer that makes no sense', () => ({ json: 'x' })],
  ])('tells no secret of its settings after %s', async (_what, handler) => {
    const text = await told(handler);

    for (const secret of secrets) expect(text).not.toContain(secret);
  });
}

/** Operators write the address of a server with a slash at its end or without. */
function describeSlashes(suite: VerifierUnderTest, claim: ProofClaim): void {
  const withSlash = (address: string) => (/^http:\/\/[^/]*$/.test(address) ? `${address}/` : address);
  const settings = (baseUrl: string) =>
    Object.fromEntries(Object.entries(suite.settings(baseUrl)).map(([name, value]) => [name, withSlash(value)]));
  if (!Object.values(settings('http://127.0.0.1')).some((value) => value.endsWith('/'))) return;
  it('asks for the same where the address of the server is set with a slash at its end', async () => {
    const text = postOf(verifierOf(suite), claim);
    const handler = suite.published({ author: suite.identity, text, avatar: claim.avatar });
    const verdict = await withVerifier({ ...suite, settings }, handler, ({ verifier }) => verifier.verify(claim));

    expect(verdict).toMatchObject({ valid: true });
  });
}

/** Nothing is read from a text that is somebody else's. */
function describeForeign(
  suite: VerifierUnderTest,
  claim: ProofClaim,
  check: (handler: StandInHandler) => Promise<Verdict>,
): void {
  const foreign = Object.entries(suite.foreign ?? {});
  if (foreign.length === 0) return;
  it.each(foreign)('finds nothing in what somebody else wrote: %s', async (_how, answer) => {
    const text = postOf(verifierOf(suite), claim);

    expect(await check(answer({ author: suite.identity, text, avatar: claim.avatar }))).toEqual(refusal());
  });
}

/** A failure on the way to the platform is not an answer, so it never counts as a "no". */
function describeFailures(
  { readsHtml = false }: VerifierUnderTest,
  check: (handler: StandInHandler, variables?: Record<string, string>) => Promise<Verdict>,
): void {
  const failures: Record<string, StandInReply> = {
    'asks for fewer requests (429)': { status: 429, json: { message: 'slow down' }, headers: { 'retry-after': '120' } },
    'has an error of its own (500)': { status: 500, json: { message: 'oops' } },
    'is overloaded (503)': { status: 503, text: 'busy' },
    'cuts the connection': 'cut',
    'cuts the connection in the answer': cutMidBody(),
    ...(!readsHtml && {
      'answers with HTML': textReply('<html><body>Are you human?</body></html>', 200, 'text/html'),
    }),
    'answers with a bot wall (403)': textReply('<html><body>Are you human?</body></html>', 403, 'text/html'),
    'answers with a huge body': hugeBody(MAX_BYTES * 2),
    'answers with half a JSON text': { text: '{"data":', headers: { 'content-type': 'application/json' } },
    redirects: { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
  };
  it.each(Object.entries(failures))('says that the platform is unavailable when it %s', async (_how, reply) => {
    await expect(check(() => reply)).rejects.toThrow(PlatformUnavailableError);
  });

  it.each<[string, StandInReply]>([
    ['never answers', 'hang'],
    ['answers slowly and forever', slowDrip(20)],
  ])('says that the platform is unavailable when it %s', async (_what, reply) => {
    await expect(check(() => reply, SHORT_TIMEOUT)).rejects.toThrow(PlatformUnavailableError);
  });
}

/** Beside the absence of a member, which `describeGaps` tries. */
const STRANGE_VALUES: unknown[] = [null, -1.5, '', [null], { constructor: 1 }];

/**
 * Every member of the good answer, one after the other, has another type than it should have: no answer may crash the
 * verifier.
 */
function describeSurprises(suite: VerifierUnderTest, claim: ProofClaim): void {
  const places: [string, typeof askReader][] = [['the service', askVerifier]];
  if (suite.browser) places.push(['a browser', askReader]);
  it.each(places)('gives a verdict or says unavailable for whatever types an answer has: %s', async (_place, ask) => {
    const text = postOf(verifierOf(suite), claim);
    const good = suite.published({ author: suite.identity, text, avatar: claim.avatar });
    const run = async (asked: Asked, value: unknown): Promise<void> => {
      let isLast = false;
      for (let target = 0; target < MAX_MEMBERS && !isLast; target += 1) {
        const change = { left: target, value };
        asked.standIn.handle(async (request) => strange(await good(request), change));

        const outcome = await ask(suite, asked, ({ verifier }) => verifier.verify(claim)).catch(
          (error: unknown) => error,
        );

        isLast = change.left >= 0;
        const isKnown = outcome instanceof PlatformUnavailableError || outcome instanceof PlatformMisconfiguredError;
        if (!isKnown) expect(outcome).toHaveProperty('valid', expect.any(Boolean));
      }
      expect(isLast).toBe(true);
    };

    // The rules are the same in a browser; its fetcher is what differs.
    const values = ask === askVerifier ? STRANGE_VALUES : STRANGE_VALUES.filter((_, index) => index % 3 === 0);
    await withStandIn(suite, good, async (asked) => {
      for (const value of values) await run(asked, value);
    });
  });
}

/**
 * A copy of a JSON reply with the `left`-th member, counted over all replies of a check, replaced. `left` is -1 once it
 * was reached.
 */
function strange(reply: StandInReply, change: { left: number; value: unknown }): StandInReply {
  if (typeof reply !== 'object' || reply.json === undefined) return reply;
  const walk = (value: unknown): unknown => {
    if (change.left === 0) {
      change.left = -1;
      return change.value;
    }
    if (change.left > 0) change.left -= 1;
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, walk(member)]));
  };
  return { ...reply, json: walk(reply.json) ?? null };
}

/**
 * Members of the good answers, in each of their forms, are missing or of another type one after the other: what a
 * platform did not say is never a "no".
 */
function describeGaps(suite: VerifierUnderTest, claim: ProofClaim): void {
  const places: [string, typeof askReader][] = [['the service', askVerifier]];
  if (suite.browser) places.push(['a browser', askReader]);
  const forms = Object.entries({ 'the usual form': suite.published, ...suite.otherForms });
  const cases = places.flatMap(([place, ask]) => forms.map(([form, answer]) => [form, place, answer, ask] as const));
  it.each(cases)('never takes a missing member for a no: %s, %s', async (_form, _place, answer, ask) => {
    const good = answer({ author: suite.identity, text: postOf(verifierOf(suite), claim), avatar: claim.avatar });
    const noes: string[] = [];
    await withStandIn(suite, good, async (asked) => {
      const outcomeWith = async (gap: Gap) => {
        asked.standIn.handle(async (request) => withGap(await good(request), gap));
        return ask(suite, asked, ({ verifier }) => verifier.verify(claim)).catch((error: unknown) => error);
      };
      expect(await outcomeWith({ left: Infinity, isAbsent: true })).toMatchObject({ valid: true });
      for (const isAbsent of [true, false]) {
        for (let target = 0, isLast = false; target < MAX_MEMBERS && !isLast; target += 1) {
          const gap: Gap = { left: target, isAbsent };
          const outcome = await outcomeWith(gap);
          isLast = gap.path === undefined;
          if (outcome instanceof PlatformUnavailableError || outcome instanceof PlatformMisconfiguredError) continue;
          if ((outcome as Verdict).valid || Object.hasOwn(suite.absenceIsNo ?? {}, gap.path!)) continue;
          noes.push(`${isAbsent ? 'without' : 'with a wrong type of'} ${gap.path}: ${JSON.stringify(outcome)}`);
        }
      }
    });

    expect(noes).toEqual([]);
  });
}

/** The `left`-th member, counted over all objects of all replies of a check, is to be absent or of another type. */
interface Gap {
  left: number;
  isAbsent: boolean;
  /** Where the member is, such as `owner.login`; absent until it was reached. */
  path?: string;
}

/** A copy of a reply with the gap in its JSON, which may be sent as plain text. */
function withGap(reply: StandInReply, gap: Gap): StandInReply {
  if (typeof reply !== 'object') return reply;
  const { json, text } = reply;
  if (text?.startsWith('{')) return { ...reply, text: JSON.stringify(withoutMember(JSON.parse(text), gap, [])) };
  return json === undefined ? reply : { ...reply, json: withoutMember(json, gap, []) };
}

function withoutMember(value: unknown, gap: Gap, path: string[]): unknown {
  if (Array.isArray(value)) return value.map((each, index) => withoutMember(each, gap, [...path, String(index)]));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const isMeant = gap.left === 0;
    gap.left -= 1;
    if (!isMeant) return [[name, withoutMember(member, gap, [...path, name])]];
    gap.path = [...path, name].join('.');
    return gap.isAbsent ? [] : [[name, typeof member === 'number' ? 'x' : -1.5]];
  });
  return Object.fromEntries(members) as unknown;
}

/** A verifier for its texts only; it is never asked to verify. */
function verifierOf(suite: VerifierUnderTest): PlatformVerifier {
  return suite.create(neverUsed, optionsIn(suite.platform, suite.settings('http://127.0.0.1')));
}

/** The negative verdict with a sentence for people, and the proof of it where the platform signs one. */
export function refusal(): unknown {
  return expect.objectContaining({ valid: false, reason: expect.stringMatching(/^[A-Z].*\.$/s) });
}
