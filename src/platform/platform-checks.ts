import {
  InvalidRequestError,
  InvalidSignatureError,
  PlatformMisconfiguredError,
  PlatformUnavailableError,
  type Rate,
  type Verdict,
} from '@signet/look';

/** The budget for rechecks of a platform. */
export interface CheckBudget extends Rate {
  /** Requests to one host that a check takes as a rule. */
  requestsPerCheck: number;
  /** Checks that share one request; above 1 where `verifyMany` asks for many at once. */
  checksPerRequest: number;
  /** Key of the budget for a check of `identity`: a host that a user chose has a budget of its own. */
  budgetKey(identity: string): string;
  /** Whether each host has a budget of its own. */
  isPerHost: boolean;
}

export interface PlatformCheck {
  platform: string;
  isRecheck: boolean;
  /** `failed` is a defect of ours. */
  outcome: 'valid' | 'invalid' | 'unavailable' | 'misconfigured' | 'failed';
  /** Milliseconds that the request took; claims that were checked together share one request. */
  durationMs: number;
}

/**
 * The label `outcome` of `signet_check_duration_seconds`. Rechecks judge an answer by `outcomeOf` of `@signet/look`.
 */
export function outcomeOfCheck(answer: Verdict | Error): PlatformCheck['outcome'] {
  if (answer instanceof PlatformUnavailableError) return 'unavailable';
  if (answer instanceof PlatformMisconfiguredError) return 'misconfigured';
  // What a verifier refuses by throwing, such as a signature in no known alphabet.
  if (answer instanceof InvalidRequestError || answer instanceof InvalidSignatureError) return 'invalid';
  if (answer instanceof Error) return 'failed';
  return answer.valid ? 'valid' : 'invalid';
}
