import { IntersectionType } from '@nestjs/mapped-types';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { DatabaseSettings } from './settings/database-settings.js';
import { DeliverySettings } from './settings/delivery-settings.js';
import { KvSettings } from './settings/kv-settings.js';
import { LogSettings } from './settings/log-settings.js';
import { ObserverSettings } from './settings/observer-settings.js';
import { OperationSettings } from './settings/operation-settings.js';
import { PlatformSettings } from './settings/platform-settings.js';
import { ProofSettings } from './settings/proof-settings.js';
import { textOfSetting, withSecretFiles } from './text-setting.js';
import { ServiceSettings } from './settings/service-settings.js';
import { WitnessSettings } from './settings/witness-settings.js';

/**
 * Every setting of the service with its default; the only place that knows the environment variables of the process.
 * The class is its own injection token. Units are in the comments; an empty value counts as not set. It is composed of
 * groups that know nothing of each other, one file each. The comments are also the text of docs/reference/settings.md,
 * which `npm run reference` writes.
 */
export class Environment extends IntersectionType(
  ServiceSettings,
  DatabaseSettings,
  ProofSettings,
  KvSettings,
  LogSettings,
  PlatformSettings,
  DeliverySettings,
  OperationSettings,
  WitnessSettings,
  ObserverSettings,
) {}

/** The settings cannot be used; the message lists every one that is wrong, without its value. */
export class InvalidEnvironmentError extends Error {
  constructor(readonly problems: string[]) {
    super(`The settings cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'InvalidEnvironmentError';
  }
}

/**
 * Reads the settings from `variables` (usually `process.env`), with defaults for those that are absent or empty. A
 * secret may be given by `<NAME>_FILE` instead, the path of a file that holds it. Never throws.
 * @returns settings as far as they can be read, and one sentence for each that is wrong, without its value
 */
export function readEnvironment(variables: Record<string, string | undefined>) {
  const { values, problems } = withSecretFiles(
    Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== '')),
  );
  const environment = plainToInstance(Environment, values, { exposeDefaultValues: true });
  problems.push(
    // What is absent is left out: it may be, or it has a default.
    ...validateSync(environment, { forbidUnknownValues: false, skipMissingProperties: true }).flatMap(
      // What is not a number is neither too small nor too large.
      ({ constraints = {} }) => constraints.isInt ?? Object.values(constraints),
    ),
  );
  if (environment.WORKERS > 1 && environment.DATABASE_URL === undefined) {
    problems.push('WORKERS above 1 needs DATABASE_URL: the embedded database serves one process');
  }
  return { environment, problems };
}

/**
 * Returns what `read` makes of the text that the setting `name` holds, or of the file that it names.
 * @param Refusal the error with which `read` refuses a text; its message does not name the setting
 * @throws InvalidEnvironmentError if there is no such file, or if its text cannot be read
 */
export function readTextSetting<Value>(
  name: string,
  setting: string,
  Refusal: new (message: string) => Error,
  read: (text: string) => Value,
): Value {
  try {
    return read(textOfSetting(name, setting));
  } catch (error) {
    const prefix = error instanceof Refusal ? `${name}: ` : '';
    throw new InvalidEnvironmentError([`${prefix}${(error as Error).message}`]);
  }
}

/**
 * Reads the settings as `readEnvironment` does.
 * @throws InvalidEnvironmentError with one list of all problems.
 */
export function loadEnvironment(variables: Record<string, string | undefined>): Environment {
  const { environment, problems } = readEnvironment(variables);
  if (problems.length > 0) throw new InvalidEnvironmentError(problems);
  return environment;
}
