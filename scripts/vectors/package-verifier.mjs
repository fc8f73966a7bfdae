/** The results of `packages/verify` for the vectors. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import * as rules from '@signet/verify';
import { verifyAtprotoProof, verifyExportProofs } from '@signet/verify/atproto';
import { parseObject, rewrittenJson, utf8 } from '@signet/verify/internal';
import { verifyDataItem } from '@signet/verify/data-item';
import { ROOT_KEYS, verifyDnssecProof } from '@signet/verify/dnssec';
import { dataItemMessage } from '@signet/verify/internal/signatures';
import { liveAppKeys } from '@signet/verify/internal/key-events';
import { keyStateAt, patchSignersOf, verifyHolds, verifyKeyChain } from '@signet/verify/key-events';
import * as log from '@signet/verify/log';
import {
  readOtherEntry,
  erasureEntry,
  recordEntry,
  recordHash,
  linkEntry,
  patchEntry,
  linkRecord,
  patchRecord,
  readNextLog,
  seenTime,
  neededOf,
} from '@signet/verify/internal/log';
import * as map from '@signet/verify/internal/map';
import * as seen from '@signet/verify/seen';
import { keyOfPasskey } from '@signet/verify/sign';
import { signatureAsBase64 } from '@signet/verify/signature-help';

/**
 * @import { Erasure, SignedLink, SignedPatch } from '@signet/verify'
 * @import { RecordedWrites, SignedKeyEvent } from '@signet/verify/key-events'
 * @import { FeedLink, FeedPatch, MapQuestion } from '@signet/verify/log'
 * @import { MapFact } from '@signet/verify/internal/map'
 * @import { SeenBinding } from '@signet/verify/seen'
 * @import { ArchivedItem, Change, Expected } from './types.d.ts'
 */

/**
 * What vectors about one record have.
 * @typedef {{ kind: string, avatar?: string, policy: string, now?: number }} Recorded
 */

/** Stands for text that is no hex: no hash has its length. */
const NOTHING = new Uint8Array();

/**
 * Turns steps into the form of expected results.
 * @param {{ name: string, state: string }[]} steps
 * @param {object} [facts]
 * @returns {Expected}
 */
function resultOf(steps, facts = {}) {
  /** @param {string} state */
  const named = (state) => [...new Set(steps.filter((step) => step.state === state).map(({ name }) => name))].sort();
  const reasons = named('failed');
  const ok = reasons.length === 0;
  return { ok, reasons, not_checkable: named('not_checkable'), ...(ok ? facts : {}) };
}

/** @param {object} [facts] @returns {Expected} */
const accepted = (facts) => ({ ok: true, reasons: [], not_checkable: [], ...facts });
/** @param {...string} reasons @returns {Expected} */
const refused = (...reasons) => ({ ok: false, reasons, not_checkable: [] });
/** @param {Uint8Array} bytes */
const hex = (bytes) => rules.encodeHex(bytes);
/**
 * Bytes of Base64 or hex that the vectors themselves have, which are good.
 * @param {string} text
 * @param {'base64' | 'base64url' | 'hex'} encoding
 */
const bytesOf = (text, encoding) => new Uint8Array(Buffer.from(text, encoding));
/** @param {string} text */
const digestOf = (text) => hex(rules.personalDigest(text));

/** @param {{ text: string, without_0x?: boolean }} vector */
function key({ text, without_0x: isBare }) {
  const key = rules.readAvatarKey(isBare && !text.startsWith('0x') ? `0x${text}` : text);
  if (typeof key === 'string') return refused(key.includes('point') ? 'key_point' : 'key_form');
  return accepted({ ...key, address: rules.addressOfKey(key.compressed) });
}

/** @param {{ kind: string, fields_json: string }} vector */
function payload({ kind, fields_json: json }) {
  const fields = parseObject(json);
  if (!fields) return refused('json');
  const text =
    kind === 'link' ? rules.linkPayload(/** @type {any} */ (fields)) : rules.patchPayload(/** @type {any} */ (fields));
  return accepted({ text, rewritten: rewrittenJson(text), digest: digestOf(text) });
}

/** @param {{ text: string, avatar: string, signature: string }} vector */
function signature({ text, avatar, signature: written }) {
  const stored = signatureAsBase64(written);
  const bytes = rules.decodeBase64(stored);
  if (!bytes || !rules.parseSignature(bytes)) return refused('signature_form');
  return rules.isPersonalSignature(text, bytes, avatar) ? accepted({ stored }) : refused('signature');
}

