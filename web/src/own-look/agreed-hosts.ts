/** The hosts that the visitor let this browser ask, remembered until the tab is closed. */
const STORED = 'signet-look';

export function agreedHosts(): string[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORED) ?? '[]');
    return Array.isArray(stored) ? stored.filter((host) => typeof host === 'string') : [];
  } catch {
    return [];
  }
}

/** Remembers hosts. A browser may forbid storage; then each look asks again. */
export function agreeTo(hosts: string[]): void {
  try {
    sessionStorage.setItem(STORED, JSON.stringify([...new Set([...agreedHosts(), ...hosts])]));
  } catch {
    // Nothing is lost but the answer.
  }
}
