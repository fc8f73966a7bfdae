/**
 * Checks what a server says that the map has for an Avatar or an identity (`GET /v1/log/map`): with the signature of
 * the log over a tree head whose last entry is the map, it is a fact that nothing was left out of.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import type { WithEd25519 } from '../keys/curves.js';
import { decodeHex, encodeHex, equalBytes } from '../text/encoding.js';
import { type Checkpoint, readCheckpoint } from '../log/checkpoint.js';
import { signatureSteps } from '../log/log-proof.js';
import { type CheckpointVerdict, judgeCheckpoint, type Policy } from '../log/policy.js';
import { readLogProof } from '../log/proof-file.js';
import { isIncluded, leafHash, type Sha256 } from '../log/tree.js';
import { isObject } from '../text/signed-text.js';
import {
  checked,
  failed,
  ok,
  type Step,
  type StepName,
  type Verification,
  verificationOf,
  withoutThrowing,
} from '../steps.js';
import { type MapEntry, readMapEntry } from './map-entry.js';
import { avatarKey, holderKey, identityKey } from './map-keys.js';
import {
  type AvatarState,
  entriesIn,
  type HolderState,
  type IdentityState,
  isAvatarState,
  isCount,
  valueText,
} from './map-values.js';
import { type MapProof, provenValue, SparseTree, valueHash } from './sparse-tree.js';

/**
 * What the map is asked: what an Avatar has signed, who holds an identity, or whether one Avatar holds it. Avatars are
 * compressed keys, identities have their canonical form.
 */
export type MapQuestion = { avatar: string } | { platform: string; identity: string; avatar?: string | undefined };

/** An Avatar that holds an identity, with the entry of the link that made the binding. */
export interface Holder extends HolderState {
  avatar: string;
}

/** What an answer shows. The facts are of worth only if `ok`. */
export interface MapVerification extends Verification {
  /** The head that the answer leads to; null if it could not be read. */
  checkpoint: Checkpoint | null;
  /** The map entry: the map after the `size` entries before it. */
  entry: MapEntry | null;
  /** What the Avatar has signed, or how many hold the identity; null where it has, or they are, none. */
  value: AvatarState | IdentityState | null;
  /** All that hold the identity; null where more than 1,000 do, and for questions that name an Avatar. */
  holders: Holder[] | null;
  /** How the Avatar of the question holds the identity; null where it does not, and for other questions. */
  holder: HolderState | null;
}

/** The answer, once its shape is known. */
interface MapAnswer {
  key: Uint8Array;
  value: AvatarState | IdentityState | null;
  proof: MapProof;
  holders: Holder[] | null;
  holder: { value: HolderState | null; proof: MapProof } | null;
  log_proof: string;
}

/** An answer may name no holders where there are more than these. */
const MOST_NAMED = 1000;
/** Why a value is no part of a map that was computed from the log. */
const LATER = 'It names an entry that is newer than the map.';
const HASH = /^[0-9a-f]{64}$/;
const AVATAR = /^0x0[23][0-9a-f]{64}$/;

/** Whom a reader of the map believes. */
export interface MapContext extends WithEd25519 {
  /** The logs that are accepted, and whose cosignatures are asked for. */
  policy: Policy;
  /** UNIX seconds; with it, cosignatures from the future do not count. */
  now?: number | undefined;
}

/**
 * Checks an answer of `GET /v1/log/map`, which may be anything, to a question. Steps: `map_answer` (its shape),
 * `proof`, `map_entry` (what is proven is an entry of the map), `map_last` (it is the last of its tree head),
 * `map_size` (it is about the entries before it), `inclusion`, `log_signature`, `witnesses` (not checkable where the
 * policy asks for none), `map_key` (the answer is to this question), `map_proof`, `map_value`, and `map_holders` or
 * `map_holder` of an identity. The key is computed from the question. Never throws, whatever it is given.
 */
export function verifyMapAnswer(answer: unknown, question: MapQuestion, context: MapContext): MapVerification {
  return withoutThrowing(
    () => checkMapAnswer(answer, question, context.policy, (head) => judgeCheckpoint(head, context.policy, context)),
    NO_MAP,
  );
}

const NO_MAP = { checkpoint: null, entry: null, value: null, holders: null, holder: null };

