import { Injectable } from '@nestjs/common';
import { identityKeyText } from '@signet/verify/internal/chains';
import { isolatedName } from '@signet/verify/unseen';
import { InvalidRequestError } from '@signet/look';
import { DataSource } from 'typeorm';
import { Environment } from '../config/environment.js';
import { sha256Hex } from '../crypto/hashing.js';
import { NAME_FEED_STEPS } from '../database/schema/upgrade-steps.js';
import { UpgradeStatus } from '../database/schema/upgrade-status.js';
import type { IdentityName } from '../domain/identity-name.js';
import type { HiddenItem } from '../hiding/hidden-item.entity.js';
import { HiddenItems } from '../hiding/hidden-items.js';
import { assertFeedIndexed, type BriefFilter, type BriefRecord } from '../ledger/record-feed.js';
import { RecordKinds } from '../ledger/record-kind.js';
import type { AtomEntry, AtomFeed } from './atom.js';

export type NewsOf = { avatar: string } | IdentityName | null;

/** Entries of a page: each is under 2 KB. */
const PER_PAGE = 30;

/** What a record says, by its action. */
const WORDS: Record<string, { title: string; sentence: (what: string, key: string) => string }> = {
  create: { title: 'Connected', sentence: (what, key) => `${what} was connected to the key ${key}.` },
  delete: { title: 'Disconnected', sentence: (what, key) => `${what} was disconnected from the key ${key}.` },
  patch: { title: 'Content changed', sentence: (what, key) => `The key ${key} changed its content under ${what}.` },
  'key.commit': { title: 'Recovery changed', sentence: (_, key) => `The key ${key} named what may recover it.` },
  'key.freeze': {
    title: 'Frozen',
    sentence: (_, key) => `The key ${key} was frozen: it can write nothing for a while.`,
  },
  'key.thaw': { title: 'No longer frozen', sentence: (_, key) => `The key ${key} can write again.` },
  'key.succeed': { title: 'Successor named', sentence: (_, key) => `Another key was named to take over from ${key}.` },
  'key.veto': {
    title: 'Change of keys stopped',
    sentence: (_, key) => `What was to change for the key ${key} was stopped.`,
  },
  'key.add': { title: 'Key of an app added', sentence: (_, key) => `The key ${key} let an app sign content for it.` },
  'key.revoke': {
    title: 'Key of an app revoked',
    sentence: (_, key) => `An app can sign content for the key ${key} no more.`,
  },
};

type News = BriefRecord & { kind: string };

/** News of a key, of a name or of all, newest first, page by page. */
@Injectable()
export class NewsPages {
  constructor(
    private readonly dataSource: DataSource,
    private readonly kinds: RecordKinds,
    private readonly hidden: HiddenItems,
    private readonly upgrade: UpgradeStatus,
    private readonly environment: Environment,
  ) {}

  /**
   * One page of a feed. A page behind the first is asked for by the places where the one before it ended, one for each
   * kind of records, so it never changes but for texts that are taken away.
   * @param path of its first page, from `/` on
   * @param before as the answer before wrote it; absent: the first page
   * @throws InvalidRequestError for another cursor; UnavailableError (`upgrade_under_way`)
   */
  async page(of: NewsOf, path: string, page: string, before: string | undefined): Promise<AtomFeed> {
    const cursor = readCursor(before, this.kinds.names);
    const found = await this.newest(of, cursor);
    const shown = newestOf(found, PER_PAGE);
    const hasMore = found.flat().length > shown.length;
    const next = hasMore ? `${path}?before=${writeCursor(this.kinds.names, found.flat(), shown)}` : null;
    const self = before === undefined ? path : `${path}?before=${before}`;
    const entries = shown.map((news) => this.entryOf(news));
    return { uuid: this.uuidOf(of), title: titleOf(of), path: page, self, first: path, next, entries };
  }

