/**
 * What the server says about its platforms, read once for the whole page. Nothing about single platforms is built into
 * the page but the texts `bind.how_<platform>` (bind/platform-steps.tsx) and the wallets of browsers.
 */
import type { Platform } from '@signet/sdk';
import { useEffect, useState } from 'preact/hooks';
import { client } from './api.js';

let reading: Promise<Platform[]> | undefined;
let known: readonly Platform[] = [];

/** Platforms that are known before the server is asked: those of this version, while the fixed views are rendered. */
export function presetPlatforms(list: readonly Platform[]): void {
  known = list;
}

/** What can be bound. Read again after a failure. @throws SignetError */
export function platformList(): Promise<Platform[]> {
  reading ??= client.platforms().then(
    (list) => {
      known = list;
      return list;
    },
    (error: unknown) => {
      reading = undefined;
      throw error;
    },
  );
  return reading;
}

/** What is known about a platform so far; undefined before the server answered, and for one that it does not have. */
export function knownPlatform(name: string): Platform | undefined {
  return known.find(({ platform }) => platform === name);
}

/**
 * The platforms of the server; null until they are known, and none where it did not answer. A component that calls this
 * is rendered again when they are known, with all below it.
 */
export function usePlatforms(): readonly Platform[] | null {
  const [platforms, setPlatforms] = useState<readonly Platform[] | null>(known.length > 0 ? known : null);
  useEffect(() => {
    platformList().then(setPlatforms, () => setPlatforms([]));
  }, []);
  return platforms;
}
