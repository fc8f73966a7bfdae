import { getMetadataStorage } from 'class-validator';
import leven from 'leven';
import { secretSettings } from './setting-kinds.js';

/** Letters in which a mistyped name differs from the setting at most. Short names are near to too many others. */
const MAX_DISTANCE = 2;
const LEAST_LENGTH = 6;

/**
 * Names the variables that look like a mistyped setting, one sentence each. A process has many variables that are none
 * of our settings, so only those are named that are a letter or two away from one.
 * @param names of the variables of the process that have a value
 * @param settings the class that declares the settings
 */
export function mistypedSettings(names: string[], settings: abstract new () => object): string[] {
  const known = settingNames(settings);
  const isKnown = new Set(known);
  return names.flatMap((name) => {
    if (isKnown.has(name)) return [];
    const meant = nearest(name, known);
    return meant === null ? [] : [`${name} is not a setting; did you mean ${meant}?`];
  });
}

function nearest(name: string, known: string[]): string | null {
  const written = name.toUpperCase();
  if (name !== written && known.includes(written)) return written;
  if (name.length < LEAST_LENGTH) return null;
  const near = known
    .filter((setting) => setting.length >= LEAST_LENGTH)
    .map((setting) => ({ setting, distance: leven(written, setting, { maxDistance: MAX_DISTANCE + 1 }) }))
    .filter(({ distance }) => distance <= MAX_DISTANCE)
    .sort((one, other) => one.distance - other.distance);
  return near[0]?.setting ?? null;
}

function settingNames(settings: abstract new () => object): string[] {
  const declared = getMetadataStorage().getTargetValidationMetadatas(settings, '', false, false);
  const names = declared.map(({ propertyName }) => propertyName);
  return [...new Set([...names, ...secretSettings().map((name) => `${name}_FILE`)])];
}
