/** Proofs of DNSSEC in an export: what the zone has signed, beside what our server says. */
import { bindingKey } from '../chains/live-links.js';
import type { ExportedBinding } from '../chains/export-bindings.js';
import type { ExportFile } from '../chains/export-file.js';
import type { SignedLink } from '../chains/link.js';
import type { Curves } from '../keys/curves.js';
import { readEntry } from '../log/entry.js';
import { readLogProof } from '../log/proof-file.js';
import { findPostedSignature } from '../posts/posted-signature.js';
import { checked, failed, ok, show, type Step, type Verification, verificationOf } from '../steps.js';
import { isObject } from '../text/signed-text.js';
import type { DnssecProof, DnssecVerification } from './dnssec.js';

/** What came of the proof of one binding. */
export interface ExportedDnssec extends Verification {
  binding: ExportedBinding;
  /** The zone that signs the record, such as `example.org`; `''` where nothing is shown. */
  zone: DnssecVerification['zone'];
  /** UNIX seconds: when the log of the file has the link; null where the file carries no proof of its entry. */
  at: number | null;
}

type Check = (proof: DnssecProof, name: string, at: number | null) => DnssecVerification;

/** The proofs of a file whose links were checked before. @throws TypeError for what is no export */
export function checkExportDnssec(
  file: Pick<ExportFile, 'avatar' | 'bindings' | 'links' | 'log'>,
  { curves, times }: { curves: Curves; times: Readonly<Record<string, number>> | undefined },
  check: Check,
): ExportedDnssec[] {
  const links = new Map(file.links.map((link) => [bindingKey(link), link]));
  const proved = file.bindings.filter(({ evidence }) => isDnssec(evidence?.proof));
  return proved.map((binding) => {
    const link = links.get(bindingKey(binding));
    const at = link === undefined ? null : times ? (times[link.uuid] ?? null) : loggedAt(file, link);
    const { steps, texts, zone } = check(binding.evidence!.proof as DnssecProof, binding.identity, at);
    if (zone !== '') steps.push(expectedStep(binding), evidenceStep(texts, link, file.avatar, curves));
    return { binding, zone, at, ...verificationOf(steps) };
  });
}

/** When a link became an entry of the log, as its proof in the file says. */
function loggedAt({ log }: Pick<ExportFile, 'log'>, { uuid }: SignedLink): number | null {
  const text = log && Object.hasOwn(log.proofs, uuid) ? log.proofs[uuid]! : '';
  const extra = readLogProof(text)?.extra;
  const entry = extra ? readEntry(extra) : null;
  return entry?.kind === 'link' && entry.uuid === uuid ? entry.recorded_at : null;
}

/** A record of a domain shows that the domain is bound, and nothing else of that name, such as a website. */
function expectedStep({ platform }: ExportedBinding): Step {
  const bad = `It is a binding of ${show(platform)}, which no record of a domain shows.`;
  return checked('expected', platform === 'dns', 'It is a binding of a domain.', bad);
}

function evidenceStep(texts: string[], link: SignedLink | undefined, avatar: string, curves: Curves): Step {
  const claim = link && { payload: link.signature_payload, avatar };
  const isThere = claim !== undefined && texts.some((text) => findPostedSignature(text, claim, { curves }).found);
  return isThere
    ? ok('evidence', 'A record holds the signature of the Avatar over the link.')
    : failed('evidence', 'No record holds the signature of the Avatar over the link.');
}

function isDnssec(proof: unknown): boolean {
  return isObject(proof) && proof['type'] === 'dnssec';
}
