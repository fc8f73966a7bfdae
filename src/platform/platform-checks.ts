import { Subject } from 'rxjs';
import { DomainError, PlatformMisconfiguredError, PlatformUnavailableError } from '../domain/domain-errors.js';
import type { ProofClaim, Verdict } from '@signet/look';

/** One check of a claim with its platform. */
export interface PlatformCheck {
  platform: string;
  isRecheck: boolean;
  /** `failed` is a defect of ours. */
  outcome: 'valid' | 'invalid' | 'unavailable' | 'misconfigured' | 'failed';
  /** Milliseconds that the request took; claims that were checked together share one request. */
  durationMs: number;
}

/** Reports the outcome of each check, for metrics. Observers must not throw. */
export class PlatformChecks {
  readonly done = new Subject<PlatformCheck>();

  /** Runs `ask` and reports its outcome. Returns its verdict, or throws its error. */
  async watch(platform: string, claim: ProofClaim, ask: () => Promise<Verdict>): Promise<Verdict> {
    const startedAt = performance.now();
    try {
      const verdict = await ask();
      this.report(platform, claim, verdict, startedAt);
      return verdict;
    } catch (error) {
      this.report(platform, claim, error, startedAt);
      throw error;
    }
  }

  report(platform: string, { isRecheck = false }: ProofClaim, answer: unknown, startedAt: number): void {
    this.done.next({ platform, isRecheck, outcome: metricOutcome(answer), durationMs: performance.now() - startedAt });
  }
}

/** The label of `signet_platform_checks_total`; what a recheck makes of an answer is `outcomeOf` of `packages/look`. */
function metricOutcome(answer: unknown): PlatformCheck['outcome'] {
  if (answer instanceof PlatformUnavailableError) return 'unavailable';
  if (answer instanceof PlatformMisconfiguredError) return 'misconfigured';
  // What a verifier refuses by throwing, such as a signature in no known alphabet.
  if (answer instanceof DomainError) return 'invalid';
  if (answer instanceof Error) return 'failed';
  return (answer as Verdict).valid ? 'valid' : 'invalid';
}