  /** Of each kind up to one more than a page. */
  private async newest(of: NewsOf, cursor: Map<string, number>): Promise<News[][]> {
    const isOfName = of !== null && 'platform' in of;
    if (isOfName) await assertFeedIndexed(this.upgrade, NAME_FEED_STEPS);
    const filter: BriefFilter = isOfName ? { ...of, key: identityKeyText(of) } : (of ?? {});
    // What is said about a name are bindings: content under it is in the feed of its key.
    const kinds = this.kinds.all.filter(({ bindsIdentities }) => !isOfName || bindsIdentities);
    return Promise.all(
      kinds.map(async ({ name, feed }) => {
        const before = cursor.get(name) ?? null;
        const briefs = before === 1 ? [] : await feed.newestBriefs(this.dataSource, filter, before, PER_PAGE + 1);
        return briefs.map((brief) => ({ ...brief, kind: name }));
      }),
    );
  }

  private entryOf(news: News): AtomEntry {
    const { uuid, avatar, recordedAt, erased } = news;
    const base = { uuid, author: avatar, published: recordedAt, path: `/a/${avatar}` };
    if (erased) return { ...base, title: `Erased: ${erased.reason}`, updated: new Date(erased.at * 1000) };
    const hidden = this.hiddenBy(news);
    if (hidden)
      return {
        ...base,
        title: `Hidden by the operator: ${hidden.reason}`,
        updated: later(hidden.hiddenAt, recordedAt),
      };
    const { title, sentence } = WORDS[news.action] ?? { title: news.action, sentence: () => `A record of ${avatar}.` };
    const what = news.platform === '' || news.platform === this.environment.SERVICE_NAME ? '' : nameOf(news);
    const summary = sentence(what === '' ? 'its own name' : what, avatar);
    return { ...base, title: what === '' ? title : `${title}: ${what}`, updated: recordedAt, summary };
  }

  private hiddenBy(news: News): HiddenItem | null {
    const { action, avatar, platform } = news;
    const isProfile = action === 'patch' && platform === this.environment.SERVICE_NAME;
    return this.hidden.ofBinding(news) ?? (isProfile ? this.hidden.find({ kind: 'profile', avatar }) : null);
  }

  /** A UUID of version 8 (RFC 9562), which all servers of a deployment give the feed, whatever their address is. */
  private uuidOf(of: NewsOf): string {
    const named = JSON.stringify(['feed', this.environment.SERVICE_NAME, of && Object.values(of)]);
    const hex = sha256Hex(named);
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `8${hex.slice(13, 16)}`,
      `a${hex.slice(17, 20)}`,
      hex.slice(20, 32),
    ].join('-');
  }
}

function nameOf({ platform, identity }: IdentityName): string {
  return `${isolatedName(identity)} on ${platform}`;
}

function titleOf(of: NewsOf): string {
  if (of === null) return 'Signet: news of all keys';
  return `Signet: news of ${'avatar' in of ? of.avatar : nameOf(of)}`;
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other;
}

/**
 * The newest of several kinds, of which each is in the order of its places. Always takes the newer one of what is next
 * of each kind, so that what is left of a kind is all that stands behind what was taken, also where a clock went back.
 */
function newestOf(kinds: News[][], count: number): News[] {
  const left = kinds.map((news) => [...news]);
  const taken: News[] = [];
  while (taken.length < count) {
    const heads = left.filter(([head]) => head !== undefined);
    const [newest] = heads.toSorted(([one], [other]) => other!.recordedAt.getTime() - one!.recordedAt.getTime());
    if (!newest) break;
    taken.push(newest.shift()!);
  }
  return taken;
}

/** `link.12-key.3`: the place below which the next page begins, of each kind. */
function writeCursor(kinds: string[], found: News[], shown: News[]): string {
  const places = kinds.map((kind) => {
    const last = shown.findLast((news) => news.kind === kind)?.place;
    // Where none was shown, all that were found are still to come; where there are none, none will be.
    const first = found.find((news) => news.kind === kind)?.place;
    return `${kind}.${last ?? (first === undefined ? 1 : first + 1)}`;
  });
  return places.join('-');
}

/** @throws InvalidRequestError */
function readCursor(text: string | undefined, kinds: string[]): Map<string, number> {
  if (text === undefined) return new Map();
  const places = text.split('-').map((part) => /^([a-z_]{1,32})\.([1-9]\d{0,14})$/.exec(part));
  const read = new Map(places.map((place) => [place?.[1] ?? '', Number(place?.[2])]));
  if ([...read.keys()].every((kind) => kinds.includes(kind))) return read;
  throw new InvalidRequestError('before must be what the link to the next page has.');
}
