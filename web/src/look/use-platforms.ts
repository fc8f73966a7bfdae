import { useEffect, useState } from 'preact/hooks';
import { platformList } from '../shell/api.js';

/** Platform values of the server; null until they are known, and none where it did not say. */
export function usePlatforms(): string[] | null {
  const [names, setNames] = useState<string[] | null>(null);
  useEffect(() => {
    platformList().then(
      (list) => setNames(list.map(({ platform }) => platform)),
      () => setNames([]),
    );
  }, []);
  return names;
}
