import type { SignetEvent } from '@signet/sdk';
import { useEffect, useState } from 'preact/hooks';
import { client } from '../shell/api.js';
import { useUnchanged } from '../shell/stable.js';

/** Events that are kept for the list. */
const KEPT = 50;
/** Several events of one moment, such as a bind and its archive, ask for the data once. */
const GATHER_MS = 300;

/** What happened since the view was opened, newest first. */
export interface Live {
  events: SignetEvent[];
  /** Grows with every round of events: what was read before is out of date. */
  version: number;
  isOpen: boolean;
}

/** Follows the events of one Avatar while the view is open. */
export function useLive(avatar: string): Live {
  const [live, setLive] = useState<Live>({ events: [], version: 0, isOpen: false });
  useEffect(
    () =>
      follow([avatar], undefined, {
        opened: (isOpen) => setLive((old) => (old.isOpen === isOpen ? old : { ...old, isOpen })),
        heard: (event) => setLive((old) => ({ ...old, events: [event, ...old.events].slice(0, KEPT) })),
        gathered: () => setLive((old) => ({ ...old, version: old.version + 1 })),
      }),
    [avatar],
  );
  return live;
}

/**
 * Follows what several Avatars do on one platform while the view is open, by one stream: over HTTP/1.1 a browser has
 * six connections to a server, and each stream holds one.
 * @returns the version of an Avatar, which grows with every round of its events, and the sum of all
 */
export function useVersions(
  avatars: readonly string[],
  platform: string,
): { versionOf: (avatar: string) => number; sum: number } {
  const [versions, setVersions] = useState<ReadonlyMap<string, number>>(new Map());
  const followed = useUnchanged(avatars);
  useEffect(() => {
    const changed = new Set<string>();
    return follow(followed, platform, {
      heard: ({ avatar }) => void changed.add(avatar),
      gathered: () => {
        const together = [...changed];
        changed.clear();
        setVersions(
          (old) => new Map([...old, ...together.map((one): [string, number] => [one, (old.get(one) ?? 0) + 1])]),
        );
      },
    });
  }, [followed, platform]);
  const sum = [...versions.values()].reduce((all, version) => all + version, 0);
  return { versionOf: (avatar) => versions.get(avatar) ?? 0, sum };
}

interface Follower {
  opened?: (isOpen: boolean) => void;
  heard: (event: SignetEvent) => void;
  /** Called a moment behind the last of some events. */
  gathered: () => void;
}

/**
 * Follows the events of Avatars by one stream, until the result is called. The server filters by one Avatar; for
 * several the stream brings all events of the platform, which costs less than a connection for each.
 */
function follow(
  avatars: readonly string[],
  platform: string | undefined,
  { opened, heard, gathered }: Follower,
): (() => void) | undefined {
  if (avatars.length === 0) return undefined;
  const controller = new AbortController();
  const { signal } = controller;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const filter = avatars.length === 1 ? { avatar: avatars[0] } : { platform };
  const hear = async () => {
    for await (const event of client.events({ ...filter, signal, onPosition: () => opened?.(true) })) {
      if (!avatars.includes(event.avatar)) continue;
      heard(event);
      clearTimeout(timer);
      timer = setTimeout(gathered, GATHER_MS);
    }
  };
  // The stream ends when the view is left or the server refuses it for good; then the page stays as it is.
  hear().catch(() => opened?.(false));
  return () => {
    clearTimeout(timer);
    controller.abort();
  };
}
