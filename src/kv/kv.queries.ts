import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../config/environment.js';
import { GatheredRead } from '../database/gathered-read.js';
import { readRows } from '../database/prepared.js';
import { AvatarKey } from '../domain/avatar-key.js';
import { NotFoundError } from '../domain/domain-errors.js';
import { offsetOf, type Page, PER_PAGE } from '../domain/page.js';
import { holdsValidProof } from '../proof/valid-proof.js';
import { KvIdentity } from './kv-identity.js';

/** The content of one entry as it is answered. */
export interface StoredContent {
  /**
   * JSON text, as it is stored: reading it into objects, only to write them again, would take most of the time of an
   * answer.
   */
  content: string;
  /** Whether the Avatar holds a valid proof of that identity now; true for the key itself. */
  isBound: boolean;
}

/** One entry of an Avatar. */
export interface OwnEntry extends StoredContent {
  platform: string;
  identity: string;
}

/** What one Avatar has under an identity. */
export interface IdentityValue extends StoredContent {
  avatar: AvatarKey;
}

const OF_AVATAR = {
  key: { avatar: 'text', self: 'text' },
  sql: `
    select e.platform, e.identity, e.content, (e.platform = key.self or ${holdsValidProof('e')}) as is_bound,
      row_number() over (order by e.platform collate "C", e.identity collate "C")::int as place
    from kv_entry e where e.avatar = key.avatar`,
};

/** Always answers at least one row, so that the total is known on a page past the end too. */
const BY_IDENTITY = `
  with matching as (
    select e.avatar, e.updated_at, (e.platform = $3 or ${holdsValidProof('e')}) as is_bound
    from kv_entry e where e.platform = $1 and e.identity = $2
  ), page as (
    select * from matching order by is_bound desc, updated_at desc, avatar limit $4 offset $5
  )
  select counted.total, page.avatar, page.is_bound, e.content
  from (select count(*) as total from matching) as counted
  left join page on true
  left join kv_entry e on e.avatar = page.avatar and e.platform = $1 and e.identity = $2
  order by page.is_bound desc, page.updated_at desc, page.avatar`;

interface EntryRow {
  platform: string;
  identity: string;
  content: string;
  is_bound: boolean;
}

interface ValueRow extends Pick<EntryRow, 'content' | 'is_bound'> {
  total: string;
  avatar: string | null;
}

/** Look-ups of content. Each is one query, so that entries and proofs are seen at one moment. */
@Injectable()
export class KvQueries {
  private readonly ofAvatar: GatheredRead<EntryRow>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
    private readonly identities: KvIdentity,
  ) {
    this.ofAvatar = new GatheredRead(dataSource, OF_AVATAR);
  }

  /**
   * All entries of an Avatar, ordered by platform and identity.
   * @throws NotFoundError (`kv_not_found`) if it never wrote any.
   */
  async getEntries(avatar: AvatarKey): Promise<OwnEntry[]> {
    const rows = await this.ofAvatar.rows(avatar.compressed, this.environment.SERVICE_NAME);
    if (rows.length === 0) {
      throw new NotFoundError(`The Avatar ${avatar.compressed} never wrote any key-value data here.`, 'kv_not_found');
    }
    return rows.map(({ platform, identity, content, is_bound: isBound }) => ({ platform, identity, content, isBound }));
  }

  /**
   * Everybody's content under one identity: those first who hold a valid proof of it, then the newest.
   * @throws InvalidRequestError (`unknown_platform`)
   */
  async findByIdentity(platform: string, text: string, page: number): Promise<Page<IdentityValue>> {
    const identity = this.identities.find(platform, text);
    if (identity === null) return { items: [], total: 0, current: page };
    const rows = await readRows<ValueRow>(this.dataSource, BY_IDENTITY, [
      platform,
      identity,
      this.environment.SERVICE_NAME,
      PER_PAGE,
      offsetOf(page),
    ]);
    const items = rows.flatMap(({ avatar, content, is_bound: isBound }) =>
      avatar === null ? [] : [{ avatar: AvatarKey.parse(avatar), content, isBound }],
    );
    return { items, total: Number(rows[0]!.total), current: page };
  }
}
