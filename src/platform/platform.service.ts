import { cleanPasted, isPlatformName } from '@signet/verify/internal';
import { type Environment, InvalidEnvironmentError } from '../config/environment.js';
import { submitCurves } from '../domain/submit-curves.js';
import type { WebClient } from '../outbound/web-client.js';
import { problemOfIdentity, UNUSABLE_TEXT } from './identity-text.js';
import { type CheckBudget, outcomeOfCheck, type PlatformCheck } from './platform-checks.js';
import {
  type FoundAccount,
  InvalidRequestError,
  PlatformMisconfiguredError,
  PlatformUnavailableError,
  type PlatformVerifier,
  type ProofClaim,
  type Verdict,
} from '@signet/look';
import { isWallet, settledVerdict } from '@signet/look/internal';
import { Subject } from 'rxjs';

/** An identity is something besides white space. */
export const NOT_BLANK = /\S/;
/** Longer than any link to a post. */
export const MAX_LOCATION_LENGTH = 2048;

/**
 * What is wrong with the settings that name platforms, or must not name one, one sentence each.
 * @param names the platforms
 * @param rated those that have a budget of requests: platforms, and others that are asked
 */
export function problemsOfNames(
  { PLATFORMS = [], PLATFORM_PRICES = [], RATE_BUDGETS = [], SERVICE_NAME }: Environment,
  names: string[],
  rated: string[],
): string[] {
  const unknown = PLATFORMS.filter((name) => !names.includes(name));
  const unrated = RATE_BUDGETS.map((entry) => entry.split('=')[0]!).filter((name) => !rated.includes(name));
  const unpriced = PLATFORM_PRICES.map((entry) => entry.split('=')[0]!).filter((name) => !names.includes(name));
  return [
    ...(names.includes(SERVICE_NAME) ? [`SERVICE_NAME may not be "${SERVICE_NAME}": that is a platform`] : []),
    ...(unknown.length > 0 ? [`PLATFORMS names ${unknown.join(', ')}, but there are only ${names.join(', ')}`] : []),
    ...(unpriced.length > 0
      ? [`PLATFORM_PRICES names ${unpriced.join(', ')}, but there are only ${names.join(', ')}`]
      : []),
    ...(unrated.length > 0 ? [`RATE_BUDGETS names ${unrated.join(', ')}, but there are only ${rated.join(', ')}`] : []),
  ];
}

/** Finds verifiers by name. Callers ask once for a verifier and pass it on. */
export class PlatformService {
  /** Each check, when it is done, for metrics. Observers must not throw. */
  readonly checks = new Subject<PlatformCheck>();
  private readonly verifiers = new Map<string, PlatformVerifier>();

  /** @throws Error at boot, as `add` does. */
  constructor(
    list: PlatformVerifier[],
    private readonly environment: Environment,
    private readonly web: WebClient,
  ) {
    for (const verifier of list) this.add(verifier);
  }

  /**
   * Adds a platform, also while the service runs.
   * @throws Error if there is one of its name, or if its name has another form than `isPlatformName` wants
   */
  add(verifier: PlatformVerifier): void {
    const { platform, costs } = verifier;
    if (!isPlatformName(platform)) {
      throw new Error(`"${platform}" cannot name a platform: a name is 1 to 64 of a-z, 0-9, _, . and -.`);
    }
    if (this.verifiers.has(platform)) throw new Error('Two verifiers are registered for one platform.');
    this.verifiers.set(platform, verifier);
    if (costs) this.web.rates.declare(platform, costs.rates);
  }

  /**
   * @throws InvalidEnvironmentError if SERVICE_NAME is the name of a platform, or if PLATFORMS or RATE_BUDGETS names an
   *   unknown one. To be called when all modules are there, since others than platforms have rates too.
   */
  assertSettingsFit(): void {
    const problems = problemsOfNames(this.environment, this.names(), this.web.rates.names());
    if (problems.length > 0) throw new InvalidEnvironmentError(problems);
  }

  /** All platform values of this build; queries and deletes work for each of them. */
  names(): string[] {
    return [...this.verifiers.keys()];
  }

  has(platform: string): boolean {
    return this.verifiers.has(platform);
  }

  /** All verifiers, in the order of registration. */
  all(): PlatformVerifier[] {
    return [...this.verifiers.values()];
  }

