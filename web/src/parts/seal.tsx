import { sealPath } from '@signet/verify/seal';

/** The signet seal of a key; nothing for a text that is not one. A name or key always stands beside it. */
export function Seal({ avatar, size }: { avatar: string; size: number }) {
  const path = pathOf(avatar, size < 48 ? 'emblem' : 'full');
  if (path === null) return null;
  return (
    <svg class="seal" viewBox="-50 -50 100 100" width={size} height={size} aria-hidden="true">
      <path fill="currentColor" fill-rule="evenodd" d={path} />
    </svg>
  );
}

function pathOf(avatar: string, detail: 'full' | 'emblem'): string | null {
  try {
    return sealPath(avatar, detail);
  } catch {
    return null;
  }
}
