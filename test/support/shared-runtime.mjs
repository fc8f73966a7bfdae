import jestRuntime from 'jest-runtime';
import { AsyncLocalStorage } from 'node:async_hooks';
import path from 'node:path';
import SharedEnvironment from './shared-environment.mjs';

/** What `import` gives; the types of the package are those of `require`. */
const Runtime = /** @type {typeof jestRuntime.default} */ (/** @type {unknown} */ (jestRuntime));

/** What test files bring themselves, relative to the root. */
const OF_TESTS = /^(test|vectors|packages\/[^/]+\/test)\//;

/**
 * Loads the modules that the test files of this worker share.
 * @type {any}
 */
let loader;

/**
 * What jest keeps of the test or hook that runs, to which it adds errors that nobody caught. Nothing follows each
 * promise, which takes a tenth of the processor time of most files: of tests that run at once, the one that began last
 * gets the error.
 */
class CurrentStorage {
  /** @type {unknown[]} */
  running = [];

  getStore() {
    return this.running.at(-1);
  }

  /** @param {unknown} store @param {() => Promise<unknown>} use */
  async run(store, use) {
    this.running.push(store);
    try {
      return await use();
    } finally {
      this.running.splice(this.running.lastIndexOf(store), 1);
    }
  }
}

/**
 * The runtime of jest, with one change: what is no test and no helper of tests, which is our sources and all libraries,
 * is loaded once for a worker and not once for each of its test files: a second of the processor for each that starts
 * the application. These modules live in the one context of `SharedEnvironment`. jest has no setting for that, so this
 * reaches for private members of the version that package.json names.
 */
export default class SharedRuntime extends Runtime {
  /** @type {((file: string) => boolean) | undefined} */
  isShared;
  /**
   * What the test file keeps for asynchronous calls. Each takes time of every promise of the process from its first use
   * on, also when the file is over, until it is disabled (before Node 24).
   * @type {AsyncLocalStorage<unknown>[]}
   */
  storages = [];
  /** Whether a module of jest itself is being loaded. */
  isLoadingJest = false;

  /** @param {ConstructorParameters<typeof Runtime>} given */
  constructor(...given) {
    super(...given);
    const [{ rootDir }, environment] = given;
    if (!(environment instanceof SharedEnvironment)) return;
    loader ??= new Runtime(...given);
    /** @param {string} file */
    const isShared = (file) => path.isAbsolute(file) && !OF_TESTS.test(path.relative(rootDir, file));
    this.isShared = isShared;
    const { esmLoader, transformCache, coreModule } = /** @type {any} */ (this);
    const { storages } = this;
    /** @extends {AsyncLocalStorage<unknown>} */
    class StorageOfFile extends AsyncLocalStorage {
      constructor() {
        super();
        storages.push(this);
      }
    }
    const required = coreModule.require;
    /** @param {string} name */
    coreModule.require = (name) => {
      const module = required.call(coreModule, name);
      if (!/^(node:)?async_hooks$/.test(name)) return module;
      return { ...module, AsyncLocalStorage: this.isLoadingJest ? CurrentStorage : StorageOfFile };
    };
    // For the lines of a stack.
    transformCache.sourceMaps = loader.transformCache.sourceMaps;
    const { loadEsmModule, loadCjsAsEsm, resolveModule } = esmLoader;
    // Node links what a shared module imports with the loader of the test file, whose end it has to outlive.
    /** @param {string} specifier @param {string} from @param {unknown} context */
    esmLoader.resolveModule = (specifier, from, context) =>
      resolveModule.call(isShared(from) ? loader.esmLoader : esmLoader, specifier, from, context);
    /** @param {string} file @param {string} suffix */
    esmLoader.loadEsmModule = (file, suffix) =>
      loadEsmModule.call(isShared(file) ? loader.esmLoader : esmLoader, file, suffix);
    /** @param {string} from @param {string} file @param {unknown[]} rest */
    esmLoader.loadCjsAsEsm = (from, file, ...rest) =>
      loadCjsAsEsm.call(isShared(file) ? loader.esmLoader : esmLoader, from, file, ...rest);
  }

  /**
   * @override
   * @param {string} from
   * @param {string} [moduleName]
   * @param {any} [options]
   * @param {boolean} [isActual]
   * @returns {any}
   */
  requireModule(from, moduleName, options, isActual) {
    const { _resolution: resolution } = /** @type {any} */ (this);
    if (this.isShared && moduleName && !options?.isInternalModule && !resolution.isCoreModule(moduleName)) {
      const file = resolution.resolveCjs(from, moduleName);
      if (this.isShared(file)) return loader.requireModule(from, moduleName, options, isActual);
    }
    return super.requireModule(from, moduleName, options, isActual);
  }

  /**
   * @override
   * @param {string} from
   * @param {string} [to]
   * @returns {any}
   */
  requireInternalModule(from, to) {
    const before = this.isLoadingJest;
    this.isLoadingJest = true;
    try {
      return super.requireInternalModule(from, to);
    } finally {
      this.isLoadingJest = before;
    }
  }

  /** @override */
  teardown() {
    for (const storage of this.storages) storage.disable();
    return super.teardown();
  }
}
