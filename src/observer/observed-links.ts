import { ChainChecker, isErased, type SignedLink } from '@signet/verify';
import { identityKeyText } from '@signet/verify/internal/chains';
import { linkHash } from '@signet/verify/seen';
import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource, type EntityManager } from 'typeorm';
import { serviceCurves } from '../crypto/ecdsa.js';
import { changedRows } from '../database/changes.js';
import { isStorable } from '../database/storable-text.js';
import type { IdentityName } from '../domain/identity-name.js';
import { isWallet } from '@signet/look/internal';
import { MAX_IDENTITY_LENGTH } from '../platform/identity-text.js';
import { MAX_LOCATION_LENGTH, PlatformService } from '../platform/platform.service.js';
import { TWIN_DELAY } from './observer-work.js';
import { lockStatements } from './seen-statements.js';

/** A link as the feed of another server has it. */
export interface FollowedLink extends SignedLink {
  id: number;
  avatar: string;
}

/** What is stored of the chain of one Avatar. */
interface ChainRow {
  avatar: string;
  signature: string;
  created_at: string;
  is_broken: boolean;
}

/** Longer than any text that a service issues. */
const MAX_PAYLOAD_LENGTH = 16 * 1024;

const SAVE_CHAIN = `
  insert into observed_chain (feed_id, avatar, signature, created_at, is_broken) values ($1, $2, $3, $4, $5)
  on conflict (feed_id, avatar) do update
    set signature = excluded.signature, created_at = excluded.created_at, is_broken = excluded.is_broken`;

/**
 * A link that another server shows at the same place has the state of that one, and is looked at somewhat later: one
 * look serves both.
 */
const ADD = `
  insert into observed_binding (feed_id, link_hash, avatar, platform, identity, uuid, created_at, proof_location,
    signature_payload, is_seen, gone_since, next_look_at)
  select $1, $2, $3, $4, $5, $6, to_timestamp($7), $8, $9,
    twin.is_seen, twin.gone_since, coalesce(twin.next_look_at + interval '${TWIN_DELAY}', now())
  from (select) as one
    left join (select * from observed_binding where link_hash = $2 and proof_location = $8 order by id limit 1) as twin on true
  on conflict (feed_id, link_hash) do nothing`;

/**
 * Takes the links of other servers: checks their chains, and keeps the bindings that are to be looked at, each as its
 * server shows it. What one server shows touches no binding of another.
 */
