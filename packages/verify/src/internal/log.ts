/** Parts of logs, policies and statements for the packages and servers. Without a promise: all may change. */
export type { ErasedItem, RecordContext, RecordedLinkItem, RecordedPatchItem } from '../chains/named-records.js';
export {
  erasureEntry,
  linkEntry,
  linkRecord,
  namedIn,
  patchEntry,
  patchRecord,
  receiptHash,
} from '../chains/named-records.js';
export { erasedEntry, keyOf, readOtherEntry, recordedHash, recordEntry, recordHash, writeEntry } from '../log/entry.js';
export { wordOf, wordsOf } from '../chains/record-kind.js';
export { isEntryBefore, isEntryOf } from '../log/log-proof.js';
export type { NextLog } from '../log/next-log.js';
export { nextLogText, readNextLog } from '../log/next-log.js';
export type { NoteSignature, SignedNote } from '../log/note.js';
export { appendSignatures, cosignedMessage, readNote, readSignatureLine, writeSignatureLine } from '../log/note.js';
export { hasDisjointQuorums, isQuorumMet, readLogList } from '../log/policy.js';
export { isReceiptOf, receiptText } from '../log/receipt.js';
export type { GrownTree, ReadTiles, TileHashes } from '../log/tile-tree.js';
export {
  appendLeaves,
  consistencyFromTiles,
  inclusionFromTiles,
  inclusionsFromTiles,
  nodeInTile,
  rootFromTiles,
  tileOfNode,
} from '../log/tile-tree.js';
export type { Tile, TilePath } from '../log/tiles.js';
export {
  encodeBundle,
  MAX_ENTRY_BYTES,
  newTiles,
  decodeBundle,
  parseTilePath,
  TILE_WIDTH,
  tilePath,
  tilesOf,
  tileWidth,
} from '../log/tiles.js';
export type { TreeNode } from '../log/tree.js';
export {
  consistencyNodes,
  emptyRoot,
  foldNodes,
  HASH_BYTES,
  inclusionNodes,
  nodeHash,
  rootNodes,
  TreeFrontier,
} from '../log/tree.js';
export { COSIGNATURE_KEY, ED25519_KEY } from '../log/verifier-key.js';
export type { WitnessRequest } from '../log/witness-request.js';
export { originHash, readWitnessRequest, writeWitnessRequest } from '../log/witness-request.js';
export { readMapEntry } from '../map/map-entry.js';
export { claimedTime } from '../log/note.js';
export { SEEN_KEY } from '../log/verifier-key.js';
export { neededOf } from '../seen/observers.js';
export { seenTime, statementText } from '../seen/statement.js';
