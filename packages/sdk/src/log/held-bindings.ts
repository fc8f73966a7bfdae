import { isErased, type SignedLink, type Step, verifyChain } from '@signet/verify';
import { identityKeyText } from '@signet/verify/internal/chains';
import type { ChainLink } from '../answers.js';
import { compressed, demand } from '../checks.js';
import { type BindingOfLink, nameOf } from '../client/resting.js';
import { VerificationError } from '../errors.js';
import type { CheckedMap, LogChecker } from './log-checker.js';

/** Reads chains. */
export interface ChainReads {
  linksOf(avatar: string, signal: AbortSignal | undefined): Promise<ChainLink[]>;
}

/** One name that a look-up asks for. */
export interface Asked {
  platform: string;
  /** In its canonical form. */
  identity: string;
}

/** What a look-up shows of one Avatar. */
export interface ShownGroup {
  avatar: string;
  proofs: BindingOfLink[];
}

export type Signal = AbortSignal | undefined;

/** Compares the Avatars that hold an identity by the map with those that a server shows, named by compressed keys. */
export class HeldBindings {
  /** Links with erased texts in the chains of the Avatars that a look-up shows. */
  erased = 0;

  constructor(
    private readonly reads: ChainReads,
    private readonly checker: LogChecker,
  ) {}

  /**
   * Demands that a look-up shows all who hold an identity, by the links that made their bindings, and nobody else.
   * @returns how many of the Avatars that it shows are newer than the map
   * @throws VerificationError (`incomplete`)
   */
  async demandAll(asked: Asked, map: CheckedMap, groups: ShownGroup[], signal: Signal): Promise<number> {
    // No more than a look-up answers hold the identity, and of so many the map names all.
    const holders = new Map(map.holders!.map(({ avatar, link }) => [avatar, link]));
    const shown = new Map<string, SignedLink>();
    for (const group of groups) {
      const proof = group.proofs.find((one) => one.platform === asked.platform && one.identity === asked.identity);
      if (!proof) continue;
      const avatar = compressed(group.avatar);
      const link = await this.madeBy(avatar, proof, signal);
      if (!link) throw incomplete(`The binding ${nameOf(asked)} of ${avatar} is shown, and no link makes it.`, map);
      shown.set(avatar, link);
    }
    let newer = 0;
    for (const [avatar, link] of shown) {
      if (await this.demandOne(asked, map, avatar, holders.get(avatar), link, signal)) newer += 1;
    }
    const hidden = [...holders.keys()].filter((avatar) => !shown.has(avatar));
    for (const avatar of hidden) {
      await this.demandOne(asked, map, avatar, holders.get(avatar), null, signal);
    }
    return newer;
  }

  /**
   * Compares what the server shows of one Avatar, the link of its binding or none, with the entry of the binding that
   * the map has, or none.
   * @returns whether what is shown is newer than the map
   * @throws VerificationError (`incomplete`)
   */
  async demandOne(
    asked: Asked,
    map: CheckedMap,
    avatar: string,
    held: number | undefined,
    link: SignedLink | null,
    signal: Signal,
  ): Promise<boolean> {
    if (link === null) {
      if (held === undefined) return false;
      if (await this.isGoneSince(asked, avatar, held, map.size, signal)) return true;
      throw incomplete(`The binding ${nameOf(asked)} of ${avatar} is left out, which entry ${held} made.`, map);
    }
    const index = await this.checker.indexOf({ link, avatar }, signal);
    if (index === held) return false;
    if (index >= map.size) return true;
    const bad = held === undefined ? 'was revoked' : `was made anew by entry ${held}`;
    throw incomplete(`The binding ${nameOf(asked)} of ${avatar} is shown by entry ${index}, and ${bad} since.`, map);
  }

  /**
   * The links of an Avatar about an identity, in their order.
   * @throws VerificationError for a bad chain, and for a text that is called erased without the log saying so
   */
  private async ownLinks({ platform, identity }: Asked, avatar: string, signal: Signal): Promise<SignedLink[]> {
    const links = (await this.reads.linksOf(avatar, signal)) as SignedLink[];
    demand(verifyChain(links, { avatar }), `The chain of ${avatar}`);
    for (const link of links.filter(isErased)) await this.checker.prove({ link, avatar }, signal);
    const key = identityKeyText({ platform, identity });
    return links.filter((link) =>
      link.erased ? link.erased.identity_key === key : link.platform === platform && link.identity === identity,
    );
  }

  /** Whether a binding that the map of `size` entries has was revoked or erased since: its chain has to show that. */
  private async isGoneSince(
    asked: Asked,
    avatar: string,
    held: number,
    size: number,
    signal: Signal,
  ): Promise<boolean> {
    const own = await this.ownLinks(asked, avatar, signal);
    const newest = own.at(-1);
    if (!newest || (newest.action === 'create' && !newest.erased)) return false;
    const made = own.findLast(({ action }) => action === 'create');
    if (!made || (await this.checker.indexOf({ link: made, avatar }, signal)) < held) return false;
    return (await this.checker.prove({ link: newest, avatar }, signal)).newest >= size;
  }

  /** The link that makes a binding which the server shows. */
  private async madeBy(
    avatar: string,
    { platform, identity, created_at }: Pick<SignedLink, 'platform' | 'identity' | 'created_at'>,
    signal: Signal,
  ): Promise<SignedLink | null> {
    const links = (await this.reads.linksOf(avatar, signal)) as SignedLink[];
    this.erased += links.filter(isErased).length;
    const isMade = (link: SignedLink) =>
      link.action === 'create' &&
      link.platform === platform &&
      link.identity === identity &&
      link.created_at === created_at;
    return links.findLast(isMade) ?? null;
  }
}

/** The error of an answer that lacks something. @param map what it was held against */
export function incomplete(detail: string, { size }: { size: number }): VerificationError {
  const step: Step = { name: 'complete', state: 'failed', detail };
  const message = `The answer is not complete by the map of ${size} entries. ${detail}`;
  return new VerificationError(message, [step], 'incomplete');
}
