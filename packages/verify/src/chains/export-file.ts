/**
 * The file that holds all that is known of one Avatar: signed links, signed patches, and what the server said of its
 * bindings, with what it saw as evidence. The file can be checked without a server (docs/export.md).
 */
import { ChainChecker, type ChainVerification, checkLinks, noChain, summaryOf } from './chain.js';
import {
  type CheckedBinding,
  checkBindings,
  checkMissing,
  type ExportedBinding,
  hasPlatformProof,
  isBinding,
} from './export-bindings.js';
import { findAvatarKey } from '../keys/avatar-key.js';
import type { Curves, WithCurves } from '../keys/curves.js';
import { nobleCurves } from '../keys/noble-curves.js';
import type { SignedLink } from './link.js';
import {
  checkPatches,
  noPatches,
  PatchChainChecker,
  type PatchChainVerification,
  type PatchSigners,
  type SignedPatch,
} from './patch.js';
import type { NamedRecord } from './record-kind.js';
import { jsonOf } from '../files/text-file.js';
import { isObject, missingText } from '../text/signed-text.js';
import {
  checked,
  failed,
  notCheckable,
  ok,
  show,
  type Step,
  verificationOf,
  type Verification,
  withoutThrowing,
} from '../steps.js';

/** `format` of every such file. */
export const EXPORT_FORMAT = 'signet-export';
/** The version that is written and checked here. Members that a version does not name may be added to it. */
export const EXPORT_VERSION = 1;

/** Proofs that links and patches are in the log of the server: `verifyExportLog` of `@signet/verify/log` checks it. */
export interface ExportedLog {
  /** The verifier key of the log, `<origin>+<id>+<Base64>`, as the server named it. */
  verifier_key: string;
  /** Proof files (C2SP tlog-proof, each with a checkpoint) of links and patches, by their uuid. */
  proofs: { [uuid: string]: string };
  /** Those of key events; apart, because readers of before refuse proofs of what they do not know. */
  key_proofs?: { [uuid: string]: string };
  /** Proof files of the entries that say that texts were erased, by the uuid of the erased link or patch. */
  erasures?: { [uuid: string]: string };
  /** What the map over the log has of the Avatar, as `GET /v1/log/map?avatar=` answered it; absent without a map. */
  map?: unknown;
}

/** The whole file. Links and patches are oldest first, and complete. */
export interface ExportFile {
  format: typeof EXPORT_FORMAT;
  version: typeof EXPORT_VERSION;
  /** UNIX seconds in decimal, by the clock of the program that wrote the file. */
  exported_at: string;
  /** Base URL of the server that was asked. */
  server: string;
  /** Compressed key. */
  avatar: string;
  /** As `GET /v1/proofchain` answers them. */
  links: SignedLink[];
  /** As `GET /v1/kv/chain` answers them. */
  patches: SignedPatch[];
  /** Key events as `GET /v1/keys/chain` answers them; absent where there are none. `verifyKeyChain` checks them. */
  keys?: NamedRecord['item'][];
  bindings: ExportedBinding[];
  /** Absent where the server has no log. */
  log?: ExportedLog;
  /** Statements of other servers on these bindings (`signet-seen/1`), which `verifyExportSeen` checks; or absent. */
  seen?: string[];
}

/**
 * How records of further kinds are checked that a file holds, by the names of their lists: each behind the one before
 * it, which is null for the first.
 */
export interface OtherRecords {
  [list: string]: (
    record: NamedRecord['item'],
    context: { avatar: string; previous: NamedRecord['item'] | null },
  ) => Verification;
}

/** What came of a file. */
export interface ExportVerification extends Verification {
  /** What was checked; null where the file has not the shape of one, and then nothing below was checked. */
  file: ExportFile | null;
  chain: ChainVerification;
  patches: PatchChainVerification;
  bindings: CheckedBinding[];
}

const PLATFORM_PROOF = 'What platforms have signed is checked by verifyExportProofs and verifyExportDnssec.';
const MEMBERS = ['format', 'version', 'exported_at', 'server', 'avatar', 'bindings', 'log', 'seen'];

/** What is known of further kinds of records. */
export interface ExportOptions {
  others?: OtherRecords | undefined;
  /**
   * The keys of apps that signed patches, by the list `keys` of the file, which may hold anything:
   * `(keys, avatar) => patchSignersOf(keys, { avatar })` of `@signet/verify/key-events`. Without it, and for a file
   * without the list, such patches are not checkable.
   */
  signersOf?: ((keys: never[], avatar: string) => PatchSigners) | undefined;
}

/**
 * Checks such a file with nothing but itself; `given` is its text or what its JSON says, and may be anything. Steps:
 * `file` (shape), `content` (that it holds anything), those of the links that are not ok, of the patches, and of the
 * bindings, each with its place in front, `log` where it carries proofs (`@signet/verify/log` checks them), `seen`
 * where it carries statements of observers (`@signet/verify/seen` checks them), and `members` where it holds something
 * that is not checked here. The records of `others` are checked like patches, under the names of the lists that are
 * there. Never throws, whatever it is given. Whether the newest links were left out only the server, or its log, can
 * show.
 */
