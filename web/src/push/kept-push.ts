/** Which keys this browser is told of: the ids of its subscriptions, which are needed to end them. */

const STORED = 'signet-push';

/** A subscription as it was made. */
export interface KeptPush {
  id: string;
  /** The browser may be given another address later. */
  endpoint: string;
  language: string;
}

export function keptPush(avatar: string): KeptPush | null {
  const all = read();
  return Object.hasOwn(all, avatar) ? all[avatar]! : null;
}

export function keepPush(avatar: string, kept: KeptPush): void {
  write({ ...read(), [avatar]: kept });
}

/** @returns whether this browser is still told of another key */
export function forgetPush(avatar: string): boolean {
  const others = Object.fromEntries(Object.entries(read()).filter(([one]) => one !== avatar));
  write(others);
  return Object.keys(others).length > 0;
}

function read(): Record<string, KeptPush> {
  try {
    return JSON.parse(localStorage.getItem(STORED) ?? '{}') as Record<string, KeptPush>;
  } catch {
    return {};
  }
}

function write(all: Record<string, KeptPush>): void {
  try {
    localStorage.setItem(STORED, JSON.stringify(all));
  } catch {
    // A browser may forbid storage; then the subscription ends when the person forbids notifications.
  }
}
