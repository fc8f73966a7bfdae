/** Holds answers against the map over the log, for clients with `verify: 'complete'`: nothing may be left out. */
import { identityKeyText, type SignedLink, type SignedPatch, verifyChain } from '@signet/verify';
import type { AvatarState } from '@signet/verify/log';
import type { ChainLink, IdentityGroup, KvPatch } from '../answers.js';
import { demand } from '../checks.js';
import type { Completion } from '../client/paged-list.js';
import { isSameName } from '../client/shown.js';
import { VerificationError } from '../errors.js';
import type { CheckedMap, LogChecker } from './log-checker.js';

/** By what an answer was found to be complete. */
export interface Completeness {
  /** The name of the log. */
  origin: string;
  /** How many entries of the log the map is about that was asked. Later entries are not in it. */
  size: number;
  /** UNIX seconds at which enough witnesses had signed that; null without a policy that asks for witnesses. */
  cosignedAt: number | null;
  /** Items of the answer that are newer than the map: of these, more may be left out. */
  newer: number;
}

/** Reads chains. */
interface ChainReads {
  linksOf(avatar: string, signal: AbortSignal | undefined): Promise<ChainLink[]>;
}

/** One question of a look-up. */
interface Asked {
  platform: string;
  /** In its canonical form. */
  identity: string;
}

type Signal = AbortSignal | undefined;

/** Demands of answers that they are complete. Avatars are compressed keys. */
export class CompleteReads {
  constructor(
    private readonly reads: ChainReads,
    private readonly checker: LogChecker,
  ) {}

  /** Asks what the links of an Avatar have to be. @throws as `LogChecker.map` */
  links(avatar: string, signal: Signal): Promise<Completion<ChainLink>> {
    return this.records(avatar, 'link', signal, (link) => ({ link: link as SignedLink, avatar }));
  }

  /** Asks what the patches of an Avatar have to be. @throws as `LogChecker.map` */
  patches(avatar: string, signal: Signal): Promise<Completion<KvPatch>> {
    return this.records(avatar, 'patch', signal, (patch) => ({ patch: patch as SignedPatch, avatar }));
  }

  /**
   * Asks who has to be found by an exact look-up of identities on one platform, written as people do.
   * @throws as `LogChecker.map`
   */
  async look(platform: string, identities: string[], signal: Signal): Promise<Completion<IdentityGroup>> {
    const asked = identities.map((identity) => ({ platform, identity: canonicalName(platform, identity) }));
    const maps: CheckedMap[] = [];
    for (const one of asked) maps.push(await this.checker.map(one, signal));
    const groups: IdentityGroup[] = [];
    return {
      add: (group) => groups.push(group),
      end: async () => {
        let newer = 0;
        for (const [place, map] of maps.entries())
          newer += await this.demandHolders(asked[place]!, map, groups, signal);
        return { ...oldest(maps), newer };
      },
    };
  }

  /**
   * Demands of what a server says of one binding that the map says the same. `link` is the one that made it, or null
   * where the server shows no such binding.
   * @throws VerificationError (`incomplete`)
   */
  async demandBinding(
    avatar: string,
    platform: string,
    written: string,
    link: SignedLink | null,
    signal: Signal,
  ): Promise<Completeness> {
    const asked = { platform, identity: canonicalName(platform, written) };
    const map = await this.checker.map({ ...asked, avatar }, signal);
    const newer = await this.demandHolder(asked, map, avatar, map.holder?.link, link, signal);
    return { ...oldest([map]), newer: newer ? 1 : 0 };
  }

