/** Patches of the key-value service, and the content that they add up to. */
import { summaryOf } from './chain.js';
import { bindingKey } from './live-links.js';
import type { Curves, WithCurves } from '../keys/curves.js';
import { nobleCurves } from '../keys/noble-curves.js';
import { checkErased, type Erasure, identityKeyText, isErased } from './erased.js';
import { avatarIn, avatarOf, checkOwner } from './link.js';
import { applyMergePatch } from '../text/merge-patch.js';
import {
  checkPrevious,
  checkSaidText,
  checkSignedText,
  checkUuid,
  isObject,
  problemOfTexts,
} from '../text/signed-text.js';
import {
  checked,
  failed,
  notCheckable,
  type Step,
  verificationOf,
  type Verification,
  withoutThrowing,
} from '../steps.js';

/** A patch as `GET /v1/kv/chain` answers it; other members do not matter. */
export interface SignedPatch {
  /** Compressed key, where the answer has it. */
  avatar?: string;
  platform: string;
  identity: string;
  /** A JSON merge patch. */
  patch: unknown;
  /** UNIX seconds. */
  created_at: number;
  uuid: string;
  /**
   * Only of a patch that a key of an app signed: `<algorithm>:0x<hex>`. Which keys may sign, the key events of the
   * Avatar say (`PatchContext.signers`).
   */
  signer?: string;
  /** Base64. */
  signature: string;
  /** The exact text that was signed. */
  signature_payload: string;
  /** Of a patch whose text was erased; its identity, text and patch are empty then. */
  erased?: Erasure;
}

/** A patch that a key of an app signed. */
export type AppPatch = SignedPatch & { signer: string };

/**
 * Who may sign the patches of an Avatar beside itself: `patchSignersOf` of `@signet/verify/key-events` makes it of the
 * Avatar's key events. Most Avatars have no such keys, so the rules of these are not part of this entry.
 */
export interface PatchSigners {
  /**
   * The step `signature` of a patch. Never throws.
   * @param before how many patches stand before it in the chain; undefined where that is not known
   */
  check(patch: AppPatch, before: number | undefined): Step;
}

/** What is known beside the patch. */
export interface PatchContext {
  /** Keys of apps; without them, what such a key signed is not checkable. */
  signers?: PatchSigners | undefined;
  /** How many patches stand before it in the chain, where that is known. Only `signers` need it. */
  before?: number | undefined;
  /** The Avatar that is expected, as a compressed key. Without it, the one that the patch names. */
  avatar?: string | undefined;
  /** The patch before it; null if it has to be the first; undefined if its place is not to be checked. */
  previous?: { signature: string } | null | undefined;
}

/** The content of one identity. */
export interface KvEntry {
  platform: string;
  identity: string;
  content: unknown;
  /**
   * Only where a patch of this identity was erased: the content is what the patches behind it add up to, and may lack
   * members.
   */
  incomplete?: boolean;
}

/** What came of a chain of patches. */
export interface PatchChainVerification extends Verification {
  /** Compressed key; `''` for an empty chain whose Avatar is not given. */
  avatar: string;
  /** One for each patch, oldest first. `steps` above has those that are not ok, with the place in front. */
  patches: Verification[];
  /** What the patches add up to. Only of worth if `ok`; empty where the signature of one is not checkable. */
  entries: KvEntry[];
}

const TEXT_FIELDS = ['platform', 'identity', 'uuid', 'signature', 'signature_payload'];

/**
 * Checks one patch of the key-value service. Steps: `shape`, `avatar` where the patch names one, `fields`,
 * `canonical_text`, `signature` (of a key of an app only by `signers`); `prev` where the place is known. Of a patch
 * whose text was erased: `shape`, `avatar` where it names one, and `erased`, which is not checkable. Never throws,
 * whatever it is given.
 */
export function verifyPatch(item: SignedPatch, options: PatchContext & WithCurves = {}): Verification {
  return withoutThrowing(() => checkPatch(item, options, options.curves ?? nobleCurves), {});
}

function checkPatch(item: SignedPatch, context: PatchContext, curves: Curves): Verification {
  const { avatar, previous } = context;
  const shape = checkShape(item);
  if (shape.state === 'failed') return verificationOf([shape]);
  const owner = avatar ?? item.avatar ?? avatarIn(item.signature_payload);
  if (isErased(item)) return checkErased(item, { patch: item.patch }, checkOwner(item, owner));
  const { created_at, identity, patch, platform, uuid } = item;
  const fields = { action: 'kv', avatar: owner, created_at, identity, patch, platform, uuid };
  const said = isByApp(item)
    ? checkSaidText(item.signature_payload, { ...fields, signer: item.signer }, () => checkSigner(item, context))
    : checkSignedText(item, fields, owner, curves);
  const steps = [shape, ...checkOwner(item, owner), ...said];
  if (previous !== undefined) steps.push(checkPrevious(item.signature_payload, previous, 'patch'));
  return verificationOf(steps);
}

function isByApp(item: SignedPatch): item is AppPatch {
  return item.signer !== undefined;
}

function checkSigner(item: AppPatch, { signers, before }: PatchContext): Step {
  if (signers) return signers.check(item, before);
  return notCheckable('signature', 'A key of an app signed it, and which keys may, only the key events can show.');
}