/** @param {{ prf: string, refused: number }} vector */
function passkey({ prf, refused: passedOver }) {
  let left = passedOver;
  try {
    const key = keyOfPasskey(rules.decodeHex(prf) ?? new Uint8Array(), () => left-- === 0);
    return accepted({ private_key: hex(key), avatar: `0x${hex(secp256k1.getPublicKey(key, true))}` });
  } catch {
    return refused('prf');
  }
}

/** @param {{ avatar?: string, links: SignedLink[] }} vector */
function chain({ avatar, links }) {
  const result = rules.verifyChain(links, { avatar });
  return resultOf(result.steps, { avatar: result.avatar, bindings: result.bindings.map(({ uuid }) => uuid) });
}

/** @param {{ avatar?: string, patches: SignedPatch[] }} vector */
function patchChain({ avatar, patches }) {
  const result = rules.verifyPatchChain(patches, { avatar });
  return resultOf(result.steps, { avatar: result.avatar, entries: result.entries });
}

/** @param {{ avatar?: string, events: SignedKeyEvent[], now: number }} vector */
function keyChain({ avatar, events, now }) {
  const result = verifyKeyChain(events, { avatar });
  const found = keyStateAt(result.ok ? events : [], now);
  const { committed, pendingCommit, pendingSuccession, freeze, isFrozen, succession } = found;
  const state = {
    app_keys: liveAppKeys(found, now).map((app) => app.key),
    recovery: committed?.recovery ?? [],
    pending: [pendingCommit, pendingSuccession].flatMap((pending) => (pending ? [pending.event] : [])),
    frozen_until: freeze?.until ?? null,
    is_frozen: isFrozen,
    successor: succession?.successor ?? null,
  };
  return resultOf(result.steps, { avatar: result.avatar, state });
}

/** @param {RecordedWrites & { events: SignedKeyEvent[] }} vector */
function writesHeld({ events, ...writes }) {
  return resultOf(verifyHolds(events, writes).steps);
}

/** @param {{ events: SignedKeyEvent[], patches: SignedPatch[] }} vector */
function appPatches({ events, patches }) {
  const result = rules.verifyPatchChain(patches, { signers: patchSignersOf(events) });
  return resultOf(result.steps, { avatar: result.avatar, entries: result.entries });
}

/** @param {{ target_json: string, patch_json: string }} vector */
function mergePatch({ target_json: target, patch_json: patch }) {
  return accepted({ result: rules.canonicalJson(rules.applyMergePatch(JSON.parse(target), JSON.parse(patch))) });
}

/** @param {{ text: string, payload: string, avatar: string }} vector */
function evidence({ text, payload: signed, avatar }) {
  const found = rules.findDocumentSignature(text, { payload: signed, avatar });
  return found.found ? accepted({ signature: found.signature }) : refused('evidence');
}

/** @param {any} vector of one of the kinds of platform-proofs.json */
async function platformProof({ kind, name, chain: records, at, root_keys: rootKeys = ROOT_KEYS, ...place }) {
  if (kind === 'dnssec') {
    const { steps, texts, zone } = verifyDnssecProof({ type: 'dnssec', chain: records }, name, { at, rootKeys });
    return resultOf(steps, { texts: texts.map((text) => Buffer.from(text, 'latin1').toString('hex')).sort(), zone });
  }
  if (kind === 'atproto_end') {
    const proved = await verifyExportProofs(/** @type {any} */ (place));
    return resultOf(proved.find(({ of }) => of === 'end')?.steps ?? []);
  }
  const { car, operations } = place;
  const { steps, record } = await verifyAtprotoProof({ type: 'atproto', car, operations }, place);
  return resultOf(steps, { record });
}

/** @param {{ documents: ArchivedItem[] }} vector */
async function archive({ documents }) {
  const results = rules.verifyArchiveDocuments(documents);
  const steps = results.flatMap((result) => result.steps);
  for (const { id, text, told } of documents) steps.push(...(await verifyDataItem(id, utf8(text), told)).steps);
  return resultOf(steps, { avatar: results[0]?.document?.avatar });
}

