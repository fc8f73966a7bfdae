/** Reads the options of a client: what is unknown, or cannot be, is refused here in a sentence that names it. */
import { demandFunctions, wrong } from '../checks.js';
import { WrongUsageError } from '../errors.js';
import type { LogOptions } from '../log/log-options.js';
import type { Looks } from '../look/looks.js';
import type { PlatformProofOptions } from '../look/platform-proofs.js';
import type { ObserverOptions } from '../observers/observer-options.js';
import type { ClientOptions } from './client-options.js';

/** What a client knows, and what it demands. */
export interface Settings {
  /** Whether answers are checked before they are returned. */
  verifies: boolean;
  /** Whether answers have to be in the log. */
  demandsLog: boolean;
  /** Whether answers have to be complete. */
  demandsAll: boolean;
  demandsPosts: boolean;
  demandsObservers: boolean;
  /** Whether bindings that rest on the word of the server are refused. */
  demandsHere: boolean;
  /** How what platforms have signed is checked, where it may be in the place of the word of the server. */
  platform: PlatformProofOptions | undefined;
  log: LogOptions;
  looks: Looks | undefined;
  observers: ObserverOptions | undefined;
}

const NUMBERS = ['timeoutMs', 'retries', 'totalTimeoutMs', 'maxAnswerBytes'] as const;
const OPTIONS = ['trustServer', 'demand', 'log', 'looks', 'observers', 'baseUrl', 'fetch', ...NUMBERS];
const DEMANDS = ['log', 'complete', 'posts', 'observers', 'here', 'platform'];
/** What is in the place of an option of 0.2. */
const FORMER: Record<string, string> = {
  verify: 'signatures are always checked, and the rest is asked for by demand, such as demand: { complete: true }',
  accept: 'demand: { here: true } is in its place',
};

/** @throws WrongUsageError */
export function readSettings(options: ClientOptions): Settings {
  if (!isObject(options)) throw new WrongUsageError('createClient needs options with baseUrl.');
  demandKnown(options, OPTIONS, 'createClient has no option');
  for (const name of NUMBERS) {
    const value: unknown = options[name] ?? 0;
    if (typeof value !== 'number' || !(value >= 0)) throw wrong(name, 'a number, at least 0', value);
  }
  demandFunctions(options, 'fetch');
  const { trustServer = false, demand = {} } = options;
  if (!isObject(demand)) throw wrong('demand', 'an object, such as { complete: true }', demand);
  demandKnown(demand, DEMANDS, 'There is no demand');
  const isOn = (name: 'complete' | 'here') => readFlag(demand[name], `demand.${name}`);
  const [log, looks, observers] = [
    readDemand<LogOptions>(demand.log, options.log, 'log', 'log'),
    readDemand<Looks>(demand.posts, options.looks, 'posts', 'looks'),
    readDemand<ObserverOptions>(demand.observers, options.observers, 'observers', 'observers'),
  ];
  if (looks.isDemanded && !looks.value) {
    throw new WrongUsageError('demand.posts needs looks, which looks at them: createLooks() of @signet/sdk/look.');
  }
  if (typeof looks.value?.look !== 'function' && looks.value) {
    throw wrong('looks', 'what createLooks() makes', looks.value);
  }
  if (observers.isDemanded && !observers.value) {
    throw new WrongUsageError('demand.observers needs observers, who are asked.');
  }
  const demandsAll = isOn('complete');
  const platform = readDemand<PlatformProofOptions>(demand.platform, undefined, 'platform', 'demand.platform');
  const settings = {
    verifies: !readFlag(trustServer, 'trustServer'),
    // What zones of the DNS have signed holds at the time of the entry of the log.
    demandsLog: log.isDemanded || demandsAll || platform.isDemanded,
    demandsAll,
    demandsPosts: looks.isDemanded,
    demandsObservers: observers.isDemanded,
    demandsHere: isOn('here'),
    platform: platform.isDemanded ? (platform.value ?? {}) : undefined,
    log: log.value ?? {},
    looks: looks.value,
    observers: observers.value,
  };
  if (!settings.verifies && Object.values(demand).some((one) => one !== undefined && one !== false)) {
    throw new WrongUsageError('trustServer: true believes the server, and demand does not: leave one of them out.');
  }
  return settings;
}

/** A demand that is `true` or the very options of what it needs, which otherwise stand beside `demand`. */
function readDemand<Value extends object>(
  given: boolean | Value | undefined,
  beside: Value | undefined,
  name: string,
  option: string,
): { isDemanded: boolean; value: Value | undefined } {
  if (beside !== undefined && !isObject(beside)) throw wrong(option, 'an object', beside);
  if (given === undefined || typeof given === 'boolean') return { isDemanded: given === true, value: beside };
  if (!isObject(given)) throw wrong(`demand.${name}`, `true, or what the option ${option} takes`, given);
  if (beside)
    throw new WrongUsageError(`demand.${name} and the option ${option} name the same thing: give one of them.`);
  return { isDemanded: true, value: given };
}

function readFlag(value: unknown, name: string): boolean {
  if (value === undefined || typeof value === 'boolean') return value === true;
  throw wrong(name, 'true, false or absent', value);
}

function demandKnown(given: object, known: string[], what: string): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    const hint = Object.hasOwn(FORMER, name) ? FORMER[name] : `it takes ${known.join(', ')}`;
    throw new WrongUsageError(`${what} ${JSON.stringify(name)}: ${hint}.`);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
