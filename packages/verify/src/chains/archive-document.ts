/** The documents that are archived, one for each link (docs/archive.md). */
import { canonicalJson } from '../text/canonical-json.js';
import { ChainChecker } from './chain.js';
import type { WithCurves } from '../keys/curves.js';
import type { Erasure } from './erased.js';
import type { SignedLink } from './link.js';
import { canonicalOrNull, isObject, missingText, parseObject } from '../text/signed-text.js';
import { checked, failed, ok, show, type Step, verificationOf, type Verification } from '../steps.js';

/** What a document says of the link before it. */
export interface Predecessor {
  uuid: string;
  archive_id: string;
}

/** A document as it was fetched from a gateway. */
export interface ArchivedText {
  /** Id of the document: 43 characters of base64url. */
  id: string;
  /** The exact text of the document. */
  text: string;
}

/** What came of one document. */
export interface ArchivedLink extends Verification {
  id: string;
  /** What the text says; null where it is not a JSON object. */
  document: (SignedLink & { previous_archive_id: string; previous_uuid: string }) | null;
}

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

/**
 * The text that is archived for one link, canonical JSON. It holds all that a stranger needs to verify the link and to
 * find the one before it; `previous_uuid` and `previous_archive_id` are `''` in the first link of an Avatar.
 * A link whose text was erased before it was archived has `erased`, too.
 * @throws TypeError for what JSON cannot hold (`canonicalJson`)
 */
export function archiveDocument(
  { erased, ...link }: Required<Omit<SignedLink, 'erased'>> & { erased?: Erasure },
  previous: Predecessor | null,
): string {
  const { archive_id: previous_archive_id = '', uuid: previous_uuid = '' } = previous ?? {};
  const said: Record<string, unknown> = { ...link, previous_archive_id, previous_uuid };
  const members = ['extra', ...TEXT_FIELDS].map((name) => [name, said[name]]);
  return canonicalJson({ ...Object.fromEntries(members), ...(erased && { erased }) });
}

/**
 * Checks the documents of one chain, oldest first, with nothing but themselves: `document` (fields and canonical JSON),
 * the steps of the chain, `previous_uuid` and `previous_archive_id`. Whether an id belongs to its bytes only the
 * archive can show. Never throws: what is no list is one result that failed.
 */
export function verifyArchiveDocuments(texts: ArchivedText[], options: WithCurves = {}): ArchivedLink[] {
  try {
    return checkDocuments(texts, new ChainChecker({ curves: options.curves }));
  } catch {
    return [{ id: '', document: null, ...verificationOf([failed('document', 'It cannot be read.')]) }];
  }
}

function checkDocuments(texts: ArchivedText[], checker: ChainChecker): ArchivedLink[] {
  let before: Predecessor = { uuid: '', archive_id: '' };
  return texts.map((item: unknown) => {
    const { id, text } = isObject(item) ? (item as unknown as ArchivedText) : { id: '', text: '' };
    const document = (typeof text === 'string' ? parseObject(text) : null) as ArchivedLink['document'];
    const steps = [checkDocument(text, document)];
    if (document && steps[0]!.state === 'ok') {
      steps.push(...checker.add(document).steps, ...checkPredecessor(document, before));
      before = { uuid: document.uuid, archive_id: id };
    }
    return { id, document, ...verificationOf(steps) };
  });
}

function checkDocument(text: string, document: Record<string, unknown> | null | ArchivedLink['document']): Step {
  if (!document) return failed('document', 'It is not a JSON object.');
  const members = document as Record<string, unknown>;
  const missing = missingText(members, TEXT_FIELDS);
  if (missing) return failed('document', `It has no ${missing}.`);
  if (!isObject(members['extra'])) return failed('document', 'It has no extra.');
  const strange = Object.keys(members).find((name) => !['erased', 'extra', ...TEXT_FIELDS].includes(name));
  if (strange !== undefined) return failed('document', `It has a field ${show(strange)} that documents do not have.`);
  if (canonicalOrNull(members) !== text) return failed('document', 'It is not canonical JSON.');
  return ok('document', 'It has exactly the fields of a document, as canonical JSON.');
}

function checkPredecessor(
  document: { previous_uuid: string; previous_archive_id: string },
  before: Predecessor,
): Step[] {
  const compare = (name: 'previous_uuid' | 'previous_archive_id', expected: string) =>
    checked(
      name,
      document[name] === expected,
      `Its ${name} is that of the link before it.`,
      `Its ${name} is not that of the link before it.`,
    );
  return [compare('previous_uuid', before.uuid), compare('previous_archive_id', before.archive_id)];
}
