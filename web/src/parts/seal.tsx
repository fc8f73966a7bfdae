import { sealPath } from '@signet/verify/seal';
import { SealDrawing } from './seal-drawing.js';

/** The signet seal of a key; nothing for a text that is not one. */
export function Seal({ avatar, size }: { avatar: string; size: number }) {
  const path = pathOf(avatar, size < 48 ? 'emblem' : 'full');
  return path === null ? null : <SealDrawing path={path} size={size} />;
}

function pathOf(avatar: string, detail: 'full' | 'emblem'): string | null {
  try {
    return sealPath(avatar, detail);
  } catch {
    return null;
  }
}