/** `verifyMapAnswer` with a given judge of checkpoints and a given hash. */
export function checkMapAnswer(
  answer: unknown,
  question: MapQuestion,
  policy: Policy,
  judge: (checkpoint: Checkpoint) => CheckpointVerdict,
  hash: Sha256 = sha256,
): MapVerification {
  const isOfIdentity = 'platform' in question;
  const given = readAnswer(answer, question);
  if (!given) return { ...verificationOf([failed('map_answer', 'It is not an answer of the map.')]), ...NO_MAP };
  const file = readLogProof(given.log_proof);
  const checkpoint = file && readCheckpoint(file.checkpoint);
  if (!file || !checkpoint) {
    return { ...verificationOf([failed('proof', 'It has no proof file with a checkpoint.')]), ...NO_MAP };
  }
  const { extra, index, proof } = file;
  const { size, root } = checkpoint;
  const entry = extra && readMapEntry(extra);
  const key = isOfIdentity ? identityKey(question.platform, question.identity, hash) : avatarKey(question.avatar, hash);
  const steps = [
    checked('map_entry', entry !== null, 'It proves an entry of the map.', 'What it proves is no entry of the map.'),
    checked(
      'map_last',
      index === size - 1,
      `The entry is the last one of a tree of ${size} entries.`,
      `The entry is number ${index} of ${size}: the map is the last one of each tree head.`,
    ),
    ...(entry ? [checkSize(entry, index)] : []),
    checked(
      'inclusion',
      extra !== null && isIncluded({ leafHash: leafHash(extra), index, size, root, proof }),
      'The entry leads to the root of the checkpoint.',
      'The entry does not lead to the root of the checkpoint.',
    ),
    ...signatureSteps(policy, checkpoint, judge(checkpoint)),
    checked(
      'map_key',
      equalBytes(given.key, key),
      'It is about what was asked.',
      'It has the key of something else than what was asked.',
    ),
  ];
  if (entry)
    steps.push(...checkContent(given, question, { key, root: decodeHex(entry.root)!, size: entry.size, hash }));
  const { value, holders, holder } = given;
  return { ...verificationOf(steps), checkpoint, entry, value, holders, holder: holder?.value ?? null };
}

function checkSize({ size }: MapEntry, index: number): Step {
  const bad = `The entry of the map is number ${index} and says that it is about ${size} entries.`;
  return checked('map_size', size === index, `It is about the ${size} entries before it.`, bad);
}

interface Place {
  key: Uint8Array;
  root: Uint8Array;
  /** The number of entries that the map is about. */
  size: number;
  hash: Sha256;
}

/** What stands in the tree; each step is made only where the one before it is ok. */
function checkContent(given: MapAnswer, question: MapQuestion, place: Place): Step[] {
  const { value } = given;
  const steps = checkValue(value, given.proof, place, ['map_proof', 'map_value']);
  if (!('platform' in question) || steps.some(({ state }) => state === 'failed')) return steps;
  const held = value as IdentityState | null;
  if (question.avatar !== undefined) return [...steps, ...checkHolder(given, question.avatar, held, place)];
  return [...steps, ...checkHolders(given.holders, held, place)];
}

function checkValue(
  value: AvatarState | IdentityState | HolderState | null,
  proof: MapProof,
  { key, root, size, hash }: Place,
  [proofStep, valueStep]: [StepName, StepName],
): Step[] {
  const proven = provenValue(root, key, proof, hash);
  if (!proven) return [failed(proofStep, 'The proof does not lead from what was asked to the root of the map.')];
  const expected = value && valueHash(valueText(value), hash);
  const isSame = expected && proven.valueHash ? equalBytes(expected, proven.valueHash) : expected === proven.valueHash;
  const bad =
    value === null
      ? 'It says that the map has nothing there, and its proof shows a value.'
      : proven.valueHash === null
        ? 'It has a value, and its proof shows that the map has none.'
        : isSame
          ? LATER
          : 'Its value is not the one that its proof shows.';
  const good = value === null ? 'The map has nothing there.' : 'The map has this value.';
  const isGood = isSame && !(value && isLater(value, size));
  return [ok(proofStep, 'The proof leads to the root of the map.'), checked(valueStep, isGood, good, bad)];
}

/** Whether a value names an entry that is not among those that the map is about. */
function isLater(value: AvatarState | IdentityState | HolderState, size: number): boolean {
  return entriesIn(value).some((entry) => entry >= size);
}

