/** What the operator hides from this page. The answers of the service have it all the same. */
import { API_URL } from '../shell/service.js';
import { useAnswer } from '../shell/use-answer.js';

/** One thing that is hidden, as `GET /v1/hidden` answers it. */
export interface Hidden {
  kind: 'identity' | 'key' | 'profile';
  platform?: string;
  identity?: string;
  avatar?: string;
  reason: string;
}

/** Names that the service takes at once. */
const MOST_ASKED = 50;
const KEPT_MS = 60_000;

interface Known {
  found: Promise<Hidden | null>;
  at: number;
}

const known = new Map<string, Known>();
let waiting: { item: string; answer: (hidden: Hidden | null) => void }[] = [];

export const keyItem = (avatar: string) => `key:${avatar}`;
export const profileItem = (avatar: string) => `profile:${avatar}`;
export const identityItem = (platform: string, identity: string) => `identity:${platform}:${identity}`;

/**
 * What hides this, or null. Items that are asked about in the same turn share a request, and answers are kept for a
 * minute. Never rejects: what cannot be asked counts as shown, since it is public elsewhere.
 */
export function findHidden(item: string): Promise<Hidden | null> {
  const kept = known.get(item);
  if (kept && Date.now() - kept.at < KEPT_MS) return kept.found;
  const found = new Promise<Hidden | null>((answer) => {
    if (waiting.length === 0) setTimeout(() => void askAll());
    waiting.push({ item, answer });
  });
  known.set(item, { found, at: Date.now() });
  return found;
}

/** What hides each of these items, in their order; `undefined` while it is not known. */
export function useAllHidden(items: string[]): (Hidden | null)[] | undefined {
  const answer = useAnswer(() => Promise.all(items.map(findHidden)), items);
  return answer.state === 'there' ? answer.value : undefined;
}

/** What hides one of these items, the first of them; `undefined` while it is not known. */
export function useHidden(...items: string[]): Hidden | null | undefined {
  const answer = useAnswer(async () => (await Promise.all(items.map(findHidden))).find(Boolean) ?? null, items);
  return answer.state === 'there' ? answer.value : undefined;
}

async function askAll(): Promise<void> {
  const asked = waiting;
  waiting = [];
  for (let start = 0; start < asked.length; start += MOST_ASKED) {
    const part = asked.slice(start, start + MOST_ASKED);
    const hidden = await ask(part.map(({ item }) => item));
    for (const { item, answer } of part) answer(hidden.find((one) => itemsOf(one).includes(item)) ?? null);
  }
}

async function ask(items: string[]): Promise<Hidden[]> {
  try {
    const query = new URLSearchParams(items.map((item) => ['item', item]));
    const response = await fetch(`${API_URL}/v1/hidden?${query.toString()}`);
    const { hidden } = (await response.json()) as { hidden?: Hidden[] };
    return hidden ?? [];
  } catch {
    return [];
  }
}

/** A hidden key hides its profile too. */
function itemsOf({ kind, platform = '', identity = '', avatar = '' }: Hidden): string[] {
  if (kind === 'identity') return [identityItem(platform, identity)];
  return kind === 'key' ? [keyItem(avatar), profileItem(avatar)] : [profileItem(avatar)];
}
