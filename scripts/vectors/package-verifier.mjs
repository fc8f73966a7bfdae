/** The results of `packages/verify` for the vectors. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as rules from '@signet/verify';
import { verifyDataItem, dataItemMessage } from '@signet/verify/data-item';
import * as log from '@signet/verify/log';
import * as map from '@signet/verify/map';
import * as seen from '@signet/verify/seen';
import { signatureAsBase64 } from '@signet/verify/signature-help';

/** Turns steps into the form of expected results. */
function resultOf(steps, facts = {}) {
  const named = (state) => [...new Set(steps.filter((step) => step.state === state).map(({ name }) => name))].sort();
  const reasons = named('failed');
  const ok = reasons.length === 0;
  return { ok, reasons, not_checkable: named('not_checkable'), ...(ok ? facts : {}) };
}

const accepted = (facts) => ({ ok: true, reasons: [], not_checkable: [], ...facts });
const refused = (...reasons) => ({ ok: false, reasons, not_checkable: [] });
const hex = (bytes) => rules.encodeHex(bytes);
const digestOf = (text) => hex(rules.personalDigest(text));

function key({ text, without_0x: isBare }) {
  const key = rules.readAvatarKey(isBare && !text.startsWith('0x') ? `0x${text}` : text);
  if (typeof key === 'string') return refused(key.includes('point') ? 'key_point' : 'key_form');
  return accepted({ ...key, address: rules.addressOfKey(key.compressed) });
}

function payload({ kind, fields_json: json }) {
  const fields = rules.parseObject(json);
  if (!fields) return refused('json');
  const text = kind === 'link' ? rules.linkPayload(fields) : rules.patchPayload(fields);
  return accepted({ text, rewritten: rules.rewrittenJson(text), digest: digestOf(text) });
}

function signature({ text, avatar, signature: written }) {
  const stored = signatureAsBase64(written);
  const bytes = rules.decodeBase64(stored);
  if (!bytes || !rules.parseSignature(bytes)) return refused('signature_form');
  return rules.isPersonalSignature(text, bytes, avatar) ? accepted({ stored }) : refused('signature');
}

function chain({ avatar, links }) {
  const result = rules.verifyChain(links, { avatar });
  return resultOf(result.steps, { avatar: result.avatar, bindings: result.bindings.map(({ uuid }) => uuid) });
}

function patchChain({ avatar, patches }) {
  const result = rules.verifyPatchChain(patches, { avatar });
  return resultOf(result.steps, { avatar: result.avatar, entries: result.entries });
}

function mergePatch({ target_json: target, patch_json: patch }) {
  return accepted({ result: rules.canonicalJson(rules.applyMergePatch(JSON.parse(target), JSON.parse(patch))) });
}

function evidence({ text, payload: signed, avatar }) {
  const found = rules.findDocumentSignature(text, { payload: signed, avatar });
  return found.found ? accepted({ signature: found.signature }) : refused('evidence');
}

async function archive({ documents }) {
  const results = rules.verifyArchiveDocuments(documents);
  const steps = results.flatMap((result) => result.steps);
  for (const { id, text, told } of documents) steps.push(...(await verifyDataItem(id, rules.utf8(text), told)).steps);
  return resultOf(steps, { avatar: results[0]?.document?.avatar });
}

async function dataItem({ item_id: id, data, told }) {
  const bytes = (text) => new Uint8Array(Buffer.from(text, 'base64url'));
  const { steps } = await verifyDataItem(id, rules.utf8(data), told);
  const { tags, owner, recipient, anchor } = told;
  const fields = { tags, owner: bytes(owner.key), target: bytes(recipient), anchor: bytes(anchor) };
  return resultOf(steps, { message: hex(dataItemMessage(fields, rules.utf8(data))) });
}

