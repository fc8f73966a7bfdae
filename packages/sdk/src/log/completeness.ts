/** Holds answers against the map over the log, for clients with `demand: { complete }`: nothing may be left out. */
import { isErased, type SignedLink, verifyChain } from '@signet/verify';
import { wordOf, wordsOf } from '@signet/verify/internal/log';
import {
  type AvatarState,
  type EntryKind,
  KEY_ENTRIES,
  LINK_ENTRIES,
  type NamedRecord,
  PATCH_ENTRIES,
} from '@signet/verify/log';
import type { ChainLink, KvPatch } from '../answers.js';
import { compressed, demand } from '../checks.js';
import { canonicalName } from '../names/canonical-name.js';
import { nameOf } from '../client/resting.js';
import type { KeyEvent } from '../keys/key-types.js';
import { askedPoint } from '../rules.js';
import type { Completeness, Completion } from '../client/paged-list.js';
import {
  type Asked,
  type ChainReads,
  HeldBindings,
  incomplete,
  type ShownGroup,
  type Signal,
} from './held-bindings.js';
import type { CheckedMap, LogChecker } from './log-checker.js';

/** Avatars of one name that an exact look-up answers. */
const MOST_ANSWERED = 1000;

/** Demands of answers that they are complete. Avatars are keys; another text is a WrongUsageError. */
export class CompleteReads {
  private readonly held: HeldBindings;
  /** What the map that was asked last had of each Avatar. */
  private readonly states = new Map<string, AvatarState | null>();

  constructor(
    private readonly reads: ChainReads,
    private readonly checker: LogChecker,
  ) {
    this.held = new HeldBindings(reads, checker);
  }

  /** Asks what the links of an Avatar have to be. @throws as `LogChecker.map` */
  async links(avatar: string, signal: Signal): Promise<Completion<ChainLink>> {
    return this.records(LINK_ENTRIES, avatar, signal);
  }

  /** Asks what the patches of an Avatar have to be. @throws as `LogChecker.map` */
  async patches(avatar: string, signal: Signal): Promise<Completion<KvPatch>> {
    return this.records(PATCH_ENTRIES, avatar, signal);
  }

  /** Asks what the key events of an Avatar have to be. @throws as `LogChecker.map` */
  async keys(avatar: string, signal: Signal): Promise<Completion<KeyEvent>> {
    return this.records(KEY_ENTRIES, avatar, signal);
  }

  /**
   * How many key events an Avatar has by the map that was asked for its records last; it is asked where none was.
   * @throws as `LogChecker.map`
   */
  async keyCount(of: string, signal: Signal): Promise<number> {
    const avatar = askedPoint(of);
    if (!this.states.has(avatar)) await this.keys(avatar, signal);
    return this.states.get(avatar)?.[KEY_ENTRIES.list] ?? 0;
  }

  /**
   * Asks who has to be found by an exact look-up of identities on one platform, written as people do.
   * @throws as `canonicalName` and `LogChecker.map`
   */
  async look(platform: string, identities: string[], signal: Signal): Promise<Completion<ShownGroup>> {
    const asked = identities.map((identity) => ({ platform, identity: canonicalName(platform, identity) }));
    const maps: CheckedMap[] = [];
    for (const one of asked) maps.push(await this.checker.map(one, signal));
    for (const [place, map] of maps.entries()) {
      const { holders = 0 } = (map.value ?? {}) as { holders?: number };
      if (holders <= MOST_ANSWERED) continue;
      const name = nameOf(asked[place]!);
      throw incomplete(
        `${holders} Avatars hold ${name}, and a look-up answers ${MOST_ANSWERED}. Ask whether one of them does (exists).`,
        map,
      );
    }
    const groups: ShownGroup[] = [];
    return {
      add: (group) => groups.push(group),
      end: async () => {
        let newer = 0;
        const isAsked = (proof: Asked) =>
          asked.some(({ identity }) => proof.platform === platform && proof.identity === identity);
        const stranger = groups.find(({ proofs }) => !proofs.some(isAsked));
        if (stranger)
          throw incomplete(`${stranger.avatar} is shown, which holds nothing that was asked for.`, maps[0]!);
        for (const [place, map] of maps.entries())
          newer += await this.held.demandAll(asked[place]!, map, groups, signal);
        return { ...oldest(maps), newer, erased: this.held.erased };
      },
    };
  }

