import { isObject } from './signed-text.js';

/**
 * JSON Merge Patch, exactly as in RFC 7396, section 2: null deletes, objects merge, everything else (arrays too)
 * replaces.
 *
 * Every name is plain data, `__proto__` and `constructor` included: members are read as own properties alone and
 * written by `Object.fromEntries`, which defines them and never calls a setter, so no prototype is read or changed.
 * Neither argument is changed; the result may share values with both. The caller has checked the nesting.
 */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const members = new Map<string, unknown>(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, applyMergePatch(members.get(name), value));
  }
  return Object.fromEntries(members);
}
