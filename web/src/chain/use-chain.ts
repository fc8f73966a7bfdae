/** Signed links and patches of one Avatar, read page by page and checked in this browser as they come. */
import type { ChainLink, KvPatch, ListPage } from '@signet/sdk';
import { ChainChecker, PatchChainChecker, type SignedLink, type SignedPatch, type Verification } from '@signet/verify';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ShownStep } from '../parts/steps.js';
import { client } from '../shell/api.js';
import { useLatest } from '../shell/stable.js';
import { AppKeys, type SigningApp } from './app-keys.js';

/** One link or patch, and what its checks said. */
export interface Checked<Item> extends Omit<Verification, 'steps'> {
  item: Item;
  steps: ShownStep[];
  /** The app whose key signed it in place of the Avatar. */
  app?: SigningApp | null;
}

/** A list that is being read and checked. */
export interface CheckedList<Item> {
  /** Oldest first. */
  items: Checked<Item>[];
  /** How many there are in all, as the server says. */
  total: number;
  isComplete: boolean;
  /** For which version it was read. */
  version: number;
  /** What ended the reading, if anything did. */
  error?: unknown;
}

/** A browser draws 60 times a second; checks of one long page are interrupted for it. */
const FRAME_MS = 12;

/** A checked item with one step more. */
export function withStep<Item>(checked: Checked<Item>, step: ShownStep | undefined): Checked<Item> {
  if (!step) return checked;
  const { ok, complete, steps } = checked;
  return {
    ...checked,
    ok: ok && step.state !== 'failed',
    complete: complete && step.state === 'ok',
    steps: [...steps, step],
  };
}

/** The links of an Avatar (compressed key), checked in their chain. A new `version` reads them again. */
export function useLinks(avatar: string, version: number): CheckedList<ChainLink> {
  return useCheckedList([avatar, 'links'], version, (signal) => linkSource(avatar, signal));
}

/** The patches of an Avatar (compressed key), checked in their chain. A new `version` reads them again. */
export function usePatches(avatar: string, version: number): CheckedList<KvPatch> {
  return useCheckedList([avatar, 'patches'], version, (signal) => patchSource(avatar, signal));
}

/** All links of an Avatar, read once. What ended the reading, if anything did, is in the list. */
export function readLinks(avatar: string, signal: AbortSignal): Promise<CheckedList<ChainLink>> {
  return readWhole(linkSource(avatar, signal), signal);
}

/**
 * All patches of an Avatar, read once, up to `maxPages`: the list is not complete where there are more. What ended the
 * reading, if anything did, is in the list.
 */
export function readPatches(avatar: string, signal: AbortSignal, maxPages = Infinity): Promise<CheckedList<KvPatch>> {
  return readWhole(patchSource(avatar, signal), signal, maxPages);
}

function linkSource(avatar: string, signal: AbortSignal): Source<ChainLink> {
  const checker = new ChainChecker({ avatar });
  return {
    page: (number) => client.chain(avatar, { signal }).page(number),
    check: (item) => checker.add(item as SignedLink),
  };
}

function patchSource(avatar: string, signal: AbortSignal): Source<KvPatch> {
  const apps = new AppKeys(avatar, signal);
  const checker = new PatchChainChecker({ avatar, signers: apps });
  return {
    page: async (number) => {
      const page = await client.kv.chain(avatar, { signal }).page(number);
      await apps.readFor(page.items);
      return page;
    },
    check: (item) => {
      return { ...checker.add(item as SignedPatch), app: apps.appOf(item as SignedPatch) };
    },
  };
}

/** Where a list comes from, and how its items are checked, in their order. */
interface Source<Item> {
  page(number: number): Promise<ListPage<Item>>;
  check(item: Item): Omit<Checked<Item>, 'item'>;
}

const EMPTY = { items: [], total: 0, isComplete: false, version: -1 };

function useCheckedList<Item>(
  inputs: readonly string[],
  version: number,
  open: (signal: AbortSignal) => Source<Item>,
): CheckedList<Item> {
  const [list, setList] = useState<CheckedList<Item>>(EMPTY);
  const shownFor = useRef('');
  const name = inputs.join(' ');
  const opener = useLatest(open);
  useEffect(() => {
    const controller = new AbortController();
    // What is shown stays until all that is there now was checked.
    const isRefresh = shownFor.current === name;
    if (!isRefresh) setList(EMPTY);
    const show = (next: Omit<CheckedList<Item>, 'version'>) => {
      if (controller.signal.aborted || (isRefresh && !next.isComplete)) return;
      shownFor.current = name;
      setList({ ...next, version });
    };
    void readAll(opener.current(controller.signal), controller.signal, show);
    return () => controller.abort();
  }, [name, version, opener]);
  return list;
}

async function readWhole<Item>(
  source: Source<Item>,
  signal: AbortSignal,
  maxPages = Infinity,
): Promise<CheckedList<Item>> {
  let list: CheckedList<Item> = EMPTY;
  await readAll(source, signal, (read) => (list = { ...read, version: EMPTY.version }), maxPages);
  return list;
}

async function readAll<Item>(
  source: Source<Item>,
  signal: AbortSignal,
  show: (list: Omit<CheckedList<Item>, 'version'>) => void,
  maxPages = Infinity,
): Promise<void> {
  const items: Checked<Item>[] = [];
  let total = 0;
  try {
    for (let number = 1, read = 0; number !== 0 && read < maxPages && !signal.aborted; read++) {
      const page = await source.page(number);
      ({ total } = page);
      let started = performance.now();
      for (const item of page.items) {
        items.push({ item, ...source.check(item) });
        if (performance.now() - started < FRAME_MS) continue;
        await new Promise((resolve) => setTimeout(resolve));
        if (signal.aborted) return;
        started = performance.now();
      }
      number = page.next;
      show({ items: [...items], total, isComplete: number === 0 });
    }
  } catch (error) {
    if (!signal.aborted) show({ items: [...items], total, isComplete: false, error });
  }
}