  /**
   * Demands of what a server says of one binding that the map says the same. `link` is the one that made it, or null
   * where the server shows no such binding.
   * @param chain all links of the Avatar that were read
   * @throws VerificationError (`incomplete`)
   */
  async demandBinding(
    of: string,
    asked: Asked,
    { link, chain }: { link: SignedLink | null; chain: ChainLink[] },
    signal: Signal,
  ): Promise<Completeness> {
    const avatar = askedPoint(of);
    const map = await this.checker.map({ ...asked, avatar }, signal);
    const newer = await this.held.demandOne(asked, map, avatar, map.holder?.link, link, signal);
    return { ...oldest([map]), newer: newer ? 1 : 0, erased: chain.filter(isErased).length };
  }

  /** Asks what the records of one kind of an Avatar have to be. @throws as `LogChecker.map` */
  async records<Item extends { uuid: string; erased?: unknown }>(
    kind: EntryKind,
    of: string,
    signal: Signal,
  ): Promise<Completion<Item>> {
    const avatar = askedPoint(of);
    const map = await this.checker.map({ avatar }, signal);
    const state = map.value as AvatarState | null;
    this.states.set(avatar, state);
    const { item: what, list } = kind;
    const count = state?.[list] ?? 0;
    const newest = state?.[what] ?? null;
    const items: { avatar: string; record: NamedRecord }[] = [];
    return {
      add: (item) => items.push({ avatar, record: { kind, item: item as unknown as NamedRecord['item'] } }),
      end: async () => {
        const missing = count - items.length;
        if (missing > 0) {
          const verb = missing === 1 ? 'is' : 'are';
          const said = `${missing} of ${count} ${wordsOf(kind)} of ${avatar} ${verb} missing, the newest among them.`;
          throw incomplete(said, map);
        }
        const index = count > 0 ? await this.checker.indexOf(items[count - 1]!, signal) : null;
        if (index !== newest) {
          throw incomplete(
            `The ${wordOf(kind)} number ${count} of ${avatar} is entry ${index}, and the newest one is entry ${newest}.`,
            map,
          );
        }
        const erased = items.filter(({ record }) => isErased(record.item));
        for (const item of erased) await this.checker.prove(item, signal);
        // The records of a chain name each other, but for those whose text was erased: these stand before the newest.
        if (erased.length > 0) await this.checker.demandOrder(items, signal, count - 1);
        for (const item of items.slice(count)) {
          if ((await this.checker.indexOf(item, signal)) < map.size) {
            throw incomplete(`${avatar} has more ${wordsOf(kind)} than the map knows of, which says ${count}.`, map);
          }
        }
        return { ...oldest([map]), newer: items.length - count, erased: erased.length };
      },
    };
  }

  /**
   * Asks what has to be found by a look-up of a key: all bindings of this Avatar, which its chain makes.
   * @throws as `LogChecker.map`
   */
  async key(of: string, signal: Signal): Promise<Completion<ShownGroup>> {
    const avatar = askedPoint(of);
    const chain = await this.links(avatar, signal);
    const groups: ShownGroup[] = [];
    return {
      add: (group) => groups.push(group),
      end: async () => {
        const links = await this.reads.linksOf(avatar, signal);
        for (const link of links) chain.add(link);
        const end = await chain.end();
        const result = verifyChain(links as SignedLink[], { avatar });
        demand(result, `The chain of ${avatar}`);
        const stranger = groups.find((group) => compressed(group.avatar) !== avatar);
        if (stranger) throw incomplete(`${stranger.avatar} is shown, which was not asked for.`, end);
        const left = result.bindings.find((link) => !groups.some((group) => isShown(link, group)));
        if (left) throw incomplete(`The binding ${nameOf(left)} of ${avatar} is left out.`, end);
        return end;
      },
    };
  }
}

function isShown(link: SignedLink, { proofs }: ShownGroup): boolean {
  return proofs.some(({ platform, identity }) => platform === link.platform && identity === link.identity);
}

/** What several maps together are about: the state of the oldest. */
function oldest(maps: CheckedMap[]): Omit<Completeness, 'newer' | 'erased'> {
  const [first] = [...maps].sort((one, other) => one.size - other.size);
  const { origin, size, cosignedAt } = first!;
  return { origin, size, cosignedAt };
}
