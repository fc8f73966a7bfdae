/** Bindings in an export: what the server said of them, and what the signed links of the file say. */
import type { ChainVerification, CheckedLink } from './chain.js';
import type { Curves } from '../keys/curves.js';
import type { SignedLink } from './link.js';
import { bindingKey } from './live-links.js';
import { findDocumentSignature } from '../posts/proof-document.js';
import { isObject, missingText } from '../text/signed-text.js';
import {
  checked,
  failed,
  notCheckable,
  ok,
  show,
  type Step,
  type StepState,
  verificationOf,
  type Verification,
} from '../steps.js';

/** What the server saw when it checked a post or record the last time. */
export interface ExportedEvidence {
  /** What was read: a URL, or the name of a record. */
  url: string;
  /** UNIX seconds in decimal. */
  seen_at: string;
  /** SHA-256 of the bytes that were read, hex. */
  sha256: string;
  /** Stable id of the account; `''` where the platform has none. */
  account_id: string;
  /** The text in which the signature was found; `''` after it was erased, or where a page names the key alone. */
  matched_text: string;
  /**
   * What the platform has signed of it, if it signs, by its `type`: for `verifyExportProofs` of
   * `@signet/verify/atproto` and `verifyExportDnssec` of `@signet/verify/dnssec`.
   */
  proof?: unknown;
  /** What the platform has signed of its end: that the record is not there any more. */
  gone_proof?: unknown;
}

/** What the server said of one binding. */
export interface ExportedBinding {
  platform: string;
  /** Canonical identity. */
  identity: string;
  /** UNIX seconds in decimal, as in the link that made it. */
  created_at: string;
  /** UNIX seconds in decimal. */
  last_checked_at: string;
  is_valid: boolean;
  /** `''` where it is valid. */
  invalid_reason: string;
  /** Null for wallets, whose link is the evidence. */
  evidence: ExportedEvidence | null;
}

/**
 * The outcome of one binding: the steps `binding` (absent where its link fails), `link` (that of its own link) and
 * `evidence`.
 */
export interface CheckedBinding extends Verification {
  binding: ExportedBinding;
}

/** The part of a file that is checked here. */
interface Exported {
  avatar: string;
  bindings: ExportedBinding[];
}

const BINDING_TEXTS = ['platform', 'identity', 'created_at', 'last_checked_at', 'invalid_reason'];
const EVIDENCE_TEXTS = ['url', 'seen_at', 'sha256', 'account_id', 'matched_text'];

/** The end of the chain decides what is bound; the server only says in which state it is. */
export function checkBindings(
  { avatar, bindings }: Exported,
  chain: ChainVerification,
  curves: Curves,
): CheckedBinding[] {
  const byKey = new Map(chain.bindings.map((link) => [bindingKey(link), link]));
  const judged = new Map(chain.links.map((one) => [one.link, one]));
  return bindings.map((binding) => {
    const link = byKey.get(bindingKey(binding));
    const isBound = link !== undefined && link.created_at === binding.created_at;
    if (!isBound) {
      const steps = [failed('binding', 'No signed link of the chain makes this binding.')];
      return { binding, ...verificationOf(steps) };
    }
    const own = checkOwnLink(judged.get(link)!);
    // A link that fails bears nothing out.
    const steps = own.state === 'failed' ? [own] : [ok('binding', 'A signed link makes this binding.'), own];
    if (binding.evidence) steps.push(checkEvidence(binding.evidence, link, avatar, curves));
    return { binding, ...verificationOf(steps) };
  });
}

/**
 * A binding is no better than the link that makes it. Its post is the business of the step `evidence`; when it was made
 * is that of the step `time` of the link.
 */
function checkOwnLink({ steps }: CheckedLink): Step {
  const named = (state: StepState) =>
    steps.filter((step) => step.state === state && !['post', 'time'].includes(step.name)).map(({ name }) => name);
  const [broken, open] = [named('failed'), named('not_checkable')];
  if (broken.length > 0) return failed('link', `The link that makes this binding fails: ${broken.join(', ')}.`);
  if (open.length > 0) {
    return notCheckable('link', `The link that makes this binding cannot be checked here: ${open.join(', ')}.`);
  }
  return ok('link', 'The link that makes this binding verifies.');
}

function checkEvidence(
  { matched_text: text, url }: ExportedEvidence,
  link: SignedLink,
  avatar: string,
  curves: Curves,
) {
  if (text === '') return notCheckable('evidence', 'The text that the server saw is not there.');
  const found = findDocumentSignature(text, { payload: link.signature_payload, avatar }, { curves });
  return checked(
    'evidence',
    found.found,
    `The text that the server saw at ${show(url)} holds the signature of the Avatar over the link.`,
    `The text that the server saw at ${show(url)} does not hold the signature of the Avatar over the link.`,
  );
}

/** Bindings that the chain makes and the file does not speak of. */
export function checkMissing({ bindings }: Exported, live: SignedLink[]): Step[] {
  const said = new Set(bindings.map(bindingKey));
  return live
    .filter((link) => !said.has(bindingKey(link)))
    .map(({ platform, identity }) =>
      failed('bindings', `${show(platform)} ${show(identity)} is bound, and the file says nothing of its state.`),
    );
}

/** Whether a platform has signed something of it: that its post or record is there, or that it has gone. */
export function hasPlatformProof({ evidence }: ExportedBinding): boolean {
  return [evidence?.proof, evidence?.gone_proof].some((proof) => proof !== undefined && proof !== null);
}

/** Whether a value has the shape of a binding in such a file. */
export function isBinding(value: unknown): boolean {
  if (!isObject(value) || typeof value['is_valid'] !== 'boolean') return false;
  const { evidence } = value;
  const isEvidence = evidence === null || (isObject(evidence) && !missingText(evidence, EVIDENCE_TEXTS));
  return !missingText(value, BINDING_TEXTS) && isEvidence;
}
