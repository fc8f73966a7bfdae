/** The keys of apps that sign changes for an Avatar: their key events are read where there is such a change. */
import type { AppPatch, PatchSigners, SignedPatch, Step } from '@signet/verify';
import { client } from '../shell/api.js';

/** Who signed in place of the Avatar. */
export interface SigningApp {
  /** `<algorithm>:0x<hex>`. */
  key: string;
  /** The origin of the pages of the app; null where the Avatar named none, undefined where it added no such key. */
  origin: string | null | undefined;
}

/** What is known of the keys by all key events of an Avatar. */
interface Known {
  signers: PatchSigners;
  origins: Map<string, string | null>;
}

/** Checks signatures of keys of apps, once `readFor` has read what that needs. */
export class AppKeys implements PatchSigners {
  private known: Known | null = null;

  /** @param avatar compressed key */
  constructor(
    private readonly avatar: string,
    private readonly signal: AbortSignal,
  ) {}

  /** Reads the key events that these patches need, and again where the patches may be younger. @throws SignetError */
  async readFor(patches: readonly object[]): Promise<void> {
    const byApps = patches.filter((patch) => (patch as SignedPatch).signer !== undefined) as AppPatch[];
    const isKnown = (patch: AppPatch) => this.known?.signers.check(patch, undefined).state !== 'failed';
    if (byApps.length === 0 || (this.known && byApps.every(isKnown))) return;
    const [events, { appKeysOf }] = await Promise.all([
      client.keys.chain(this.avatar, { signal: this.signal }).toArray(),
      import('../recovery/keys-of.js'),
    ]);
    this.known = appKeysOf(this.avatar, events);
  }

  check(patch: AppPatch, before: number | undefined): Step {
    return this.known!.signers.check(patch, before);
  }

  /** The app that signed a patch; null for one that the Avatar signed. */
  appOf({ signer: key }: SignedPatch): SigningApp | null {
    return key === undefined ? null : { key, origin: this.known?.origins.get(key) };
  }
}
