/** Checks archived links with nothing but themselves (docs/archive.md, "What is verified"). */
import { canonicalJson } from '../../dist/src/crypto/canonical-json.js';
import { decodeBase64 } from '../../dist/src/crypto/encoding.js';
import { isPersonalSignature } from '../../dist/src/crypto/personal-sign.js';
import { checkWallet } from './check-wallet.mjs';

const TEXT_FIELDS = [
  'action',
  'avatar',
  'created_at',
  'identity',
  'platform',
  'previous_archive_id',
  'previous_uuid',
  'proof_location',
  'signature',
  'signature_payload',
  'uuid',
];
/** Fields that stand in the signed text under the same name. */
const SIGNED_FIELDS = ['action', 'avatar', 'created_at', 'identity', 'platform', 'uuid'];
/** The clocks of the servers of one deployment may be this far apart. */
const CLOCK_SPREAD_SECONDS = 300;

/**
 * Checks the links of one Avatar, oldest first.
 * @returns for each link `{ problems, notes }`: sentences about what is wrong, and about what could not be checked here
 */
export async function checkChain(links) {
  const reports = [];
  const uuids = new Set();
  for (const [index, link] of links.entries()) {
    reports.push(await checkLink(link, links[index - 1], uuids));
    uuids.add(link.document.uuid);
  }
  return reports;
}

async function checkLink({ id, text, document }, before, uuids) {
  const problems = problemsOfShape(text, document);
  if (problems.length > 0) return { id, problems, notes: [] };
  problems.push(...problemsOfSignature(document));
  problems.push(...problemsOfPlace(document, before?.document));
  if (uuids.has(document.uuid)) problems.push('its uuid was used by an earlier link');
  const wallet = await checkWallet(document);
  return { id, problems: [...problems, ...wallet.problems], notes: wallet.notes };
}

function problemsOfShape(text, document) {
  const problems = TEXT_FIELDS.filter((name) => typeof document[name] !== 'string').map((name) => `it has no ${name}`);
  if (typeof document.extra !== 'object' || document.extra === null) problems.push('it has no extra');
  const extras = Object.keys(document).filter((name) => !TEXT_FIELDS.includes(name) && name !== 'extra');
  problems.push(...extras.map((name) => `it has a field ${JSON.stringify(name)} that documents do not have`));
  if (problems.length === 0 && canonicalJson(document) !== text) problems.push('it is not canonical JSON');
  if (!['create', 'delete'].includes(document.action)) problems.push('its action is neither create nor delete');
  return problems;
}

function problemsOfSignature(document) {
  const signature = decodeBase64(document.signature);
  const isSigned = signature !== null && isPersonalSignature(document.signature_payload, signature, document.avatar);
  const problems = isSigned ? [] : ['its signature was not made by the Avatar over signature_payload'];
  const signed = parseObject(document.signature_payload);
  if (!signed) return [...problems, 'its signature_payload is not a JSON object'];
  const changed = SIGNED_FIELDS.filter((name) => signed[name] !== document[name]);
  return [...problems, ...changed.map((name) => `its ${name} is not the one that was signed`)];
}

function problemsOfPlace(document, before) {
  const prev = parseObject(document.signature_payload)?.prev;
  const problems = [];
  if (prev !== (before?.signature ?? null)) {
    problems.push(
      before ? 'its prev is not the signature of the link before it' : 'its prev names a link before the first one',
    );
  }
  if (document.previous_uuid !== (before?.uuid ?? ''))
    problems.push('its previous_uuid is not that of the link before it');
  if (before && document.avatar !== before.avatar)
    problems.push('it belongs to another Avatar than the link before it');
  if (before && Number(document.created_at) < Number(before.created_at) - CLOCK_SPREAD_SECONDS) {
    problems.push('it is older than the link before it');
  }
  return problems;
}

function parseObject(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}
