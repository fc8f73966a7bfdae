/** Patches of the key-value service, and the content that they add up to. */
import { bindingKey, summaryOf } from './chain.js';
import type { Curves, WithCurves } from '../keys/curves.js';
import { nobleCurves } from '../keys/noble-curves.js';
import { checkErased, type Erasure, identityKeyText, isErased } from './erased.js';
import { avatarIn, avatarOf, checkOwner } from './link.js';
import { applyMergePatch } from '../text/merge-patch.js';
import { checkPrevious, checkSignedText, checkUuid, isObject, problemOfTexts } from '../text/signed-text.js';
import { checked, failed, type Step, verificationOf, type Verification, withoutThrowing } from '../steps.js';

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
  /** Base64. */
  signature: string;
  /** The exact text that was signed. */
  signature_payload: string;
  /** Of a patch whose text was erased; its identity, text and patch are empty then. */
  erased?: Erasure;
}

/** What is known beside the patch. */
export interface PatchContext {
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
  /** What the patches add up to. Only of worth if `ok`. */
  entries: KvEntry[];
}

const TEXT_FIELDS = ['platform', 'identity', 'uuid', 'signature', 'signature_payload'];

/**
 * Checks one patch of the key-value service. Steps: `shape`, `avatar` where the patch names one, `fields`,
 * `canonical_text`, `signature`; `prev` where the place is known. Of a patch whose text was erased: `shape`, `avatar`
 * where it names one, and `erased`, which is not checkable. Never throws, whatever it is given.
 */
export function verifyPatch(item: SignedPatch, options: PatchContext & WithCurves = {}): Verification {
  return withoutThrowing(() => checkPatch(item, options, options.curves ?? nobleCurves), {});
}

function checkPatch(item: SignedPatch, { avatar, previous }: PatchContext, curves: Curves): Verification {
  const shape = checkShape(item);
  if (shape.state === 'failed') return verificationOf([shape]);
  const owner = avatar ?? item.avatar ?? avatarIn(item.signature_payload);
  if (isErased(item)) return checkErased(item, { patch: item.patch }, checkOwner(item, owner));
  const { created_at, identity, patch, platform, uuid } = item;
  const fields = { action: 'kv', avatar: owner, created_at, identity, patch, platform, uuid };
  const steps = [shape, ...checkOwner(item, owner), ...checkSignedText(item, fields, owner, curves)];
  if (previous !== undefined) steps.push(checkPrevious(item.signature_payload, previous, 'patch'));
  return verificationOf(steps);
}

/** How a chain of patches is checked. */
export interface PatchChainOptions {
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

  constructor(
    private readonly curves: Curves,
    { avatar, after }: PatchChainOptions,
  ) {
    this.avatar = avatar;
    this.previous = after ?? null;
  }

  /** The steps of `verifyPatch`, then `uuid`. */
  add(item: SignedPatch): Verification {
    const { steps } = checkPatch(item, { avatar: this.avatar, previous: this.previous }, this.curves);
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
    entries: summary.ok ? replayPatches(patches) : [],
    ...summary,
  };
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
  return checked('shape', isObject(item.patch), 'It has all the fields of a patch.', 'Its patch is not a JSON object.');
}
