import { Injectable } from '@nestjs/common';
import { InvalidRequestError } from '@signet/look';
import { guardUserUrl } from '@signet/look/internal';
import { isUUID } from 'class-validator';
import { DataSource, type EntityManager } from 'typeorm';
import { PUSH_SERVICES, PUSH_SUBSCRIPTIONS } from '../bounds/bounds.js';
import { RefusalCounter } from '../bounds/refusal-counter.js';
import { isP256Point } from '../crypto/p256.js';
import { countChanged } from '../database/changes.js';
import type { SqlSource } from '../database/sql-source.js';
import { readRows } from '../database/connections/prepared.js';
import { TableColumns } from '../database/table-columns.js';
import { isPast } from '../database/time-sql.js';
import { AvatarKey } from '../domain/avatar-key.js';
import { LimitExceededError, NotFoundError } from '../domain/domain-errors.js';
import { domainOf } from '../outbound/pacing/process-slots.js';
import { DEFAULT_PUSH_LANGUAGE } from './push-message.js';
import { PushSubscription } from './push-subscription.entity.js';

/** Endpoints have a few hundred; the longest are those of Windows. */
const MAX_ENDPOINT_CHARS = 1000;
/** Days after which a subscription goes whose deliveries are given up. */
const FAILING_DAYS = 30;

const TABLE = 'push_subscription';
const COLUMNS = TableColumns.of(PushSubscription).selectedFrom(TABLE);
const FIND = `select ${COLUMNS} from ${TABLE} where id = $1`;
const FIND_BY_NAME = `select ${COLUMNS} from ${TABLE} where avatar = $1 and endpoint = $2`;
const SAVE = `
  insert into ${TABLE} (avatar, endpoint, domain, p256dh, auth, language) values ($1, $2, $3, $4, $5, $6)
  on conflict on constraint push_subscription_name do update set
    p256dh = excluded.p256dh, auth = excluded.auth, language = excluded.language, failing_since = null
  returning ${COLUMNS}`;
/** `$1` to `$3`: Avatar, endpoint, domain. Each is counted up to its bound. */
const COUNT = `
  select
    (select count(*) from (select from ${TABLE} where avatar = $1 and domain = $3 limit ${PUSH_SUBSCRIPTIONS.ofAvatar}) as own)::int as "ofAvatar",
    (select count(*) from (select from ${TABLE} where endpoint = $2 limit ${PUSH_SUBSCRIPTIONS.ofEndpoint}) as own)::int as "ofEndpoint",
    (select count(*) from (select from ${TABLE} where domain = $3 limit ${PUSH_SUBSCRIPTIONS.ofDomain}) as own)::int as "ofDomain",
    (select count(*) from (select from ${TABLE} limit ${PUSH_SUBSCRIPTIONS.inAll}) as own)::int as "inAll"`;
const ARRIVED = `update ${TABLE} set failing_since = null where id = $1 and failing_since is not null`;
const GIVEN_UP = `update ${TABLE} set failing_since = coalesce(failing_since, now()) where id = $1`;
const FAILS_TOO_LONG = `delete from ${TABLE} where id = $1 and ${isPast('failing_since', FAILING_DAYS, '$2')}`;

/** A subscription before its check. */
export interface RequestedPush {
  avatar: string;
  endpoint: string;
  keys: { p256dh: string; auth: string };
  language?: string | undefined;
}

/** A subscription after its check. */
export type CheckedPush = Pick<PushSubscription, 'avatar' | 'endpoint' | 'domain' | 'p256dh' | 'auth' | 'language'>;

