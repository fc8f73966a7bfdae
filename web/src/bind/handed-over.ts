/**
 * What was begun, in the fragment of the address: platform, name and step, and never a key. A browser sends no fragment
 * to any server. Another device, or the browser in the app of a wallet, goes on from there by the address alone.
 */
import type { WantedBinding } from './wanted.js';

/** What an address hands over; `step` is `key` once the account is named. */
export interface HandedOver extends WantedBinding {
  step: 'account' | 'key';
}

/** Longer than any name; of what is longer nothing is taken. */
const MAX_LENGTH = 1_000;

/** What the fragment of an address hands over, or null. */
export function readHandedOver(fragment: string): HandedOver | null {
  if (fragment.length > MAX_LENGTH) return null;
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const [platform, identity] = [fields.get('platform') ?? '', fields.get('identity') ?? ''];
  if (platform === '') return null;
  return { platform, identity, step: fields.get('step') === 'key' && identity !== '' ? 'key' : 'account' };
}

/** Writes what was begun into the address of this page, so that a reload goes on too; null takes it out. */
export function handOver(state: HandedOver | null): void {
  const { pathname, search } = location;
  const fragment = state ? `#${new URLSearchParams({ ...state }).toString()}` : '';
  if (location.hash !== fragment) history.replaceState(null, '', pathname + search + fragment);
}