function logEntry({ kind, item, recorded_at: at, entry_base64: base64 }) {
  if (kind === 'bytes') {
    const bytes = rules.decodeBase64(base64);
    const leaf_hash = hex(log.leafHash(bytes));
    if (log.readEntry(bytes)) return accepted({ leaf_hash });
    const other = log.readOtherEntry(bytes);
    return other ? accepted({ leaf_hash, other_kind: other.kind }) : refused('entry');
  }
  if (kind.startsWith('erased_')) {
    const entry = log.erasureEntry(kind === 'erased_link' ? { link: item } : { patch: item });
    const { record } = JSON.parse(entry);
    return accepted({ entry, record, leaf_hash: hex(log.leafHash(rules.utf8(entry))) });
  }
  const entry = kind === 'link' ? log.linkEntry(item, at) : log.patchEntry(item, at);
  const record = kind === 'link' ? log.linkRecord(item) : log.patchRecord(item);
  return accepted({ entry, record, leaf_hash: hex(log.leafHash(rules.utf8(entry))) });
}

function tree({ proof_of: what, hashes, ...claim }) {
  const bytes = (text) => rules.decodeHex(text);
  const proof = hashes.map(bytes);
  const { index, size, size1, size2 } = claim;
  const isProven =
    what === 'inclusion'
      ? log.isIncluded({ leafHash: bytes(claim.leaf_hash), index, size, root: bytes(claim.root), proof })
      : log.isConsistent({ size1, root1: bytes(claim.root1), size2, root2: bytes(claim.root2), proof });
  return isProven ? accepted() : refused(what);
}

function mapVector({ kind, entry_base64: entry, entries, ...proof }) {
  if (kind === 'proof') return mapProof(proof);
  if (kind === 'history') return accepted({ roots: mapRoots(entries) });
  if (kind === 'answer') return mapAnswer(proof);
  const read = map.readMapEntry(rules.decodeBase64(entry));
  return read ? accepted({ recorded_at: read.recorded_at, root: read.root, size: read.size }) : refused('map_entry');
}

function mapAnswer({ question, answer, policy: given }) {
  const result = log.verifyMapAnswer(answer, question, { policy: log.readPolicy(given) });
  const { value, holders, holder, entry } = result;
  return resultOf(result.steps, { size: entry?.size, value, holders, holder });
}

function mapProof({ root, key, siblings, end }) {
  const bytes = (text) => rules.decodeHex(text);
  const given = {
    siblings: siblings.map(bytes),
    end: end && { key: bytes(end.key), valueHash: bytes(end.value_hash) },
  };
  const proven = map.provenValue(bytes(root), bytes(key), given);
  return proven ? accepted({ value_hash: proven.valueHash && hex(proven.valueHash) }) : refused('map_proof');
}

function mapRoots(entries) {
  const state = new map.MapState();
  return entries.flatMap((entry) => {
    const roots = entry.kind === 'map' ? [hex(state.root())] : [];
    state.apply(entry.kind === 'map' ? null : entry);
    return roots;
  });
}

function verifierKey({ text }) {
  const read = log.readVerifierKey(text);
  if (!read) return refused('verifier_key');
  return accepted({ name: read.name, key_id: read.id, type: read.type, public_key: hex(read.publicKey) });
}

function policy({ policy: text }) {
  try {
    log.readPolicy(text);
    return accepted();
  } catch (error) {
    if (error instanceof log.PolicyError) return refused('policy');
    throw error;
  }
}

function checkpoint({ note, policy: text, now }) {
  const read = log.readCheckpoint(note);
  if (!read) return refused('checkpoint');
  const given = log.readPolicy(text);
  const { log: signer, cosignatures, isQuorumMet } = log.judgeCheckpoint(read, given, { now });
  const state = (isGood) => (isGood ? 'ok' : 'failed');
  const steps = [
    { name: 'log_signature', state: state(signer !== null) },
    { name: 'witnesses', state: given.quorum === null ? 'not_checkable' : state(isQuorumMet) },
  ];
  const cosigned = Object.fromEntries(cosignatures.map(({ witness, time }) => [witness, time]));
  return resultOf(steps, { origin: read.origin, size: read.size, root: hex(read.root), cosigned });
}