  private async records<Item extends { uuid: string }>(
    avatar: string,
    what: 'link' | 'patch',
    signal: Signal,
    itemOf: (item: Item) => Parameters<LogChecker['indexOf']>[0],
  ): Promise<Completion<Item>> {
    const map = await this.checker.map({ avatar }, signal);
    const state = map.value as AvatarState | null;
    const count = (what === 'link' ? state?.links : state?.patches) ?? 0;
    const newest = (what === 'link' ? state?.link : state?.patch) ?? null;
    const items: Item[] = [];
    const plural = what === 'link' ? 'links' : 'patches';
    return {
      add: (item) => items.push(item),
      end: async () => {
        const missing = count - items.length;
        if (missing > 0) {
          const verb = missing === 1 ? 'is' : 'are';
          throw incomplete(
            `${missing} of ${count} ${plural} of ${avatar} ${verb} missing, the newest among them.`,
            map,
          );
        }
        const index = count > 0 ? await this.checker.indexOf(itemOf(items[count - 1]!), signal) : null;
        if (index !== newest) {
          throw incomplete(
            `The ${what} number ${count} of ${avatar} is entry ${index}, and the newest one is entry ${newest}.`,
            map,
          );
        }
        const next = items[count];
        if (next && (await this.checker.indexOf(itemOf(next), signal)) < map.size) {
          throw incomplete(`${avatar} has more ${plural} than the map knows of, which says ${count}.`, map);
        }
        return { ...oldest([map]), newer: items.length - count };
      },
    };
  }

  /**
   * Asks what has to be found by a look-up of keys: all bindings of these Avatars, which their chains make.
   * @throws as `LogChecker.map`
   */
  async keys(avatars: string[], signal: Signal): Promise<Completion<IdentityGroup>> {
    const chains: Completion<ChainLink>[] = [];
    for (const avatar of avatars) chains.push(await this.links(avatar, signal));
    const groups: IdentityGroup[] = [];
    return {
      add: (group) => groups.push(group),
      end: async () => {
        const ends: Completeness[] = [];
        for (const [place, avatar] of avatars.entries()) {
          const links = await this.reads.linksOf(avatar, signal);
          for (const link of links) chains[place]!.add(link);
          const end = await chains[place]!.end();
          const result = verifyChain(links as SignedLink[], { avatar });
          demand(result, `The chain of ${avatar}`);
          const shown = groups.find((group) => group.avatar === avatar);
          const left = result.bindings.find((link) => !isShown(link, shown));
          // A list of several Avatars shows the first bindings of each.
          if (left && (avatars.length === 1 || !shown)) {
            throw incomplete(`The binding ${nameOf(left)} of ${avatar} is left out.`, end);
          }
          ends.push(end);
        }
        return { ...oldest(ends), newer: ends.reduce((sum, { newer }) => sum + newer, 0) };
      },
    };
  }

  /** @returns how many Avatars are newer than the map */
  private async demandHolders(asked: Asked, map: CheckedMap, groups: IdentityGroup[], signal: Signal): Promise<number> {
    const holders = new Map(map.holders?.map(({ avatar, link }) => [avatar, link]));
    const count = (map.value as { holders: number } | null)?.holders ?? 0;
    const shown = new Map<string, SignedLink | null>();
    for (const group of groups) {
      const proof = group.proofs.find((one) => one.platform === asked.platform && one.identity === asked.identity);
      if (proof) shown.set(group.avatar, await this.madeBy(group.avatar, proof, signal));
    }
    // Of very many holders the answer names none: each is asked for, and all are there where their number is right.
    if (map.holders === null) {
      for (const avatar of shown.keys()) {
        const held = await this.heldAt(asked, map.size, avatar, signal);
        if (held !== undefined) holders.set(avatar, held);
      }
      const missing = count - holders.size;
      if (missing > 0) {
        const verb = missing === 1 ? 'is' : 'are';
        throw incomplete(`${missing} of ${count} Avatars ${verb} left out, or revoked while this was read.`, map);
      }
    }
    let newer = 0;
    for (const [avatar, link] of shown) {
      if (await this.demandHolder(asked, map, avatar, holders.get(avatar), link, signal)) newer += 1;
    }
    const hidden = [...holders.keys()].filter((avatar) => !shown.has(avatar));
    for (const avatar of hidden) {
      await this.demandHolder(asked, map, avatar, holders.get(avatar), null, signal);
    }
    return newer;
  }

  /**
   * Compares what the server shows of one Avatar, the link of its binding or none, with the entry of the binding that
   * the map has, or none.
   * @returns whether what is shown is newer than the map
   */
  private async demandHolder(
    asked: Asked,
    map: CheckedMap,
    avatar: string,
    held: number | undefined,
    link: SignedLink | null,
    signal: Signal,
  ): Promise<boolean> {
    if (link === null) {
      if (held === undefined) return false;
      if (await this.isGoneSince(asked, avatar, held, signal)) return true;
      throw incomplete(`The binding ${nameOf(asked)} of ${avatar} is left out, which entry ${held} made.`, map);
    }
    const index = await this.checker.indexOf({ link, avatar }, signal);
    if (index === held) return false;
    if (index >= map.size) return true;
    const bad = held === undefined ? 'was revoked' : `was made anew by entry ${held}`;
    throw incomplete(`The binding ${nameOf(asked)} of ${avatar} is shown by entry ${index}, and ${bad} since.`, map);
  }