@Injectable()
export class ObservedLinks {
  constructor(
    private readonly platforms: PlatformService,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Stores a page of a feed in the transaction of `manager`. A chain is believed only up to its first item that does
   * not verify; afterwards none of its bindings is looked at.
   * @returns the Avatars whose chains broke on this page
   */
  async applyPage(manager: EntityManager, feedId: number, links: FollowedLink[]): Promise<string[]> {
    await lockStatements(manager);
    const avatars = [...new Set(links.map(({ avatar }) => avatar))];
    const rows: ChainRow[] = await manager.query(
      'select avatar, signature, created_at, is_broken from observed_chain where feed_id = $1 and avatar = any($2)',
      [feedId, avatars],
    );
    const heads = new Map(rows.map((row) => [row.avatar, row]));
    const broken: string[] = [];
    for (const avatar of avatars) {
      const head = heads.get(avatar);
      if (head?.is_broken) continue;
      const own = links.filter((link) => link.avatar === avatar);
      const checker = new ChainChecker<FollowedLink>({
        curves: serviceCurves,
        avatar,
        after: (head ?? null) as SignedLink | null,
      });
      const failed = own.findIndex((link) => !isStorableLink(link) || !checker.add(link).ok);
      if (failed >= 0) {
        broken.push(avatar);
        await forgetBindings(manager, 'feed_id = $1 and avatar = $2', [feedId, avatar]);
      } else for (const link of own) await this.apply(manager, feedId, link);
      const last = failed < 0 ? own.at(-1)! : { signature: '', created_at: '' };
      await manager.query(SAVE_CHAIN, [feedId, avatar, last.signature, last.created_at, failed >= 0]);
    }
    return broken;
  }

  /** Whether a link is the newest that was read of its Avatar in this feed; also where its chain is not believed. */
  async isKnownHead(feedId: number, { avatar, signature }: FollowedLink): Promise<boolean> {
    const sql = 'select from observed_chain where feed_id = $1 and avatar = $2 and (is_broken or signature = $3)';
    return (await this.dataSource.query<unknown[]>(sql, [feedId, avatar, signature])).length > 0;
  }

  /** Forgets how far the chains of a feed were read, so that they can be read again. Their bindings stay. */
  async forgetChains(manager: EntityManager, feedId: number): Promise<void> {
    await manager.query('delete from observed_chain where feed_id = $1', [feedId]);
  }

  private async apply(manager: EntityManager, feedId: number, link: FollowedLink): Promise<void> {
    const { avatar, platform, action, uuid, created_at: at } = link;
    // What was erased names its identity by a hash.
    const identity = isErased(link) ? await identityOf(manager, feedId, link, link.erased.identity_key) : link.identity;
    const hash = linkHash(link.signature_payload);
    await forgetBindings(
      manager,
      'feed_id = $1 and avatar = $2 and platform = $3 and identity = $4 and created_at <= to_timestamp($5) and link_hash <> $6',
      [feedId, avatar, platform, identity, at, action === 'create' ? hash : ''],
    );
    if (action !== 'create' || isErased(link) || !this.isLookedAt(platform)) return;
    const place = link.proof_location ?? '';
    await manager.query(ADD, [feedId, hash, avatar, platform, identity, uuid, at, place, link.signature_payload]);
  }

  /** Posts and records of known platforms are looked at; everybody can check the signature of a wallet. */
  private isLookedAt(platform: string): boolean {
    const verifier = this.platforms.all().find((one) => one.platform === platform);
    return verifier !== undefined && !isWallet(verifier);
  }
}

/** Returns the identity with this key among the bindings that a feed shows for an Avatar, or `''` if none has it. */
async function identityOf(
  manager: EntityManager,
  feedId: number,
  { avatar, platform }: FollowedLink,
  key: unknown,
): Promise<string> {
  const sql = 'select platform, identity from observed_binding where feed_id = $1 and avatar = $2 and platform = $3';
  const known: IdentityName[] = await manager.query(sql, [feedId, avatar, platform]);
  return known.find((one) => identityKeyText(one) === key)?.identity ?? '';
}

/** Deletes a link with an erased text, and all statements about it, in the transaction of `manager`. */
export async function eraseStatements(manager: EntityManager, uuid: string): Promise<void> {
  await manager.query('delete from observed_binding where uuid = $1', [uuid]);
  await manager.query('delete from seen_statement where uuid = $1', [uuid]);
}

/**
 * Stops looking at the bindings that match `condition`. Deletes this server's statements about links that no followed
 * server shows any longer.
 */
export async function forgetBindings(manager: EntityManager, condition: string, values: unknown[]): Promise<void> {
  const sql = `delete from observed_binding where ${condition} returning link_hash`;
  const gone = await changedRows<{ link_hash: string }>(manager, sql, values);
  if (gone.length === 0) return;
  await manager.query(
    `delete from seen_statement as said where link_hash = any($1) and feed_id is not null
       and not exists (select from observed_binding as shown where shown.link_hash = said.link_hash)`,
    [gone.map((row) => row.link_hash)],
  );
}

/** Whether the database can hold the link, whose shape is checked with its chain. */
function isStorableLink(link: FollowedLink): boolean {
  const { platform, identity, uuid, created_at: at, proof_location: place = '', signature_payload: text } = link;
  const texts = [platform, identity, uuid, at, place, text];
  return (
    texts.every((one) => typeof one === 'string' && isStorable(one)) &&
    isUUID(uuid) &&
    Number(at) < 253_402_300_800 && // the year 10000
    identity.length <= MAX_IDENTITY_LENGTH &&
    place.length <= MAX_LOCATION_LENGTH &&
    text.length <= MAX_PAYLOAD_LENGTH
  );
}