  /** @throws InvalidRequestError (`unknown_platform`) */
  get(platform: string): PlatformVerifier {
    const verifier = this.verifiers.get(platform);
    if (!verifier) throw new InvalidRequestError(this.unknown(platform), 'unknown_platform');
    return verifier;
  }

  private unknown(platform: string): string {
    const { SERVICE_NAME } = this.environment;
    const known = this.names().join(', ');
    if (platform === SERVICE_NAME) {
      return `"${platform}" is the name of this service and no platform: a key is given as public_key or avatar here, and platforms are ${known}.`;
    }
    return `There is no platform "${platform.slice(0, 64)}"; this service knows ${known}, and keys are looked up under its own name, ${SERVICE_NAME}.`;
  }

  /** Platforms on which a create can work now: switched on and configured. */
  available(): string[] {
    return this.all()
      .filter((verifier) => this.configurationProblem(verifier) === null)
      .map((verifier) => verifier.platform);
  }

  /** Why a create cannot work on this server, in one sentence, or null. */
  configurationProblem(verifier: PlatformVerifier): string | null {
    const { platform } = verifier;
    const { PLATFORMS } = this.environment;
    if (PLATFORMS && !PLATFORMS.includes(platform)) return `The operator of this server has switched ${platform} off.`;
    return verifier.missingSetting?.() ?? null;
  }

  /**
   * The number of checks of a platform that the web client of this process allows in a time. Creates count too, so the
   * planning of rechecks has to leave room for them.
   */
  checkBudget({ platform, costs }: PlatformVerifier): CheckBudget {
    const hostOf = costs?.hostOf?.bind(costs);
    return {
      ...this.web.rates.budgetOf(platform, costs?.hasToken ?? false),
      requestsPerCheck: costs?.requestsPerCheck ?? 1,
      checksPerRequest: costs?.checksPerRequest ?? 1,
      budgetKey: hostOf ? (identity) => `${platform}@${hostOf(identity)}` : () => platform,
      isPerHost: hostOf !== undefined,
    };
  }

  /** Why the platform is not asked at the moment although all is configured: it kept failing. Null while it works. */
  unavailableReason(verifier: PlatformVerifier): string | null {
    const { platform } = verifier;
    // Plain wallets are checked without a request, also while the nodes that know contract wallets are away.
    if (isWallet(verifier) || this.web.isPlatformAvailable(platform)) return null;
    return `${platform} kept failing and is not asked for a moment; try again shortly.`;
  }

  /** Whether the body of a submit makes this server ask somebody else: a create whose check sends requests. */
  asksOthers(body: unknown): boolean {
    const { action, platform } = (body ?? {}) as { action?: unknown; platform?: unknown };
    if (action !== 'create' || typeof platform !== 'string') return false;
    const verifier = this.verifiers.get(platform);
    return verifier !== undefined && (verifier.asksOthers ?? !isWallet(verifier));
  }

  /** @throws PlatformMisconfiguredError if a create cannot work on this server. */
  assertAvailable(verifier: PlatformVerifier): void {
    const problem = this.configurationProblem(verifier);
    if (problem) throw new PlatformMisconfiguredError(problem);
  }

  /**
   * The one form of an identity that is signed, stored and compared.
   * @throws InvalidRequestError (`invalid_identity`) if the platform could not have it.
   */
  canonicalIdentity(verifier: PlatformVerifier, text: string): string {
    const problem = problemOfIdentity(text);
    if (problem !== null) throw new InvalidRequestError(problem, 'invalid_identity');
    return verifier.canonicalIdentity(text);
  }

  /** For queries: the canonical form, or null if the platform could not have this identity. */
  findIdentity(verifier: PlatformVerifier, text: string): string | null {
    if (problemOfIdentity(text) !== null) return null;
    if (verifier.findIdentity) return verifier.findIdentity(text);
    try {
      return verifier.canonicalIdentity(text);
    } catch (error) {
      if (error instanceof InvalidRequestError) return null;
      throw error;
    }
  }

