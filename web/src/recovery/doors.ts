/** The ways out for somebody who has lost a key, by what they still have. */
export const DOOR_NAMES = ['words', 'thief', 'accounts'] as const;
export type Door = (typeof DOOR_NAMES)[number];

/** The address of a door for a key, where it is known; that of all doors for null. */
export function doorPath(door: Door | null, avatar: string | null): string {
  return `/lost${door === null ? '' : `/${door}`}${avatar === null ? '' : `?avatar=${avatar}`}`;
}
