import { KeyChainChecker } from '@signet/verify/internal/key-events';
import { type KeyState, NO_KEY_EVENTS, patchSignersOf } from '@signet/verify/key-events';
import { serviceCurves } from '../crypto/ecdsa.js';
import type { BindingEvent } from '../domain/domain-events.js';
import { type AuditedKind, AuditFinding, type SignedRow } from '../ledger/audited-kind.js';
import { HOLDS_TABLE } from '../holds/avatar-holds.js';
import { DEADLINES_TABLE } from './due/key-deadlines.js';
import { appKeysText, appKeysTextSql } from './app-key-rows.js';
import { holdOf, type HoldRow } from './key-holds.js';
import { auditHolds, keyEventsOf } from './judging/held-audit.js';
import { auditOwnersContent } from './judging/owners-content-audit.js';
import { KEY_COLUMNS, KEYS_TABLE, type StoredKeyEvent, toSignedKeyEvent } from './key-rows.js';

type KeyRow = SignedRow & StoredKeyEvent;

type HeldRow = BindingEvent &
  HoldRow & {
    /** The keys of apps, as `appKeysText` writes them. */
    appKeys: string;
  };

const BATCH = 500;
const STRAY_HOLD = `
  select avatar from ${HOLDS_TABLE} hold
  where not exists (select from ${KEYS_TABLE} event where event.avatar = hold.avatar) limit 1`;
/** Time is settled up to an event, or up to a deadline that is over. */
const UNTRUE_TIME = `
  select avatar from ${HOLDS_TABLE} hold
  where not exists (
    select from ${KEYS_TABLE} event where event.avatar = hold.avatar and settled_until in (recorded_at, due_at)
  ) limit 1`;
const TIME_AHEAD = `
  select avatar, settled_until as until from ${HOLDS_TABLE} hold
  where settled_until > clock_timestamp() + interval '4 minutes' limit 1`;
const NO_DEADLINE = `
  select uuid from ${KEYS_TABLE} event
  where due_at > recorded_at and due_at > clock_timestamp()
    and not exists (select from ${DEADLINES_TABLE} deadline where deadline.id = event.id and deadline.due_at = event.due_at)
  limit 1`;

/** Every key event is checked by the rules, and what stops writes against the state that follows. */
export const KEY_AUDIT: AuditedKind<KeyRow, HeldRow> = {
  title: 'Keys',
  word: 'Key event',
  rows: 'key events',
  derivedRows: 'states',
  rowsSql: (signed) => `
    select ${signed}, ${KEY_COLUMNS.without('id', 'avatar', 'uuid', 'signature').selectedFrom(KEYS_TABLE)}
    from ${KEYS_TABLE} where (avatar, position_in_chain) > ($1, $2) order by avatar, position_in_chain limit ${BATCH}`,
  derivedSql: `
    select avatar, '' as platform, '' as identity, frozen_until as "frozenUntil", succeeded_from as "succeededFrom",
      successor, succession, (select uuid from chain_link where id = since_link) as "sinceLink",
      (select uuid from kv_patch patch where patch.avatar = hold.avatar and position_in_chain = since_patch) as "sincePatch",
      ${appKeysTextSql('hold')} as "appKeys"
    from ${HOLDS_TABLE} hold where avatar = any($1::text[])`,

  newChain(avatar) {
    const checker = new KeyChainChecker(serviceCurves, avatar);
    let compared: KeyState | null = null;
    return {
      add: (row) => checker.add(toSignedKeyEvent(row)),
      compare(hold) {
        compared = checker.state;
        if (hold.appKeys !== appKeysText(compared)) {
          throw new AuditFinding(`The keys of apps of ${avatar} are not what its key events say.`);
        }
        if (textOf(hold) === textOf(holdOf(compared))) return;
        throw new AuditFinding(`What stops the writes of ${avatar} is not what its key events say.`);
      },
      assertAllCompared() {
        if (compared === null && checker.state !== NO_KEY_EVENTS) {
          throw new AuditFinding(`What stops the writes of ${avatar} is missing.`);
        }
      },
    };
  },

  async signersOf(query, avatar) {
    return patchSignersOf(await keyEventsOf(query, avatar), { avatar, curves: serviceCurves });
  },

  async conclude(query) {
    const [stray] = await query<{ avatar: string }>(STRAY_HOLD);
    if (stray) throw new AuditFinding(`The writes of ${stray.avatar} are stopped, and it has no key events.`);
    const [untrue] = await query<{ avatar: string }>(UNTRUE_TIME);
    if (untrue) throw new AuditFinding(`The keys of ${untrue.avatar} are settled up to a time that no key event has.`);
    const [ahead] = await query<{ avatar: string; until: Date }>(TIME_AHEAD);
    if (ahead) {
      throw new AuditFinding(
        `The keys of ${ahead.avatar} are settled up to ${ahead.until.toISOString()}, which lies ahead: ` +
          'the clock of the database was wrong when they were, or is now, or the row was changed.',
      );
    }
    const [forgotten] = await query<{ uuid: string }>(NO_DEADLINE);
    if (forgotten)
      throw new AuditFinding(`What key event ${forgotten.uuid} does when it is due would not be announced.`);
    await auditHolds(query);
    await auditOwnersContent(query);
  },
};

function textOf(hold: HoldRow): string {
  const { frozenUntil, succeededFrom, successor, succession, sinceLink, sincePatch } = hold;
  const times = [frozenUntil?.getTime(), succeededFrom?.getTime()];
  return [...times, successor, succession, sinceLink, sincePatch].join();
}