/** @param {{ item_id: string, data: string, told: ArchivedItem['told'] }} vector */
async function dataItem({ item_id: id, data, told }) {
  const { steps } = await verifyDataItem(id, utf8(data), told);
  const { tags, owner, recipient, anchor } = told;
  const [key, target, start] = [owner.key, recipient, anchor].map((text) => bytesOf(text, 'base64url'));
  const fields = { tags, owner: key, target, anchor: start };
  return resultOf(steps, { message: hex(dataItemMessage(fields, utf8(data))) });
}

/**
 * @param {{ kind: string, item: FeedLink & FeedPatch & { erased: Erasure }, recorded_at: number, entry_base64: string
 *   }} vector
 */
function logEntry({ kind, item, recorded_at: at, entry_base64: base64 }) {
  if (kind === 'bytes') {
    const bytes = bytesOf(base64, 'base64');
    const leaf_hash = hex(log.leafHash(bytes));
    if (log.readEntry(bytes)) return accepted({ leaf_hash });
    const other = readOtherEntry(bytes);
    return other ? accepted({ leaf_hash, other_kind: other.kind }) : refused('entry');
  }
  if (kind.startsWith('erased_')) {
    const entry = erasureEntry(kind === 'erased_link' ? { link: item } : { patch: item });
    const { record } = JSON.parse(entry);
    return accepted({ entry, record, leaf_hash: hex(log.leafHash(utf8(entry))) });
  }
  if (kind === 'key') {
    const entry = recordEntry(log.KEY_ENTRIES, item, at);
    const record = recordHash(log.KEY_ENTRIES, item);
    return accepted({ entry, record, leaf_hash: hex(log.leafHash(utf8(entry))) });
  }
  const entry = kind === 'link' ? linkEntry(item, at) : patchEntry(item, at);
  const record = kind === 'link' ? linkRecord(item) : patchRecord(item);
  return accepted({ entry, record, leaf_hash: hex(log.leafHash(utf8(entry))) });
}

/** @param {{ proof_of: string, hashes: string[], [given: string]: any }} vector */
function tree({ proof_of: what, hashes, ...claim }) {
  /** @param {string} text */
  const bytes = (text) => rules.decodeHex(text) ?? NOTHING;
  const proof = hashes.map(bytes);
  const { index, size, size1, size2 } = claim;
  const isProven =
    what === 'inclusion'
      ? log.isIncluded({ leafHash: bytes(claim.leaf_hash), index, size, root: bytes(claim.root), proof })
      : log.isConsistent({ size1, root1: bytes(claim.root1), size2, root2: bytes(claim.root2), proof });
  return isProven ? accepted() : refused(what);
}

/** @param {any} vector of one of the kinds of maps.json */
function mapVector({ kind, entry_base64: entry, entries, ...proof }) {
  if (kind === 'proof') return mapProof(proof);
  if (kind === 'history') return accepted({ roots: mapRoots(entries) });
  if (kind === 'answer') return mapAnswer(proof);
  const read = map.readMapEntry(bytesOf(entry, 'base64'));
  return read ? accepted({ recorded_at: read.recorded_at, root: read.root, size: read.size }) : refused('map_entry');
}

/** @param {{ question: MapQuestion, answer: unknown, policy: string }} vector */
function mapAnswer({ question, answer, policy: given }) {
  const result = log.verifyMapAnswer(answer, question, { policy: log.readPolicy(given) });
  const { value, holders, holder, entry } = result;
  return resultOf(result.steps, { size: entry?.size, value, holders, holder });
}

/**
 * @param {{ root: string, key: string, siblings: string[], end: { key: string, value_hash: string } | null }} vector
 */
function mapProof({ root, key, siblings, end }) {
  /** @param {string} text */
  const bytes = (text) => rules.decodeHex(text) ?? NOTHING;
  const given = {
    siblings: siblings.map(bytes),
    end: end && { key: bytes(end.key), valueHash: bytes(end.value_hash) },
  };
  const proven = map.provenValue(bytes(root), bytes(key), given);
  return proven ? accepted({ value_hash: proven.valueHash && hex(proven.valueHash) }) : refused('map_proof');
}

/** @param {MapFact[]} entries */
function mapRoots(entries) {
  /** @param {boolean} isGood */
  const state = new map.MapState();
  return entries.flatMap((entry) => {
    const roots = entry.kind === 'map' ? [hex(state.root())] : [];
    state.apply(entry.kind === 'map' ? null : entry);
    return roots;
  });
}

