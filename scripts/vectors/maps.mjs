/** The map over the log: proofs, entries, and a history with the roots that it leads to. */
import { readFileSync } from 'node:fs';
import { encodeHex } from '@signet/verify';
import { identityKey, writeMapEntry } from '@signet/verify/internal/map';
import { answers } from './map-answers.mjs';
import { accepted, base64, refused } from './people.mjs';

/** @import { Expected, HistoryEntry, Vector } from './types.d.ts' */

/**
 * @typedef {{ name: string, ok: boolean, root: string, key: string, siblings: string[], value_hash: string, end: [key:
 *   string, value: string] }} Proof
 * @typedef {{ entries: HistoryEntry[] }} History
 */

/**
 * Made by a naive reference program, which computes the whole tree anew each time (test/vectors/README.md).
 * @type {{ proofs: Proof[], history: History, history_with_erasures: History, history_with_later_kinds: History }}
 */
const reference = JSON.parse(readFileSync(new URL('../../test/vectors/map.json', import.meta.url), 'utf8'));
/** @param {string} name */
const slug = (name) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** @returns {Vector[]} */
const proofs = () =>
  reference.proofs.map(({ name, ok, root, key, siblings, end, value_hash }) => ({
    id: `proof-${slug(name)}`,
    kind: 'proof',
    root,
    key,
    siblings,
    end: end && { key: end[0], value_hash: end[1] },
    expected: ok ? accepted({ value_hash }) : refused(['map_proof']),
  }));

function entries() {
  const { root } = reference.proofs[0];
  const text = writeMapEntry({ recorded_at: 1_763_900_000, root, size: 7 });
  /** @param {string} id @param {string} changed @param {Expected} expected */
  const read = (id, changed, expected) => ({ id, kind: 'entry', entry_base64: base64(Buffer.from(changed)), expected });
  /** @param {string} id @param {string} changed */
  const bad = (id, changed) => read(id, changed, refused(['map_entry']));
  return [
    read('entry', text, accepted({ recorded_at: 1_763_900_000, root, size: 7 })),
    bad('entry-in-another-order', `{"v":1,${text.slice(1).replace(',"v":1', '')}`),
    bad('entry-with-a-blank', text.replace(',', ', ')),
    bad('entry-with-another-member', text.replace('"v":1', '"v":1,"w":1')),
    bad('entry-without-size', text.replace('"size":7,', '')),
    bad('entry-of-another-kind', text.replace('"map"', '"link"')),
    bad('entry-version-2', text.replace('"v":1', '"v":2')),
    bad('entry-root-of-31-bytes', text.replace(root, root.slice(2))),
    bad('entry-root-in-capitals', text.replace(root, root.toUpperCase())),
    bad('entry-size-negative', text.replace('"size":7', '"size":-7')),
    bad('entry-size-above-2-to-53', text.replace('"size":7', '"size":9007199254740992')),
    bad('entry-behind-a-byte-order-mark', `\ufeff${text}`),
    bad('entry-null', 'null'),
  ];
}

/**
 * What the map takes of an entry: as the log has it, without the members that do not matter here.
 * @param {HistoryEntry} entry
 */
function factOf({ kind, id, avatar, action, platform, identity }) {
  if (kind === 'map') return { kind };
  if (kind !== 'link') return { kind, id, avatar };
  return { kind, id, avatar, action, identity_key: encodeHex(identityKey(platform, identity)) };
}

/**
 * The first entries of a history; `expected` has the root after each entry of the map's place, and at the end.
 * @param {string} id
 * @param {HistoryEntry[]} all
 * @param {number} count
 */
function historyOf(id, all, count) {
  const some = all.slice(0, count).map(factOf);
  const roots = all.slice(0, count).flatMap(({ kind, root }) => (kind === 'map' ? [root] : []));
  return { id: `${id}-of-${count}`, kind: 'history', entries: some, expected: accepted({ roots }) };
}

function histories() {
  const { entries } = reference.history;
  const { entries: withErasures } = reference.history_with_erasures;
  const { entries: withOthers } = reference.history_with_later_kinds;
  return [
    ...[8, 40, entries.length].map((count) => historyOf('history', entries, count)),
    ...[30, withErasures.length].map((count) => historyOf('history-with-erasures', withErasures, count)),
    historyOf('history-with-later-kinds', withOthers, withOthers.length),
  ];
}

export function maps() {
  return {
    description:
      'The map over the log, hashes in hex. `proof`: what a proof shows of a key; `value_hash` is null where the key is shown to be absent. `entry`: whether bytes are an entry of the map. `history`: what the map takes of the entries of a log, with the root of the map at each entry of kind `map`; `id` is the number of a link in its feed, which the entry of its erasure names. `answer`: what `GET /v1/log/map` answers to a question, before a policy.',
    vectors: [...proofs(), ...entries(), ...histories(), ...answers()],
  };
}