  /**
   * By which entry an Avatar held an identity after the first `size` entries; undefined where it did not. The map
   * answers as of now: where that is newer, the chain has to show what was before.
   */
  private async heldAt(asked: Asked, size: number, avatar: string, signal: Signal): Promise<number | undefined> {
    const { holder } = await this.checker.map({ ...asked, avatar }, signal);
    if (holder && holder.link < size) return holder.link;
    const [newest, ...older] = (await this.ownLinks(asked, avatar, signal)).reverse();
    if (!newest || (await this.checker.indexOf({ link: newest, avatar }, signal)) < size) return undefined;
    for (const link of older) {
      const index = await this.checker.indexOf({ link, avatar }, signal);
      if (index < size) return link.action === 'create' && !link.erased ? index : undefined;
    }
    return undefined;
  }

  /** The links of an Avatar about an identity, in their order. @throws VerificationError for a bad chain */
  private async ownLinks({ platform, identity }: Asked, avatar: string, signal: Signal): Promise<SignedLink[]> {
    const links = (await this.reads.linksOf(avatar, signal)) as SignedLink[];
    demand(verifyChain(links, { avatar }), `The chain of ${avatar}`);
    const key = identityKeyText({ platform, identity });
    return links.filter((link) =>
      link.erased ? link.erased.identity_key === key : link.platform === platform && link.identity === identity,
    );
  }

  /** Whether a binding that the map has was revoked since, or erased: its chain has to show that. */
  private async isGoneSince(asked: Asked, avatar: string, held: number, signal: Signal): Promise<boolean> {
    const own = await this.ownLinks(asked, avatar, signal);
    const newest = own.at(-1);
    if (!newest || (newest.action === 'create' && !newest.erased)) return false;
    const made = own.findLast(({ action }) => action === 'create');
    if (!made || (await this.checker.indexOf({ link: made, avatar }, signal)) < held) return false;
    await this.checker.prove({ link: newest, avatar }, signal);
    return true;
  }

  /** The link that makes a binding which the server shows. */
  private async madeBy(
    avatar: string,
    { platform, identity, created_at }: Pick<SignedLink, 'platform' | 'identity' | 'created_at'>,
    signal: Signal,
  ): Promise<SignedLink | null> {
    const links = (await this.reads.linksOf(avatar, signal)) as SignedLink[];
    const isMade = (link: SignedLink) =>
      link.action === 'create' &&
      link.platform === platform &&
      link.identity === identity &&
      link.created_at === created_at;
    return links.findLast(isMade) ?? null;
  }
}

/**
 * The canonical form of a name as people write it: without a leading @ and in lower case, but for names whose case
 * counts. A form that only the server can read (an address) is refused, because the answer is about another key.
 */
export function canonicalName(platform: string, written: string): string {
  const text = written.trim();
  if (platform === 'solana' || (platform === 'discord' && /#\d{4}$/.test(text))) return text;
  return text.replace(/^@/, '').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function isShown(link: SignedLink, group: IdentityGroup | undefined): boolean {
  return (group?.proofs ?? []).some(
    ({ platform, identity }) => platform === link.platform && isSameName(link.identity, identity),
  );
}

function nameOf({ platform, identity }: Asked): string {
  return `${platform} ${JSON.stringify(identity)}`;
}

/** What several maps together are about: the state of the oldest. */
function oldest(maps: Omit<Completeness, 'newer'>[]): Omit<Completeness, 'newer'> {
  const [first] = [...maps].sort((one, other) => one.size - other.size);
  const { origin, size, cosignedAt } = first!;
  return { origin, size, cosignedAt };
}

function incomplete(detail: string, { size }: { size: number }): VerificationError {
  const step = { name: 'complete', state: 'failed' as const, detail };
  const message = `The answer is not complete by the map of ${size} entries. ${detail}`;
  return new VerificationError(message, [step], 'incomplete');
}
