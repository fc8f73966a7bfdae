import { Subject } from 'rxjs';
import { DomainError, PlatformMisconfiguredError, PlatformUnavailableError } from '../domain/domain-errors.js';
import type { ProofClaim, Verdict } from './platform-verifier.js';

/** One claim that a platform was asked about. */
export interface PlatformCheck {
  platform: string;
  isRecheck: boolean;
  /** `failed` is a defect of ours. */
  outcome: 'valid' | 'invalid' | 'unavailable' | 'misconfigured' | 'failed';
  /** How long the question took; that of a claim which was asked together with others is theirs too. */
  durationMs: number;
}

/** Tells whoever counts how checks end. Observers must not throw. */
export class PlatformChecks {
  readonly done = new Subject<PlatformCheck>();

  /** Asks, tells, and answers or throws what came. */
  async watch(platform: string, claim: ProofClaim, ask: () => Promise<Verdict>): Promise<Verdict> {
    const startedAt = performance.now();
    try {
      const verdict = await ask();
      this.tell(platform, claim, verdict, startedAt);
      return verdict;
    } catch (error) {
      this.tell(platform, claim, error, startedAt);
      throw error;
    }
  }

  tell(platform: string, { isRecheck = false }: ProofClaim, answer: unknown, startedAt: number): void {
    this.done.next({ platform, isRecheck, outcome: outcomeOf(answer), durationMs: performance.now() - startedAt });
  }
}

function outcomeOf(answer: unknown): PlatformCheck['outcome'] {
  if (answer instanceof PlatformUnavailableError) return 'unavailable';
  if (answer instanceof PlatformMisconfiguredError) return 'misconfigured';
  // What a verifier refuses by throwing, such as a signature in no known alphabet.
  if (answer instanceof DomainError) return 'invalid';
  if (answer instanceof Error) return 'failed';
  return (answer as Verdict).valid ? 'valid' : 'invalid';
}
