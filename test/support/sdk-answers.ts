import { type Client, createClient, type LogOptions, MemoryHeadStore, type SignetError } from '@signet/sdk';

/** A client that asks for a proof that nothing is left out, and waits for nothing. */
export function completeClient(baseUrl: string, log: LogOptions = {}): Client {
  return createClient({
    baseUrl,
    demand: { complete: true },
    retries: 0,
    log: { heads: new MemoryHeadStore(), logWaitMs: 0, ...log },
  });
}

/** The error with which a client refuses. @throws Error if it accepts what it was told */
export function errorOf<E extends Error = SignetError>(answer: Promise<unknown>): Promise<E> {
  return answer.then(
    () => Promise.reject(new Error('It was accepted.')),
    (error: E) => error,
  );
}
