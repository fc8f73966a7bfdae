import type { SignetEvent } from '@signet/sdk';
import { useEffect, useState } from 'preact/hooks';
import { client } from '../shell/api.js';

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
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hear = async () => {
      const onPosition = () => setLive((old) => (old.isOpen ? old : { ...old, isOpen: true }));
      for await (const event of client.events({ avatar, signal: controller.signal, onPosition })) {
        setLive((old) => ({ ...old, events: [event, ...old.events].slice(0, KEPT) }));
        clearTimeout(timer);
        timer = setTimeout(() => setLive((old) => ({ ...old, version: old.version + 1 })), GATHER_MS);
      }
    };
    // The stream ends when the view is left or the server refuses it for good; then the page stays as it is.
    hear().catch(() => setLive((old) => ({ ...old, isOpen: false })));
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [avatar]);
  return live;
}
