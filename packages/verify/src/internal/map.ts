/**
 * The map over the log (docs/verify.md, section 13): one hash commits to the records and bindings of all Avatars
 * after the first entries of a log, so that a reader can see that nothing was left out. No input, no output.
 */
export type { MapFact, SavedMap } from '../map/map-state.js';
export { countedFor, MapState, stateAfter } from '../map/map-state.js';
export type { MapEntry } from '../map/map-entry.js';
export { readMapEntry, writeMapEntry } from '../map/map-entry.js';
export { avatarKey, holderKey, identityKey } from '../map/map-keys.js';
export type { AvatarState, HolderState, IdentityState } from '../map/map-values.js';
export { isCountedKind, NOTHING, valueText } from '../map/map-values.js';
export type { MapProof, ProvenValue } from '../map/sparse-tree.js';
export {
  bitOf,
  EMPTY_ROOT,
  MAP_LEAF,
  MAP_NODE,
  mapLeafHash,
  mapNodeHash,
  provenValue,
  SparseTree,
  valueHash,
} from '../map/sparse-tree.js';
