import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { isUUID } from 'class-validator';
import { DataSource } from 'typeorm';
import { InvalidRequestError } from '@signet/look';
import { changedRows } from '../database/changes.js';
import { TableColumns } from '../database/table-columns.js';
import { AvatarKey } from '../domain/avatar-key.js';
import type { BindingEvent } from '../domain/domain-events.js';
import { LimitExceededError, NotFoundError, ProofRejectedError } from '../domain/domain-errors.js';
import type { Page } from '../domain/page.js';
import { readListedPage } from '../http/listed-page.js';
import { isShownLine } from '../domain/shown-line.js';
import { PlatformService } from '../platform/platform.service.js';
import { HiddenItem, type HiddenKind } from './hidden-item.entity.js';

/** What is hidden, and what a reader asks about. */
export type HiddenName =
  { kind: 'identity'; platform: string; identity: string } | { kind: 'key' | 'profile'; avatar: string };

/** A name as an operator or a reader writes it, before its check. */
export interface WrittenName {
  kind: HiddenKind;
  platform?: string | undefined;
  identity?: string | undefined;
  avatar?: string | undefined;
}

/** Things that are hidden at one time. Servers keep all of them in memory: some 300 bytes each. */
const MOST_HIDDEN = 10_000;
/** Characters of a reason, which is shown on the page. */
const MAX_REASON = 200;
/** Seconds until other servers follow. */
const REFRESH_MS = 5000;

const COLUMNS = TableColumns.of(HiddenItem).selectedFrom('hidden_item');
const NOW = `select ${COLUMNS} from hidden_item where lifted_at is null limit ${MOST_HIDDEN}`;
/** Changes with each row that is added or lifted: no row is ever removed. */
const VERSION = `select count(*)::text || ' ' || count(lifted_at)::text as version from hidden_item`;
const HIDE = `
  insert into hidden_item (kind, platform, identity, avatar, reason) values ($1, $2, $3, $4, $5)
  on conflict (kind, platform, identity, avatar) where lifted_at is null do nothing returning ${COLUMNS}`;
const LIFT = `
  update hidden_item set lifted_at = clock_timestamp(), lifted_reason = $2
  where id = $1 and lifted_at is null returning ${COLUMNS}`;

/**
 * What an operator hides from the page: from views, search, badge, previews and its feeds of news. Nothing is erased:
 * chains, the feeds of records, the log, and the answers of the contract stay whole. What is hidden now is kept in
 * memory, so that no request asks the database for it; other servers follow within five seconds.
 */
@Injectable()
export class HiddenItems implements OnModuleInit {
  private readonly logger = new Logger('Hiding');
  private version = '';
  private kept = new Map<string, HiddenItem>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly platforms: PlatformService,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.refresh();
  }

  /** Reads what is hidden, if something changed. Never throws: what was known stays. */
  @Interval(REFRESH_MS)
  async refresh(): Promise<void> {
    try {
      const [row] = (await this.dataSource.query(VERSION)) as [{ version: string }];
      if (row.version === this.version) return;
      const items: HiddenItem[] = await this.dataSource.query(NOW);
      this.kept = new Map(items.map((item) => [keyOf(item), item]));
      this.version = row.version;
    } catch (error) {
      this.logger.warn(`What is hidden could not be read: ${(error as Error).message}`);
    }
  }

  /** What hides this, or null where nothing does. A hidden key hides its profile. */
  find(name: HiddenName): HiddenItem | null {
    const found = this.kept.get(keyOf(name));
    if (found || name.kind !== 'profile') return found ?? null;
    return this.kept.get(keyOf({ kind: 'key', avatar: name.avatar })) ?? null;
  }

  /** What hides a binding: its identity, or its key. */
  ofBinding({ platform, identity, avatar }: BindingEvent): HiddenItem | null {
    return this.find({ kind: 'identity', platform, identity }) ?? this.find({ kind: 'key', avatar });
  }

  /**
   * A name in its canonical form.
   * @throws InvalidRequestError (`invalid_request`, `unknown_platform`, `invalid_identity`, `invalid_public_key`)
   */
  nameOf({ kind, platform, identity, avatar }: WrittenName): HiddenName {
    if (kind !== 'identity') return { kind, avatar: AvatarKey.parse(avatar ?? '').compressed };
    if (!platform || !identity) throw new InvalidRequestError('An identity is named by platform and identity.');
    return { kind, platform, identity: this.platforms.canonicalIdentity(this.platforms.get(platform), identity) };
  }

  /**
   * Hides something from the page.
   * @throws what `nameOf` throws; InvalidRequestError for a reason that cannot be shown; ProofRejectedError
   *   (`already_hidden`); LimitExceededError (`too_many_hidden`)
   */
  async hide(written: WrittenName, reason: string): Promise<HiddenItem> {
    const name = { platform: '', identity: '', avatar: '', ...this.nameOf(written) };
    const text = checkedReason(reason);
    await this.refresh();
    if (this.kept.size >= MOST_HIDDEN) {
      throw new LimitExceededError(`${MOST_HIDDEN} things are hidden, which is the limit.`, 'too_many_hidden');
    }
    const values = [name.kind, name.platform, name.identity, name.avatar, text];
    const [item] = await this.dataSource.query<HiddenItem[]>(HIDE, values);
    if (!item) throw new ProofRejectedError('This is hidden already.', 'already_hidden');
    await this.refresh();
    return item;
  }

  /**
   * Shows something again; its row stays, with both reasons.
   * @throws NotFoundError (`hidden_item_not_found`); InvalidRequestError for a reason that cannot be kept
   */
  async lift(id: string, reason: string): Promise<HiddenItem> {
    const text = checkedReason(reason);
    const [item] = isUUID(id) ? await changedRows<HiddenItem>(this.dataSource, LIFT, [id, text]) : [];
    if (!item) throw new NotFoundError('Nothing is hidden under this id.', 'hidden_item_not_found');
    await this.refresh();
    return item;
  }

  /** All that is and was hidden, newest first. @throws InvalidRequestError (`page_too_deep`) */
  async list(page: number): Promise<Page<HiddenItem>> {
    const list = { columns: COLUMNS, rows: 'from hidden_item', order: 'hidden_at desc, id' };
    return readListedPage(this.dataSource, list, page);
  }
}

function keyOf(name: HiddenName | HiddenItem): string {
  return name.kind === 'identity' ? `${name.kind} ${name.platform} ${name.identity}` : `${name.kind} ${name.avatar}`;
}

/** @throws InvalidRequestError unless it is one line that can be shown */
function checkedReason(reason: string): string {
  const text = reason.trim();
  if (isShownLine(text, MAX_REASON)) return text;
  throw new InvalidRequestError(`reason must be one line of 1 to ${MAX_REASON} characters; the page shows it.`);
}
