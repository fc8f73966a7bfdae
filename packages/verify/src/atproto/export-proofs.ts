/** Proofs of the AT Protocol in an export: what the account's server has signed, beside what our server says. */
import { bindingKey } from '../chains/live-links.js';
import type { ExportedBinding } from '../chains/export-bindings.js';
import type { ExportFile } from '../chains/export-file.js';
import { isObject } from '../text/signed-text.js';
import type { Curves } from '../keys/curves.js';
import { findPostedSignature } from '../posts/posted-signature.js';
import { checked, failed, ok, show, type Step, type Verification, verificationOf } from '../steps.js';
import type { AtprotoProof, AtprotoVerification, RecordPlace } from './atproto.js';

/** An at-URI of one record. */
const AT_URI = /^at:\/\/([^/]+)\/([^/]+)\/([^/]+)$/;

/** What came of the proof of one binding. */
export interface ExportedProof extends Verification {
  binding: ExportedBinding;
  /** What the account is by its operations; null where they do not verify, or it has none. */
  account: AtprotoVerification['account'];
  /** UNIX seconds, by the clock of the account's server: when the record stood there. */
  committedAt: number;
}

type Check = (proof: AtprotoProof, place: RecordPlace) => Promise<AtprotoVerification>;

/** The proofs of a file whose links were checked before. @throws TypeError for what is no export */
export async function checkExportProofs(
  file: Pick<ExportFile, 'avatar' | 'bindings' | 'links'>,
  curves: Curves,
  check: Check,
): Promise<ExportedProof[]> {
  const links = new Map(file.links.map((link) => [bindingKey(link), link]));
  const proved = file.bindings.filter(({ evidence }) => isAtproto(evidence?.proof));
  return Promise.all(
    proved.map(async (binding) => {
      const { proof, url } = binding.evidence!;
      const [, did = '', collection = '', rkey = ''] = AT_URI.exec(url) ?? [];
      const result = await check(proof as AtprotoProof, { did, collection, rkey });
      const { account, committedAt, record, steps } = result;
      const link = links.get(bindingKey(binding));
      const claim = link && { payload: link.signature_payload, avatar: file.avatar };
      if (result.ok) steps.push(checkAccount(binding, did), checkText(record, claim, curves));
      return { binding, account, committedAt, ...verificationOf(steps) };
    }),
  );
}

function checkAccount({ identity, platform }: ExportedBinding, did: string): Step {
  const bad = `The record is one of ${show(did)}, not of the account that is bound (${show(platform)}).`;
  const isExpected = platform === 'bluesky' && did === identity;
  return checked('expected', isExpected, 'The record is one of the account that is bound.', bad);
}

/** The text of a post or of a profile has to hold the signature over the link. */
function checkText(record: unknown, claim: { payload: string; avatar: string } | undefined, curves: Curves): Step {
  const { description, text } = (isObject(record) ? record : {}) as { description?: unknown; text?: unknown };
  const written = [text, description].filter((one) => typeof one === 'string').join('\n');
  const isThere = claim !== undefined && findPostedSignature(written, claim, { curves }).found;
  return isThere
    ? ok('evidence', 'The record holds the signature of the Avatar over the link.')
    : failed('evidence', 'The record does not hold the signature of the Avatar over the link.');
}

function isAtproto(proof: unknown): boolean {
  return isObject(proof) && proof['type'] === 'atproto';
}
