import { createVerifiers, type Fetcher } from '@signet/look';
import { GATEWAY } from '../archive/arweave/arweave-gateway.js';
import { loadWallet } from '../archive/arweave/arweave-wallet.js';
import { UPLOAD_SERVICE } from '../archive/arweave/upload-service.route.js';
import { Environment, InvalidEnvironmentError, readEnvironment } from '../config/environment.js';
import { mistypedSettings } from '../config/mistyped-settings.js';
import { readObserversSetting } from '../observer/observer-identity.js';
import { SIGNET } from '../observer/observer-work.js';
import { PUSH_PLATFORM } from '../outbound/pacing/process-slots.js';
import { problemsOfNames } from '../platform/platform.service.js';
import { LogPolicy } from '../transparency-log/signing/witnesses/log-policy.js';
import { readWebhooks } from '../webhooks/configured-webhooks.js';
import { readWitnessLogs } from '../witness/witness-identity.js';

/** Parsers of settings that hold several values or name a file; each stands in the folder that uses the setting. */
const READERS: ((environment: Environment) => unknown)[] = [
  loadWallet,
  (environment) => new LogPolicy(environment),
  readWitnessLogs,
  readWebhooks,
  readObserversSetting,
  assertPlatformNames,
];

/** A verifier states its name without asking anybody. */
const NO_FETCHER = {} as Fetcher;

/** Those that are asked and are no platforms. */
const OTHERS_WITH_RATES = [SIGNET, GATEWAY, UPLOAD_SERVICE, PUSH_PLATFORM];

/**
 * @throws InvalidEnvironmentError if PLATFORMS or RATE_BUDGETS names what this build does not ask, or SERVICE_NAME is
 *   the name of a platform
 */
function assertPlatformNames(environment: Environment): void {
  const names = createVerifiers(NO_FETCHER).map(({ platform }) => platform);
  const problems = problemsOfNames(environment, names, [...names, ...OTHERS_WITH_RATES]);
  if (problems.length > 0) throw new InvalidEnvironmentError(problems);
}

/**
 * Reads all settings, those that name files or hold several values too, before anything is started: a database may take
 * long to be made or to answer.
 * @returns the settings, and one sentence for each variable that looks like a mistyped setting
 * @throws InvalidEnvironmentError with one list of all problems, those sentences among them
 */
export function loadSettings(variables: Record<string, string | undefined>): {
  environment: Environment;
  mistyped: string[];
} {
  const names = Object.keys(variables).filter((name) => variables[name] !== undefined && variables[name] !== '');
  const mistyped = mistypedSettings(names, Environment);
  const { environment, problems } = readEnvironment(variables);
  problems.push(...READERS.flatMap((read) => problemsOf(read, environment, problems.length > 0)));
  if (problems.length > 0) throw new InvalidEnvironmentError([...problems, ...mistyped]);
  return { environment, mistyped };
}

/** @param hasOthers whether other settings are wrong, which a reader may stumble over */
function problemsOf(read: (typeof READERS)[number], environment: Environment, hasOthers: boolean): string[] {
  try {
    read(environment);
    return [];
  } catch (error) {
    if (error instanceof InvalidEnvironmentError) return error.problems;
    if (hasOthers) return [];
    throw error;
  }
}
