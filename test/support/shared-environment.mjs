import v8 from 'node:v8';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';
import { OF_WORKER, ofWorker } from './of-worker.mjs';

if (process.env.TEST_TIER !== 'long') {
  // As QUICK_START of tier.ts says, for embedded databases in a thread of this process.
  v8.setFlagsFromString('--liftoff-only');
  // Most of the code of a test runs a few times, and does not gain what it costs to compile it for speed: this waits
  // nine times as long with that.
  v8.setFlagsFromString('--interrupt-budget=600000');
}

/**
 * None before the first file, and then one.
 * @type {SharedEnvironment[]}
 */
const made = [];

/** The process of the sandbox before the first file. */
const before = { variables: /** @type {NodeJS.ProcessEnv} */ ({}), exit: process.exit };

/**
 * The environment of all test files of a worker: one set of globals, to which the modules belong that `SharedRuntime`
 * loads once. What a file leaves in the clock, the variables of the process and the lists of jest is undone after it.
 * A file that needs modules of its own begins with `@jest-environment node`.
 *
 * Its globals are those of an ordinary context. In the one that jest makes, each use of `Uint8Array` or `Object` goes
 * through an interceptor of Node and a Proxy, and takes twenty times as long.
 */
export default class SharedEnvironment extends TestEnvironment {
  /** @param {ConstructorParameters<typeof TestEnvironment>} given */
  constructor(...given) {
    if (made[0]) return made[0];
    const { createContext } = vm;
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...given);
    } finally {
      vm.createContext = createContext;
    }
    if (this.context !== this.global) throw new Error('jest makes its context otherwise now.');
    made.push(this);
    Reflect.set(this.global, OF_WORKER, ofWorker);
    const { env, exit } = this.global.process;
    Object.assign(before, { variables: { ...env }, exit });
  }

  /** @override */
  async teardown() {
    this.fakeTimersModern?.dispose();
    const { process } = this.global;
    process.exit = before.exit;
    for (const name of Object.keys(process.env)) if (!(name in before.variables)) delete process.env[name];
    Object.assign(process.env, before.variables);
    for (const key of Object.getOwnPropertySymbols(this.global)) {
      if (key !== OF_WORKER && !isOfLibrary(key)) Reflect.deleteProperty(this.global, key);
    }
  }
}

/**
 * Whether a global is one that a library sets when it is loaded. All other symbols are the state of one file: the tests
 * and matchers of jest, and the providers that OpenTelemetry was given.
 * @param {symbol} key
 */
function isOfLibrary({ description = '' }) {
  return description.startsWith('undici.') || description.startsWith('jest-native-');
}