/** How a chain of patches is checked. */
export interface PatchChainOptions {
  /** Keys of apps; without them, what such a key signed is not checkable. */
  signers?: PatchSigners | undefined;
  /** How many patches stand before the first one here: 0 when absent, unless `after` is given. */
  before?: number | undefined;
  /** The Avatar that is expected, as a compressed key. Without it, the one that the first patch names. */
  avatar?: string | undefined;
  /** The patch before the first one here, if this is not the beginning of the chain. */
  after?: Pick<SignedPatch, 'signature'> | null | undefined;
}

/** Checks the patches of one Avatar as they come, with given curves: see `PatchChainChecker`. */
export class PatchesChecker {
  private readonly uuids = new Set<string>();
  private avatar: string | undefined;
  private previous: Pick<SignedPatch, 'signature'> | null;
  private readonly signers: PatchSigners | undefined;
  private before: number | undefined;

  constructor(
    private readonly curves: Curves,
    { avatar, after, signers, before = after ? undefined : 0 }: PatchChainOptions,
  ) {
    this.avatar = avatar;
    this.previous = after ?? null;
    this.signers = signers;
    this.before = before;
  }

  /** The steps of `verifyPatch`, then `uuid`. */
  add(item: SignedPatch): Verification {
    const { avatar, before, previous, signers } = this;
    const { steps } = checkPatch(item, { avatar, before, previous, signers }, this.curves);
    if (before !== undefined) this.before = before + 1;
    if (steps[0]!.state === 'failed') return verificationOf(steps);
    this.avatar ??= item.avatar ?? (isErased(item) ? undefined : avatarIn(item.signature_payload));
    steps.push(checkUuid(this.uuids, item.uuid, 'patch'));
    this.previous = item;
    return verificationOf(steps);
  }
}

/**
 * Checks the patches of one Avatar as they come, oldest first, so that a chain of any length needs no list of them.
 * Holds the uuids.
 */
export class PatchChainChecker extends PatchesChecker {
  constructor({ curves = nobleCurves, ...options }: PatchChainOptions & WithCurves = {}) {
    super(curves, options);
  }
}

/**
 * Checks all patches of an Avatar, oldest first, and replays them: `entries` is the content that they add up to. Each
 * patch has the steps of `verifyPatch`, then `uuid`; the result has those that are not ok, or one step `all`. An empty
 * list of an Avatar that is named is not checkable. Never throws, whatever it is given.
 */
export function verifyPatchChain(
  patches: SignedPatch[],
  options: PatchChainOptions & WithCurves = {},
): PatchChainVerification {
  return withoutThrowing(() => checkPatches(patches, options, new PatchChainChecker(options)), noPatches());
}

/** What is known of the patches of an Avatar of which nothing can be read. */
export function noPatches(): Pick<PatchChainVerification, 'avatar' | 'patches' | 'entries'> {
  return { avatar: '', patches: [], entries: [] };
}

/** The patches of a list by a checker that has seen none yet. */
export function checkPatches(
  patches: SignedPatch[],
  { avatar }: PatchChainOptions,
  checker: PatchesChecker,
): PatchChainVerification {
  const results = patches.map((item) => checker.add(item));
  const summary = summaryOf(results, avatar);
  return {
    avatar: avatarOf(patches, avatar),
    patches: results,
    // What may be forged adds up to nothing.
    entries: summary.ok && !results.some(isUnsigned) ? replayPatches(patches) : [],
    ...summary,
  };
}

function isUnsigned({ steps }: Verification): boolean {
  return steps.some(({ name, state }) => name === 'signature' && state === 'not_checkable');
}

/**
 * The content that patches add up to, oldest first, each entry beginning as `{}`. Checks no signatures: see
 * `PatchReplay`.
 */
export function replayPatches(patches: Iterable<ReplayedPatch>): KvEntry[] {
  const replay = new PatchReplay();
  for (const patch of patches) replay.add(patch);
  return [...replay.entries.values()];
}

/** The members of a patch that change content. */
export type ReplayedPatch = Pick<SignedPatch, 'platform' | 'identity' | 'patch' | 'erased'>;

/**
 * Applies patches of one Avatar as they come, oldest first. An erased one may have changed or taken out whatever was
 * there before, so its entry begins anew, and is incomplete from then on: older content never comes back.
 */
export class PatchReplay {
  /** By `bindingKey`, in the order of their first patches. */
  readonly entries = new Map<string, KvEntry>();
  /** Keys of the identities of erased patches. */
  private readonly lost = new Set<string>();

  add(item: ReplayedPatch): void {
    if (isErased(item)) return this.forget(item.erased.identity_key);
    const { platform, identity, patch } = item;
    const name = bindingKey(item);
    const known = this.entries.get(name);
    const isIncomplete = known ? known.incomplete : this.lost.size > 0 && this.lost.has(identityKeyText(item));
    const content = applyMergePatch(known?.content ?? {}, patch);
    this.entries.set(name, { platform, identity, content, ...(isIncomplete && { incomplete: true }) });
  }

  private forget(key: string): void {
    this.lost.add(key);
    for (const [name, entry] of this.entries) {
      if (identityKeyText(entry) === key) this.entries.set(name, { ...entry, content: {}, incomplete: true });
    }
  }
}

function checkShape(item: SignedPatch): Step {
  const problem = problemOfTexts(item, TEXT_FIELDS);
  if (problem) return failed('shape', problem);
  if (typeof item.created_at !== 'number') return failed('shape', 'It has no created_at, a number.');
  if (isByApp(item) && typeof item.signer !== 'string') return failed('shape', 'Its signer is not a text.');
  return checked('shape', isObject(item.patch), 'It has all the fields of a patch.', 'Its patch is not a JSON object.');
}