  /**
   * The account behind a name that can change hands, or the name of an account; null where there is none.
   * @throws InvalidRequestError if the platform has no such names, or could not have this one;
   *   PlatformUnavailableError, PlatformMisconfiguredError
   */
  async findAccount(verifier: PlatformVerifier, text: string): Promise<FoundAccount | null> {
    const problem = problemOfIdentity(text);
    if (problem !== null) throw new InvalidRequestError(problem, 'invalid_identity');
    if (!verifier.findAccount)
      throw new InvalidRequestError(`${verifier.platform} has no names beside its identities.`);
    this.assertAvailable(verifier);
    return verifier.findAccount(text);
  }

  /**
   * Whether a create needs a location, and whether `text` is one at first sight; no network.
   * @throws InvalidRequestError (`missing_proof_location`, `invalid_proof_location`)
   */
  assertLocationGiven({ platform, publishes }: PlatformVerifier, text: string | undefined): void {
    if (publishes !== 'post') return;
    const meant = cleanPasted(text ?? '');
    if (meant === '') {
      throw new InvalidRequestError(
        `proof_location is missing: ${platform} needs the location of the public post.`,
        'missing_proof_location',
      );
    }
    if (meant.length > MAX_LOCATION_LENGTH || UNUSABLE_TEXT.test(meant)) {
      throw new InvalidRequestError(
        'proof_location is too long or holds a control character.',
        'invalid_proof_location',
      );
    }
  }

  /**
   * Reduces a location to the canonical id; `''` where the platform needs none. May make one guarded request.
   * @throws InvalidRequestError (`invalid_proof_location`), PlatformUnavailableError
   */
  async canonicalLocation(verifier: PlatformVerifier, text: string | undefined, identity: string): Promise<string> {
    if (verifier.publishes !== 'post') return '';
    const meant = cleanPasted(text!);
    return (await verifier.canonicalLocation?.(meant, identity)) ?? meant;
  }

  /**
   * Asks the platform. An account id that differs from the one seen before is a "no": the name belongs to somebody else
   * now. What is answered has the form of `settledVerdict`.
   * @throws PlatformUnavailableError, PlatformMisconfiguredError
   */
  async verify(verifier: PlatformVerifier, claim: ProofClaim): Promise<Verdict> {
    this.assertAvailable(verifier);
    const startedAt = performance.now();
    const ask = async () => verifier.verify(withCurves(claim));
    const answer = await ask().catch((error: Error) => error);
    const verdict = this.settle(verifier, claim, answer, startedAt);
    if (verdict instanceof Error) throw verdict;
    return verdict;
  }

  /**
   * Asks the platform about many claims in few requests, where its verifier has `verifyMany`, and about one after the
   * other elsewhere. The answers are in the order of the claims; an Error stands for what `verify` would have thrown.
   * @throws PlatformMisconfiguredError if a check cannot work on this server.
   */
  async verifyMany(verifier: PlatformVerifier, claims: ProofClaim[]): Promise<(Verdict | Error)[]> {
    this.assertAvailable(verifier);
    if (verifier.verifyMany) {
      const startedAt = performance.now();
      const answers = await verifier.verifyMany(claims.map(withCurves));
      return claims.map((claim, index) => this.settle(verifier, claim, answers[index], startedAt));
    }
    const answers: (Verdict | Error)[] = [];
    for (const claim of claims) answers.push(await this.verify(verifier, claim).catch((error: Error) => error));
    return answers;
  }

  /** The settled form of an answer, or an error; reports the outcome of the check. */
  private settle(
    { platform }: PlatformVerifier,
    claim: ProofClaim,
    answer: Verdict | Error = new PlatformUnavailableError(`${platform} gave no answer; try again later.`),
    startedAt: number,
  ): Verdict | Error {
    const settled = answer instanceof Error ? answer : settledOrError(platform, claim, answer);
    const { isRecheck = false } = claim;
    const durationMs = performance.now() - startedAt;
    this.checks.next({ platform, isRecheck, outcome: outcomeOfCheck(settled), durationMs });
    return settled;
  }
}

function settledOrError(platform: string, claim: ProofClaim, answer: Verdict): Verdict | Error {
  try {
    return settledVerdict(platform, claim, answer);
  } catch (error) {
    return error as Error;
  }
}

/** The libraries of this service are some hundred times faster than those that run everywhere. */
function withCurves(claim: ProofClaim): ProofClaim {
  return { ...claim, curves: submitCurves };
}