function proof({ proof: text, kind, item, avatar, policy: given, now }) {
  const about = kind === 'link' ? { link: item } : { patch: item };
  const result = log.verifyLogProof(text, { ...about, avatar, policy: log.readPolicy(given), now });
  const { index, checkpoint: head } = result;
  return resultOf(result.steps, { index, origin: head?.origin, size: head?.size });
}

function receipt({ receipt: text, proof: shown, kind, item, avatar, policy: given, now }) {
  const about = item && (kind === 'link' ? { link: item } : { patch: item });
  const context = { ...about, avatar, proof: shown, policy: log.readPolicy(given), now };
  const result = log.verifyReceipt(text, context);
  return resultOf(result.steps, { ...result.receipt });
}

function nextLog({ note, key }) {
  const ended = log.readVerifierKey(key);
  const said = ended && log.readNextLog(note, ended);
  return said ? accepted({ ...said }) : refused('next_log');
}

function seenStatement({ note, key }) {
  const read = seen.readStatement(note);
  if (!read) return refused('statement');
  const time = seen.seenTime(read.note, log.readVerifierKey(key));
  return time === null ? refused('seen_signature') : accepted({ ...read.statement, time });
}

function observerList({ observers: text }) {
  try {
    const list = seen.readObservers(text);
    return accepted({ names: list.observers.map(({ operator }) => operator), needed: seen.neededOf(list) });
  } catch (error) {
    if (error instanceof seen.ObserversError) return refused('observers');
    throw error;
  }
}

function quorum({ notes, binding, observers: text, now }) {
  const { lastAt, observers, ...verdict } = seen.judgeSeen(notes, binding, seen.readObservers(text), now);
  const states = Object.fromEntries(observers.map(({ operator, state }) => [operator, state]));
  return accepted({ ...verdict, last_at: lastAt, states });
}

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

/** JSON Patch (RFC 6902); changes and returns the target. */
function applyJsonPatch(target, changes) {
  const namesOf = (pointer) =>
    pointer
      .split('/')
      .slice(1)
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  const parentOf = (names) => names.slice(0, -1).reduce((parent, name) => parent[name], target);
  const take = (names) => names.reduce((parent, name) => parent[name], target);
  const remove = (names) => {
    const parent = parentOf(names);
    if (Array.isArray(parent)) parent.splice(Number(names.at(-1)), 1);
    else delete parent[names.at(-1)];
  };
  const add = (names, value) => {
    const parent = parentOf(names);
    if (Array.isArray(parent)) parent.splice(Number(names.at(-1)), 0, value);
    else parent[names.at(-1)] = value;
  };
  for (const { op, path: to, from, value } of changes) {
    const names = namesOf(to);
    const source = from === undefined ? value : JSON.parse(JSON.stringify(take(namesOf(from))));
    if (op === 'move') remove(namesOf(from));
    if (op === 'remove') remove(names);
    else if (op === 'replace') parentOf(names)[names.at(-1)] = source;
    else add(names, source);
  }
  return target;
}

/** By the name of the file: a function that returns the result for one of its vectors, in the form of `expected`. */
export const JUDGES = {
  'keys.json': key,
  'payloads.json': payload,
  'signatures.json': signature,
  'wallets.json': (claim) => resultOf([rules.verifyWallet(claim)]),
  'chains.json': chain,
  'patch-chains.json': patchChain,
  'merge-patches.json': mergePatch,
  'evidence.json': evidence,
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

async function textOf(ask) {
  try {
    return rules.canonicalJson(JSON.parse(JSON.stringify(await ask())));
  } catch (error) {
    return String(error);
  }
}

/**
 * Asks about all vectors of a folder.
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