/** All holders, whose number and the root of whose tree are in the map; of very many the answer names none. */
function checkHolders(holders: Holder[] | null, held: IdentityState | null, { size, hash }: Place): Step[] {
  if (holders === null) {
    const all = held?.holders ?? 0;
    const bad = `It does not name the Avatars that hold it, and the map says that they are ${all}.`;
    return [checked('map_holders', all > MOST_NAMED, `More than ${MOST_NAMED} Avatars hold it: ${all}.`, bad)];
  }
  const tree = new SparseTree(hash);
  for (const { avatar, link } of holders) {
    tree.set(holderKey(avatar, hash), valueHash(valueText({ link }), hash));
  }
  const { holders: count, root } = held ?? { holders: 0, root: encodeHex(tree.root()) };
  const isAll = holders.length === count && new Set(holders.map(({ avatar }) => avatar)).size === count;
  if (!isAll) {
    return [failed('map_holders', `It names ${holders.length} Avatars, and the map says that ${count} hold it.`)];
  }
  if (holders.some((holder) => isLater(holder, size))) return [failed('map_holders', LATER)];
  const bad = 'The Avatars that it names are not those of the map.';
  return [checked('map_holders', encodeHex(tree.root()) === root, `It names all Avatars that hold it: ${count}.`, bad)];
}

function checkHolder({ holder }: MapAnswer, avatar: string, held: IdentityState | null, map: Place): Step[] {
  if (!held) {
    const bad = 'It proves something of a holder, and the map says that there is none.';
    return [checked('map_holder', holder === null, 'No Avatar holds it.', bad)];
  }
  if (!holder) return [failed('map_holder', 'It does not say whether the Avatar holds it.')];
  const place = { ...map, key: holderKey(avatar, map.hash), root: decodeHex(held.root)! };
  const problem = checkValue(holder.value, holder.proof, place, ['map_holder', 'map_holder']).find(
    ({ state }) => state === 'failed',
  );
  return [problem ?? ok('map_holder', holder.value ? 'The Avatar holds it.' : 'The Avatar does not hold it.')];
}

/** The answer with hashes as bytes; null for what has not its shape. */
function readAnswer(answer: unknown, question: MapQuestion): MapAnswer | null {
  if (!isObject(answer)) return null;
  const isOfIdentity = 'platform' in question;
  const asksAll = isOfIdentity && question.avatar === undefined;
  const asksOne = isOfIdentity && !asksAll;
  const { key, value, proof, holders = null, holder = null, log_proof: logProof } = answer;
  const keyBytes = hashIn(key);
  const read = proofIn(proof);
  const isKnown = value === null || (isOfIdentity ? isIdentityState(value) : isAvatarState(value));
  const isNamed = holders === null || (asksAll && Array.isArray(holders) && holders.every(isHolder));
  const one = holder === null ? null : asksOne ? holderIn(holder) : undefined;
  if (!keyBytes || !read || !isKnown || !isNamed || one === undefined || typeof logProof !== 'string') return null;
  const known = value as MapAnswer['value'];
  return { key: keyBytes, value: known, proof: read, holders: holders as Holder[], holder: one, log_proof: logProof };
}

function proofIn(proof: unknown): MapProof | null {
  if (!isObject(proof) || !Array.isArray(proof['siblings'])) return null;
  const siblings = proof['siblings'].map(hashIn);
  const { end } = proof;
  const leaf = isObject(end) ? { key: hashIn(end['key']), valueHash: hashIn(end['value_hash']) } : null;
  if (end !== null && !(leaf?.key && leaf.valueHash)) return null;
  if (!siblings.every((sibling) => sibling !== null)) return null;
  return { siblings, end: leaf as MapProof['end'] };
}

function holderIn(holder: unknown): MapAnswer['holder'] | undefined {
  const proof = isObject(holder) ? proofIn(holder['proof']) : null;
  if (!isObject(holder) || !proof) return undefined;
  const { value } = holder;
  const isState = value === null || (isObject(value) && hasMembers(value, ['link']) && isCount(value['link']));
  return isState ? { value: value as unknown as HolderState | null, proof } : undefined;
}

function isIdentityState(value: unknown): boolean {
  return (
    isObject(value) && hasMembers(value, ['holders', 'root']) && isCount(value['holders']) && !!hashIn(value['root'])
  );
}

function isHolder(holder: unknown): boolean {
  if (!isObject(holder) || !hasMembers(holder, ['avatar', 'link'])) return false;
  return isCount(holder['link']) && typeof holder['avatar'] === 'string' && AVATAR.test(holder['avatar']);
}

function hasMembers(value: object, names: string[]): boolean {
  const own = Object.keys(value);
  return own.length === names.length && names.every((name) => Object.hasOwn(value, name));
}

function hashIn(text: unknown): Uint8Array | null {
  return typeof text === 'string' && HASH.test(text) ? decodeHex(text) : null;
}
