/** The keys of apps that signed patches, for checks of chains of patches. */
import type { AppPatch, PatchSigners, SignedPatch, Step } from '@signet/verify';
import type { CheckedReads } from '../client/checked-reads.js';

/** The keys of apps of an Avatar, whose key events are read and checked when the first patch of such a key is met. */
export class LoadedSigners implements PatchSigners {
  private loaded: PatchSigners | null = null;

  constructor(
    private readonly reads: CheckedReads,
    private readonly avatar: string,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /**
   * Reads the key events that a patch needs, and once more where they do not allow it: it may be younger than they are.
   * @throws what reading the key events throws
   */
  async loadFor(patch: SignedPatch): Promise<void> {
    if (patch.signer === undefined) return;
    if (this.loaded && this.loaded.check(patch as AppPatch, undefined).state !== 'failed') return;
    const { readPatchSigners } = await import('./read-keys.js');
    this.loaded = await readPatchSigners(this.reads, this.avatar, this.signal);
  }

  check(patch: AppPatch, before: number | undefined): Step {
    return this.loaded!.check(patch, before);
  }
}
