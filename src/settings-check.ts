import { loadWallet } from './archive/arweave/arweave-wallet.js';
import { type Environment, InvalidEnvironmentError } from './config/environment.js';
import { LogPolicy } from './transparency-log/witnesses/log-policy.js';
import { readWebhooks } from './webhooks/configured-webhooks.js';
import { readWitnessLogs } from './witness/witness-identity.js';

/** Parsers of settings that hold several values or name a file; each stands in the folder that uses the setting. */
const READERS: ((environment: Environment) => unknown)[] = [
  loadWallet,
  (environment) => new LogPolicy(environment),
  readWitnessLogs,
  readWebhooks,
];

/**
 * Parses these settings once before anything is started, because a database may take long to be made or to answer.
 * @throws InvalidEnvironmentError with one list of all problems
 */
export function assertSettingsReadable(environment: Environment): void {
  const problems = READERS.flatMap((read) => {
    try {
      read(environment);
      return [];
    } catch (error) {
      if (error instanceof InvalidEnvironmentError) return error.problems;
      throw error;
    }
  });
  if (problems.length > 0) throw new InvalidEnvironmentError(problems);
}
