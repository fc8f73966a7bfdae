/** Proofs of the AT Protocol in an export: what the account's server has signed, beside what our server says. */
import { bindingKey } from '../chains/live-links.js';
import type { ExportedBinding } from '../chains/export-bindings.js';
import type { ExportFile } from '../chains/export-file.js';
import type { SignedLink } from '../chains/link.js';
import { isObject } from '../text/signed-text.js';
import type { Curves } from '../keys/curves.js';
import { findPostedSignature } from '../posts/posted-signature.js';
import { checked, notCheckable, show, type Step, type Verification, verificationOf } from '../steps.js';
import type { AtprotoProof, AtprotoVerification, RecordPlace } from './atproto.js';

/** An at-URI of one record. */
const AT_URI = /^at:\/\/([^/]+)\/([^/]+)\/([^/]+)$/;

/** What came of one proof of a binding. */
export interface ExportedProof extends Verification {
  binding: ExportedBinding;
  /** Of what: of the post or profile (`evidence.proof`), or of its end (`evidence.gone_proof`). */
  of: 'post' | 'end';
  /** What the account is by its operations; null where they do not verify, or it has none. */
  account: AtprotoVerification['account'];
  /** UNIX seconds, by the clock of the account's server: when the record stood there, or did not any more. */
  committedAt: number;
}

type Check = (proof: AtprotoProof, place: RecordPlace) => Promise<AtprotoVerification>;

/** What the checks of one binding read. */
interface Proved {
  binding: ExportedBinding;
  place: RecordPlace;
  /** The link that makes the binding; undefined where the file has none. */
  link: SignedLink | undefined;
  avatar: string;
  curves: Curves;
}

/** The proofs of a file whose links were checked before. @throws TypeError for what is no export */
export async function checkExportProofs(
  { avatar, bindings, links }: Pick<ExportFile, 'avatar' | 'bindings' | 'links'>,
  curves: Curves,
  check: Check,
): Promise<ExportedProof[]> {
  const byKey = new Map(links.map((link) => [bindingKey(link), link]));
  const checkedBindings = bindings.map(async (binding): Promise<ExportedProof[]> => {
    const { proof, gone_proof: end, url = '' } = binding.evidence ?? {};
    const [, did = '', collection = '', rkey = ''] = AT_URI.exec(url) ?? [];
    const place = { did, collection, rkey };
    const proved: Proved = { binding, place, link: byKey.get(bindingKey(binding)), avatar, curves };
    const post = isAtproto(proof) ? await check(proof, place) : null;
    const proves = post && outcomeOf('post', post, postSteps(post, proved), binding);
    if (!isAtproto(end)) return proves ? [proves] : [];
    const gone = await check(end, place);
    const ends = outcomeOf('end', gone, endSteps(gone, proves?.ok ? post : null, proved), binding);
    return proves ? [proves, ends] : [ends];
  });
  return (await Promise.all(checkedBindings)).flat();
}

/** The outcome, with the further steps of a proof that holds. */
function outcomeOf(
  of: ExportedProof['of'],
  { account, committedAt, ok: holds, steps }: AtprotoVerification,
  further: Step[],
  binding: ExportedBinding,
): ExportedProof {
  return { binding, of, account, committedAt, ...verificationOf(holds ? [...steps, ...further] : steps) };
}

function postSteps({ record }: AtprotoVerification, proved: Proved): Step[] {
  const { binding, place } = proved;
  const bad = `The record is one of ${show(place.did)}, not of the account that is bound (${show(binding.platform)}).`;
  return [
    checked('expected', isOfAccount(proved), 'The record is one of the account that is bound.', bad),
    checked(
      'evidence',
      holdsSignature(record, proved),
      'The record holds the signature of the Avatar over the link.',
      'The record does not hold the signature of the Avatar over the link.',
    ),
  ];
}

/**
 * A commit without the signature ends a binding where it is newer than the one with it. Where none shows that it stood
 * there, the place may be any other.
 * @param post what shows that; null where nothing does
 */
function endSteps(end: AtprotoVerification, post: AtprotoVerification | null, proved: Proved): Step[] {
  const { binding, link, place } = proved;
  const bad = isOfAccount(proved)
    ? 'The server says that the binding is valid, and keeps a proof of its end.'
    : `The commit is one of ${show(place.did)}, not of the account that is bound (${show(binding.platform)}).`;
  const [newer, older] = [
    `The commit ${end.rev} is newer than the one with the signature.`,
    `The commit ${end.rev} is not newer than the one with the signature, so it ends nothing.`,
  ];
  return [
    checked('expected', isOfAccount(proved) && !binding.is_valid, 'It is one of the account that is bound.', bad),
    post ? checked('time', end.rev > post.rev, newer, older) : notCheckable('time', NEVER_THERE),
    checked(
      'evidence',
      link !== undefined && !holdsSignature(end.record, proved),
      'The signature of the Avatar over the link does not stand there any more.',
      link ? 'The signature of the Avatar over the link still stands there.' : 'The file has no link that it ends.',
    ),
  ];
}

const NEVER_THERE = 'No proof shows that the signature stood there before.';

function isOfAccount({ binding: { identity, platform }, place: { did } }: Proved): boolean {
  return platform === 'bluesky' && did === identity;
}

/** Whether the text of a post or of a profile holds the signature over the link. */
function holdsSignature(record: unknown, { avatar, curves, link }: Proved): boolean {
  const { description, text } = (isObject(record) ? record : {}) as { description?: unknown; text?: unknown };
  const written = [text, description].filter((one) => typeof one === 'string').join('\n');
  const claim = link && { payload: link.signature_payload, avatar };
  return claim !== undefined && findPostedSignature(written, claim, { curves }).found;
}

function isAtproto(proof: unknown): proof is AtprotoProof {
  return isObject(proof) && proof['type'] === 'atproto';
}
