import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { OperationSettings } from './operation-settings.js';

/**
 * Every setting of the service with its default; the only place that knows the environment of the process. The class is
 * its own injection token. Units are in the comments; an empty value counts as not set. The settings stand in four
 * files, each of which adds to the one before: what the service is, whom it asks, what it sends, and how it is run.
 */
export class Environment extends OperationSettings {}

/** The settings cannot be used; the message lists every one that is wrong, without its value. */
export class InvalidEnvironmentError extends Error {
  constructor(readonly problems: string[]) {
    super(`The settings cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'InvalidEnvironmentError';
  }
}

/**
 * Reads the settings from `variables` (usually `process.env`), with defaults for those that are absent or empty.
 * @throws InvalidEnvironmentError with one list of all problems.
 */
export function loadEnvironment(variables: Record<string, string | undefined>): Environment {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  const environment = plainToInstance(Environment, given, { exposeDefaultValues: true });
  const problems = validateSync(environment, { forbidUnknownValues: false }).flatMap(
    // What is no number is neither too small nor too large.
    ({ constraints = {} }) => constraints.isInt ?? Object.values(constraints),
  );
  if (environment.WORKERS > 1 && environment.DATABASE_URL === undefined) {
    problems.push('WORKERS above 1 needs DATABASE_URL: the embedded database serves one process');
  }
  if (problems.length > 0) throw new InvalidEnvironmentError(problems);
  return environment;
}
