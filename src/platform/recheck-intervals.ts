import type { PlatformVerifier } from '@signet/look';
import type { RecheckIntervals } from '@signet/look/internal';
import type { Environment } from '../config/environment.js';

type Settings = Pick<Environment, 'RECHECK_SECONDS' | 'RECHECK_LONGEST_SECONDS'>;

/** Whether rechecks on the platform become rarer where nobody looks: each of them is paid for. */
export function growsRarer({ costs }: Pick<PlatformVerifier, 'costs'>, settings: Settings): boolean {
  return costs?.isPaid === true && settings.RECHECK_LONGEST_SECONDS > settings.RECHECK_SECONDS;
}

/** How far apart rechecks on the platform are. */
export function intervalsOf(verifier: Pick<PlatformVerifier, 'costs'>, settings: Settings): RecheckIntervals {
  const { RECHECK_SECONDS: steadySeconds, RECHECK_LONGEST_SECONDS: longestSeconds } = settings;
  return growsRarer(verifier, settings) ? { steadySeconds, longestSeconds } : { steadySeconds };
}
