/** Lets the browser keep the page, so that it opens without a network: the service worker (src/worker). */

const WORKER = '/worker.js';
/** The one policy of Trusted Types that the page has, for the one script address that is no part of the document. */
const POLICY = 'worker';

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: () => string }): { createScriptURL(text: string): string };
}

/** Registers the worker once the page has loaded, so that nothing of the first load waits for it. */
export function keepPage(): void {
  if (!('serviceWorker' in navigator)) return;
  const address = workerAddress();
  if (address === null) return;
  const register = () => {
    // A browser that keeps nothing, as in private windows, shows the page from the network alone.
    navigator.serviceWorker.register(address).catch(() => {});
  };
  if (document.readyState === 'complete') register();
  else addEventListener('load', register, { once: true });
}

/**
 * The address in the form that the policy of the document asks for. Made at once: a name of a policy is given once, so
 * that no script can make this one with other rules later. Null where a stricter policy, as of a proxy, forbids it.
 */
function workerAddress(): string | null {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  try {
    return trustedTypes?.createPolicy(POLICY, { createScriptURL: () => WORKER }).createScriptURL('') ?? WORKER;
  } catch {
    return null;
  }
}