export function verifyExport(given: unknown, options: ExportOptions & WithCurves = {}): ExportVerification {
  return withoutThrowing(
    () => checkExport(given, options.curves ?? nobleCurves, options),
    noExport(failed('file', 'It cannot be read.')),
  );
}

/** Nothing is known of the contents of what is no export. */
function noExport(step: Step): ExportVerification {
  const none = verificationOf([step]);
  return { file: null, chain: { ...noChain(), ...none }, patches: { ...noPatches(), ...none }, bindings: [], ...none };
}

function checkExport(given: unknown, curves: Curves, { others = {}, signersOf }: ExportOptions): ExportVerification {
  const file = jsonOf(given);
  const further = Object.keys(others).filter((name) => isObject(file) && file[name] !== undefined);
  const lists = ['links', 'patches', ...further];
  const problem = problemOfShape(file, lists, curves);
  if (problem !== null) return noExport(failed('file', problem));
  const known = file as ExportFile;
  const { avatar, links, patches: signedPatches } = known;
  const chain = checkLinks(links, { avatar }, new ChainChecker({ avatar, curves }));
  const { keys } = known as { keys?: unknown };
  const signers = Array.isArray(keys) ? signersOf?.(keys as never[], avatar) : undefined;
  const patches = checkPatches(signedPatches, { avatar }, new PatchChainChecker({ avatar, curves, signers }));
  const checkedLists: Record<string, Verification> = { links: chain, patches };
  for (const name of further) {
    const records: NamedRecord['item'][] = known[name as 'links'];
    checkedLists[name] = summaryOf(
      records.map((record, place) => others[name]!(record, { avatar, previous: records[place - 1] ?? null })),
    );
  }
  const bindings = checkBindings(known, chain, curves);
  const steps = [
    ok('file', `It is an export of ${avatar}.`),
    checked(
      'content',
      lists.some((name) => known[name as 'links'].length > 0),
      'It holds what this Avatar signed.',
      `It holds neither ${lists.join(' nor ')}.`,
    ),
    ...Object.entries(checkedLists).flatMap(([name, result]) => {
      // The step `content` refuses a file in which all lists are empty.
      const isEmpty = known[name as 'links'].length === 0;
      const steps = isEmpty ? [ok('all', 'There are none.')] : result.steps;
      return steps.map((step) => named(step, `${name[0]!.toUpperCase()}${name.slice(1)}: `));
    }),
    ...bindings.flatMap(({ binding, steps: own }) =>
      own
        .filter(({ state }) => state !== 'ok')
        .map((step) => named(step, `${show(binding.platform)} ${show(binding.identity)}: `)),
    ),
    ...checkMissing(known, chain.bindings),
    ...('log' in known ? [notCheckable('log', 'Its proofs of the log are checked by verifyExportLog.')] : []),
    ...('seen' in known ? [notCheckable('seen', 'What other servers saw is checked by verifyExportSeen.')] : []),
    ...(known.bindings.some(hasPlatformProof) ? [notCheckable('platform_proof', PLATFORM_PROOF)] : []),
    ...checkMembers(known, lists),
  ];
  return { file: known, chain, patches, bindings, ...verificationOf(steps) };
}

function named(step: Step, where: string): Step {
  return { ...step, detail: where + step.detail };
}

function checkMembers(file: ExportFile, lists: string[]): Step[] {
  const others = Object.keys(file).filter((name) => ![...MEMBERS, ...lists].includes(name));
  if (others.length === 0) return [];
  return [notCheckable('members', `It also holds ${show(others.join(', '))}, which is not checked here.`)];
}

/** The end of a sentence, or null for something that has the shape of an export. */
function problemOfShape(file: unknown, lists: string[], curves: Curves): string | null {
  if (!isObject(file)) return 'It is not a JSON object.';
  if (file['format'] !== EXPORT_FORMAT) return `It is not an export: its format is not ${show(EXPORT_FORMAT)}.`;
  if (file['version'] !== EXPORT_VERSION) {
    return `It is an export of version ${show(file['version'])}; ${EXPORT_VERSION} is what can be checked here.`;
  }
  const text = missingText(file, ['exported_at', 'server', 'avatar']);
  if (text) return `It has no ${text}.`;
  if (!findAvatarKey(file['avatar'] as string, { curves })) return 'Its avatar is no key.';
  const list = [...lists, 'bindings'].find((name) => !Array.isArray(file[name]));
  if (list) return `It has no ${list}.`;
  return (file['bindings'] as unknown[]).every(isBinding) ? null : 'One of its bindings lacks a member.';
}
