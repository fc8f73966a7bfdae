import type { ChainLink, IdentityGroup } from '@signet/sdk';
import { client } from '../shell/api.js';
import { serviceName } from '../shell/platforms.js';
import type { KeysRead } from '../recovery/keys-of.js';
import { type Asked, useAnswer } from '../shell/use-answer.js';
import { type Binding, bindingsOf, boundByKeys, isContradiction, listsTheSame, shownBindings } from './bindings.js';
import { useOneMoment } from './one-moment.js';
import { type CheckedList, readLinks, useLinks } from '../chain/use-chain.js';
import { type LoggedList, useLog } from '../chain/use-log.js';
import { useKeyEvents } from './use-key-events.js';

/** Whose bindings, and what the server lists of them. */
interface Listed {
  avatar: string;
  /** Grows when something happened: then both are read again. */
  version: number;
  list: (signal: AbortSignal) => Promise<IdentityGroup | null>;
  /** What the server listed a moment ago, where that was read: it is not asked again before something happens. */
  listed?: IdentityGroup;
  /** Which of the bindings are shown; all when absent. */
  isShown?: (binding: { platform: string; identity: string }) => boolean;
}

/** What is bound: what the server lists, its chain with what the log says of it, and both held against each other. */
export interface Bindings extends LoggedList {
  group: ReturnType<typeof useAnswer<IdentityGroup | null>>;
  bindings: Binding[];
  /** What the Avatar said about its keys; null where that is nothing. */
  keys: Asked<KeysRead | null>;
}

/** All that the server lists of one Avatar; null where that is nothing. */
export async function readBindings(avatar: string, signal: AbortSignal): Promise<IdentityGroup | null> {
  // The name is known by now: `client.proofs.of` would ask for it first.
  const search = { platform: await serviceName(), identity: avatar, signal };
  return (await client.proofs.find(search).toArray()).find((one) => one.avatar === avatar) ?? null;
}

/** Reads what the server lists and the chain of an Avatar, again where they contradict each other. */
export function useBindings({ avatar, version, list, listed, isShown = () => true }: Listed): Bindings {
  const ask = version === 0 && listed ? () => Promise.resolve(listed) : list;
  const group = useAnswer(ask, [avatar], version);
  const links = useLinks(avatar, version);
  const keys = useKeyEvents(avatar, version);
  const match = (found: IdentityGroup | null, chain: CheckedList<ChainLink>) =>
    bindingsOf(found, chain, avatar).filter(isShown);
  const { pair, moment } = useOneMoment(
    group.state === 'there' ? { outer: group.value, inner: links } : null,
    {
      outer: list,
      inner: (signal) => readLinks(avatar, signal),
      isSame: listsTheSame,
      contradicts: ({ outer, inner }) => match(outer, inner).some(isContradiction),
    },
    { name: `${avatar} ${version}`, isFresh: links.version === version && links.isComplete },
  );
  const logged = useLog(pair?.inner ?? links, avatar);
  const shown = pair ? shownBindings(match(pair.outer, logged.links), moment) : [];
  return { group, ...logged, keys, bindings: boundByKeys(shown, logged.links, keys) };
}