/** @param {{ text: string }} vector */
function verifierKey({ text }) {
  const read = log.readVerifierKey(text);
  if (!read) return refused('verifier_key');
  return accepted({ name: read.name, key_id: read.id, type: read.type, public_key: hex(read.publicKey) });
}

/** @param {{ policy: string }} vector */
function policy({ policy: text }) {
  try {
    log.readPolicy(text);
    return accepted();
  } catch (error) {
    if (error instanceof log.PolicyError) return refused('policy');
    throw error;
  }
}

/** @param {{ note: string, policy: string, now?: number }} vector */
function checkpoint({ note, policy: text, now }) {
  const read = log.readCheckpoint(note);
  if (!read) return refused('checkpoint');
  const given = log.readPolicy(text);
  const { log: signer, cosignatures, isQuorumMet } = log.judgeCheckpoint(read, given, { now });
  /** @param {boolean} isGood */
  const state = (isGood) => (isGood ? 'ok' : 'failed');
  const steps = [
    { name: 'log_signature', state: state(signer !== null) },
    { name: 'witnesses', state: given.quorum === null ? 'not_checkable' : state(isQuorumMet) },
  ];
  const cosigned = Object.fromEntries(cosignatures.map(({ witness, time }) => [witness, time]));
  return resultOf(steps, { origin: read.origin, size: read.size, root: hex(read.root), cosigned });
}

/** @param {Recorded & { proof: string, item: FeedLink & FeedPatch }} vector */
function proof({ proof: text, kind, item, avatar, policy: given, now }) {
  const about = kind === 'link' ? { link: item } : { patch: item };
  const result = log.verifyLogProof(text, { ...about, avatar, policy: log.readPolicy(given), now });
  const { index, checkpoint: head } = result;
  return resultOf(result.steps, { index, origin: head?.origin, size: head?.size });
}

/** @param {Recorded & { receipt: string, proof?: string, item?: FeedLink & FeedPatch }} vector */
function receipt({ receipt: text, proof: shown, kind, item, avatar, policy: given, now }) {
  const about = item && (kind === 'link' ? { link: item } : { patch: item });
  const context = { ...about, avatar, proof: shown, policy: log.readPolicy(given), now };
  const result = log.verifyReceipt(text, context);
  return resultOf(result.steps, { ...result.receipt });
}

/** @param {{ note: string, key: string }} vector */
function nextLog({ note, key }) {
  const ended = log.readVerifierKey(key);
  const said = ended && readNextLog(note, ended);
  return said ? accepted({ ...said }) : refused('next_log');
}

/** @param {{ note: string, key: string }} vector */
function seenStatement({ note, key }) {
  const read = seen.readStatement(note);
  if (!read) return refused('statement');
  const observer = log.readVerifierKey(key);
  const time = observer && seenTime(read.note, observer);
  return time === null ? refused('seen_signature') : accepted({ ...read.statement, time });
}

/** @param {{ observers: string }} vector */
function observerList({ observers: text }) {
  try {
    const list = seen.readObservers(text);
    return accepted({ names: list.observers.map(({ operator }) => operator), needed: neededOf(list) });
  } catch (error) {
    if (error instanceof seen.ObserversError) return refused('observers');
    throw error;
  }
}

/** @param {{ notes: string[], binding: SeenBinding, observers: string, now: number }} vector */
function quorum({ notes, binding, observers: text, now }) {
  const { lastAt, observers, ...verdict } = seen.judgeSeen(notes, binding, seen.readObservers(text), { now });
  const states = Object.fromEntries(observers.map(({ operator, state }) => [operator, state]));
  return accepted({ ...verdict, last_at: lastAt, states });
}

/**
 * @param {{ file: string, changes: Change[], text?: string, policy?: string, observers?: string, now?: number }} vector
 * @param {string} folder of the vectors
 */
function exportFile({ file, changes, text, policy: given, observers: listed, now }, folder) {
  const content =
    text ?? JSON.stringify(applyJsonPatch(JSON.parse(readFileSync(path.join(folder, file), 'utf8')), changes));
  const result = rules.verifyExport(content);
  const steps = result.steps.filter(({ name }) => name !== 'log' && name !== 'seen');
  if (result.file) {
    const trusted = given === undefined ? undefined : log.readPolicy(given);
    steps.push(...log.verifyExportLog(content, { policy: trusted, now }).steps);
    const observers = listed === undefined ? undefined : seen.readObservers(listed);
    if (observers || 'seen' in result.file) steps.push(...seen.verifyExportSeen(content, { observers }).steps);
  }
  return resultOf(steps);
}

