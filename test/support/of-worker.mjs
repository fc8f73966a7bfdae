/** The global by which test files find it; they cannot load the file itself but once each. */
export const OF_WORKER = Symbol.for('signet tests: what files of a worker share');

/**
 * What the test files of a worker share, such as a browser, by name.
 * @typedef {Map<string, { value: unknown, end(): Promise<void> }>} OfWorker
 * @type {OfWorker}
 */
export const ofWorker = new Map();

/** Ends all that this process has for its test files. */
export async function endOfWorker() {
  const shared = [...ofWorker.values()];
  ofWorker.clear();
  await Promise.all(shared.map(({ end }) => end()));
}

// jest tells a worker nothing of its end: it takes the listener for its messages away, and waits for the process to be
// over.
process.on('removeListener', (name) => {
  if (name === 'message') void endOfWorker();
});
