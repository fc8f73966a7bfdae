/**
 * The statements of observers that an export carries (docs/export.md): whether what the server called valid was there
 * for others too.
 */
import { jsonOf } from '../files/text-file.js';
import type { WithEd25519 } from '../keys/curves.js';
import type { ExportedBinding } from '../chains/export-bindings.js';
import type { ExportFile } from '../chains/export-file.js';
import type { SignedLink } from '../chains/link.js';
import { isObject } from '../text/signed-text.js';
import {
  failed,
  notCheckable,
  ok,
  show,
  type Step,
  verificationOf,
  type Verification,
  withoutThrowing,
} from '../steps.js';
import { WALLET_PLATFORMS } from '../text/constants.js';
import type { Observers } from './observers.js';
import { judgeSeen, type SeenVerdict } from './quorum.js';
import { linkHash } from './statement.js';

/** Who is believed. */
export interface ExportSeenContext {
  /** The observers; when absent, nothing is claimed of any binding. */
  observers?: Observers | undefined;
}

/** What came of the statements. */
export interface ExportSeenVerification extends Verification {
  /** For each binding that is not a wallet and that the server called valid. */
  bindings: { binding: ExportedBinding; verdict: SeenVerdict }[];
}

type Bindings = Pick<ExportFile, 'links' | 'bindings' | 'exported_at'> & { seen?: unknown };

/**
 * Checks the statements of an export; `file` is its text or what its JSON says, and may be anything. The step `seen`
 * for each binding that is not a wallet and that the server called valid: ok if a quorum saw it, failed if a quorum saw
 * that it was not there, not checkable otherwise. Statements count that were made in the week before `exported_at`. The
 * links are checked by `verifyExport`. Never throws, whatever it is given.
 */
export function verifyExportSeen(file: unknown, context: ExportSeenContext & WithEd25519 = {}): ExportSeenVerification {
  return withoutThrowing(() => checkExportSeen(file, context), { bindings: [] });
}

function checkExportSeen(
  file: unknown,
  { observers = { observers: [], quorum: null }, curves }: ExportSeenContext & WithEd25519,
): ExportSeenVerification {
  const known = jsonOf(file);
  if (!hasBindings(known)) {
    return { ...verificationOf([failed('seen', 'It is not an export with links and bindings.')]), bindings: [] };
  }
  const { seen: notes = [], exported_at } = known;
  if (!Array.isArray(notes) || !notes.every((note) => typeof note === 'string')) {
    return { ...verificationOf([failed('seen', 'What others saw is not a list of texts.')]), bindings: [] };
  }
  const bindings = known.bindings
    .filter(({ platform, is_valid }) => is_valid && !WALLET_PLATFORMS.includes(platform))
    .map((said) => {
      const { platform, identity, evidence } = said;
      const link = linkHash(payloadOf(known.links, said));
      const account = evidence?.account_id || undefined;
      const binding = { link, platform, identity, account };
      const verdict = judgeSeen(notes, binding, observers, { now: Number(exported_at), curves });
      return { binding: said, verdict };
    });
  return { ...verificationOf(bindings.map(({ binding, verdict }) => stepOf(binding, verdict))), bindings };
}

function stepOf({ platform, identity }: ExportedBinding, verdict: SeenVerdict): Step {
  const { result, count, of, lastAt } = verdict;
  const name = `${show(platform)} ${show(identity)}`;
  const last = lastAt === null ? '' : `, last at ${new Date(lastAt * 1000).toISOString().slice(0, 19)}Z`;
  if (result === 'seen') return ok('seen', `${name} was seen by ${count} of ${of} observers${last}.`);
  if (result === 'not_seen') {
    return failed('seen', `${name} was valid for the server, and ${count} of ${of} observers saw it was not${last}.`);
  }
  if (result === 'no_claim') return notCheckable('seen', `${name}: a claim needs two observers at least.`);
  return notCheckable('seen', `${name} was seen by ${count} of ${of} observers, and ${verdict.needed} are needed.`);
}

/** The text of the link that made a binding; `''` where the file has none. */
function payloadOf(links: SignedLink[], { platform, identity, created_at }: ExportedBinding): string {
  const own = links.findLast(
    (link) =>
      isObject(link) && link.platform === platform && link.identity === identity && link.created_at === created_at,
  );
  return typeof own?.signature_payload === 'string' ? own.signature_payload : '';
}

function hasBindings(file: unknown): file is Bindings {
  if (!isObject(file) || !Array.isArray(file['links']) || !Array.isArray(file['bindings'])) return false;
  const isBinding = (one: unknown) =>
    isObject(one) &&
    ['platform', 'identity', 'created_at'].every((name) => typeof one[name] === 'string') &&
    typeof one['is_valid'] === 'boolean';
  return file['bindings'].every(isBinding) && /^\d{1,11}$/.test(String(file['exported_at']));
}