/**
 * JSON Patch (RFC 6902); changes and returns the target.
 * @param {any} target
 * @param {Change[]} changes
 */
function applyJsonPatch(target, changes) {
  /** @param {string} pointer */
  const namesOf = (pointer) =>
    pointer
      .split('/')
      .slice(1)
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  /** The name of the member itself. @param {string[]} names */
  const nameIn = (names) => names[names.length - 1];
  /** @param {string[]} names */
  const parentOf = (names) => names.slice(0, -1).reduce((parent, name) => parent[name], target);
  /** @param {string[]} names */
  const take = (names) => names.reduce((parent, name) => parent[name], target);
  /** @param {string[]} names */
  const remove = (names) => {
    const parent = parentOf(names);
    if (Array.isArray(parent)) parent.splice(Number(names.at(-1)), 1);
    else delete parent[nameIn(names)];
  };
  /** @param {string[]} names @param {unknown} value */
  const add = (names, value) => {
    const parent = parentOf(names);
    if (Array.isArray(parent)) parent.splice(Number(names.at(-1)), 0, value);
    else parent[nameIn(names)] = value;
  };
  for (const { op, path: to, from, value } of changes) {
    const names = namesOf(to);
    const source = from === undefined ? value : JSON.parse(JSON.stringify(take(namesOf(from))));
    if (op === 'move' && from !== undefined) remove(namesOf(from));
    if (op === 'remove') remove(names);
    else if (op === 'replace') parentOf(names)[nameIn(names)] = source;
    else add(names, source);
  }
  return target;
}

/** @param {{ message: string, signature: string, public_key: string }} vector */
function bip340Signature({ message, signature, public_key }) {
  const [text, made, key] = [message, signature, public_key].map(rules.decodeHex);
  const isGood = text && made && key && rules.nobleBip340.verify(text, made, key);
  return isGood ? accepted() : refused('signature');
}

/**
 * By the name of the file: a function that returns the result for one of its vectors, in the form of `expected`.
 * @type {Record<string, (vector: any, folder: string) => unknown>}
 */
export const JUDGES = {
  'keys.json': key,
  'payloads.json': payload,
  'signatures.json': signature,
  'bip340.json': bip340Signature,
  'wallets.json': (claim) => resultOf([rules.verifyWallet(claim)]),
  'passkeys.json': passkey,
  'chains.json': chain,
  'patch-chains.json': patchChain,
  'key-events.json': keyChain,
  'holds.json': writesHeld,
  'app-patches.json': appPatches,
  'merge-patches.json': mergePatch,
  'evidence.json': evidence,
  'platform-proofs.json': platformProof,
  'archive.json': archive,
  'data-items.json': dataItem,
  'log-entries.json': logEntry,
  'trees.json': tree,
  'maps.json': mapVector,
  'verifier-keys.json': verifierKey,
  'policies.json': policy,
  'checkpoints.json': checkpoint,
  'proofs.json': proof,
  'receipts.json': receipt,
  'next-logs.json': nextLog,
  'seen-statements.json': seenStatement,
  'observers.json': observerList,
  'seen.json': quorum,
  'exports.json': exportFile,
};

/** @param {() => unknown} ask */
async function textOf(ask) {
  try {
    return rules.canonicalJson(JSON.parse(JSON.stringify(await ask())));
  } catch (error) {
    return String(error);
  }
}

/**
 * Asks about all vectors of a folder.
 * @param {string} folder
 * @returns the number of vectors, and a sentence for each on which it disagrees
 */
export async function checkVectors(folder) {
  let count = 0;
  const differences = [];
  for (const [file, judge] of Object.entries(JUDGES)) {
    const { vectors } = JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
    for (const vector of vectors) {
      count += 1;
      const seen = await textOf(() => judge(vector, folder));
      const expected = rules.canonicalJson(vector.expected);
      if (seen !== expected) differences.push(`${file} ${vector.id}: expected ${expected}, and saw ${seen}`);
    }
  }
  return { count, differences };
}