@Injectable()
export class PushSubscriptions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly refusals: RefusalCounter,
  ) {}

  /** @throws InvalidRequestError (`invalid_public_key`, `invalid_push_subscription`), which repeats no endpoint */
  check({ avatar, endpoint, keys: { p256dh, auth }, language = DEFAULT_PUSH_LANGUAGE }: RequestedPush): CheckedPush {
    const key = AvatarKey.parse(avatar).compressed;
    const point = bytesOf(p256dh);
    if (point.length !== 65 || point[0] !== 4 || !isP256Point(`0x${point.subarray(1).toString('hex')}`)) {
      throw refused('keys.p256dh is no uncompressed point on P-256 in Base64url');
    }
    if (bytesOf(auth).length !== 16) throw refused('keys.auth is not 16 bytes in Base64url');
    const { href, hostname } = guarded(endpoint);
    return {
      ...{ avatar: key, endpoint: href, domain: domainOf(hostname), language },
      ...{ p256dh: point.toString('base64url'), auth: bytesOf(auth).toString('base64url') },
    };
  }

  /** The subscription of this browser to this Avatar; null where there is none. */
  async find({ avatar, endpoint }: CheckedPush): Promise<PushSubscription | null> {
    const [found] = await this.dataSource.query<PushSubscription[]>(FIND_BY_NAME, [avatar, endpoint]);
    return found ?? null;
  }

  /** @throws LimitExceededError (`too_many_subscriptions`) if there is no room for another one */
  async assertRoom({ avatar, endpoint, domain }: CheckedPush): Promise<void> {
    type Counts = Record<'ofAvatar' | 'ofEndpoint' | 'ofDomain' | 'inAll', number>;
    const [counts] = await this.dataSource.query<[Counts]>(COUNT, [avatar, endpoint, domain]);
    const { hostname } = new URL(endpoint);
    const isKnown = PUSH_SERVICES.some((name) => hostname === name || hostname.endsWith(`.${name}`));
    const limits: [count: number, most: number, of: string][] = [
      [counts.ofAvatar, PUSH_SUBSCRIPTIONS.ofAvatar, 'This Avatar has'],
      [counts.ofEndpoint, PUSH_SUBSCRIPTIONS.ofEndpoint, 'This browser has'],
      [isKnown ? 0 : counts.ofDomain, PUSH_SUBSCRIPTIONS.ofDomain, 'This push service has'],
      [counts.inAll, PUSH_SUBSCRIPTIONS.inAll, 'This server has'],
    ];
    const full = limits.find(([count, most]) => count >= most);
    if (!full) return;
    this.refusals.count('push_subscriptions');
    throw new LimitExceededError(`${full[2]} ${full[1]} subscriptions, which is the limit.`, 'too_many_subscriptions');
  }

  /** Adds a subscription; one that there is keeps its id, and takes over keys and language. */
  async save({ avatar, endpoint, domain, p256dh, auth, language }: CheckedPush): Promise<PushSubscription> {
    const values = [avatar, endpoint, domain, p256dh, auth, language];
    const [saved] = await this.dataSource.query<[PushSubscription]>(SAVE, values);
    return saved;
  }

  /** @throws NotFoundError (`subscription_not_found`) */
  async get(id: string): Promise<PushSubscription> {
    const [found] = isUUID(id) ? await readRows<PushSubscription>(this.dataSource, [TABLE], FIND, [id]) : [];
    if (found) return found;
    throw notFound();
  }

  /** Removes it with what waits for it. @throws NotFoundError (`subscription_not_found`) */
  async remove(id: string): Promise<void> {
    if (!isUUID(id) || !(await removePush(this.dataSource, id))) throw notFound();
  }

  /** Notes that a message has arrived, in the transaction of `manager`. */
  async noteArrival(manager: EntityManager, id: string): Promise<void> {
    await manager.query(ARRIVED, [id]);
  }

  /**
   * Notes that a delivery is given up, in the transaction of `manager`.
   * @returns whether the subscription is removed, because nothing has arrived for a month
   */
  async noteFailure(manager: EntityManager, id: string, now = new Date()): Promise<boolean> {
    await manager.query(GIVEN_UP, [id]);
    return (await countChanged(manager, FAILS_TOO_LONG, [id, now])) > 0;
  }
}

/** Removes a subscription with what waits for it. Returns whether it was there. */
export async function removePush(source: SqlSource, id: string): Promise<boolean> {
  return (await countChanged(source, `delete from ${TABLE} where id = $1`, [id])) > 0;
}

/** @throws InvalidRequestError (`invalid_push_subscription`) */
function guarded(endpoint: string): URL {
  const url = endpoint.length > MAX_ENDPOINT_CHARS ? null : parsed(endpoint);
  // What is no ASCII has more characters in a URL.
  if (url && url.href.length <= MAX_ENDPOINT_CHARS) return url;
  throw refused(`endpoint is longer than ${MAX_ENDPOINT_CHARS} characters`);
}

/** @throws InvalidRequestError (`invalid_push_subscription`) */
function parsed(endpoint: string): URL {
  try {
    const url = guardUserUrl(endpoint);
    url.hash = '';
    return url;
  } catch {
    throw refused('endpoint is no https URL with a public host name and no port of its own');
  }
}

/** The bytes of a text in Base64url, with or without padding; none for other text. */
function bytesOf(text: string): Buffer {
  return /^[A-Za-z0-9_-]{1,200}={0,2}$/.test(text) ? Buffer.from(text, 'base64url') : Buffer.alloc(0);
}

function refused(why: string): InvalidRequestError {
  return new InvalidRequestError(`This cannot be subscribed: ${why}.`, 'invalid_push_subscription');
}

function notFound(): NotFoundError {
  return new NotFoundError('There is no such subscription.', 'subscription_not_found');
}
