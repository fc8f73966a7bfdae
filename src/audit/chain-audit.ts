import { type Erasure, firstFailure, type PatchSigners } from '@signet/verify';
import type { BindingEvent } from '../domain/domain-events.js';
import {
  type AuditedChain,
  type AuditQuery,
  BadRow,
  type ChainPosition,
  type SignedRow,
} from '../ledger/audited-kind.js';
import type { RecordKind } from '../ledger/record-kind.js';
import { type ChainVisitor, walkChains } from './chain-walk.js';

/** The columns of a `SignedRow`. Kinds whose texts cannot be erased are about no identity. */
function signedColumns({ name, erasure, feed: { table, number } }: RecordKind): string {
  if (!erasure) {
    return `id, avatar, position_in_chain as position, '' as platform, '' as identity, uuid::text as uuid, signature, signature_payload,
      null as erased, false as "isErasureKnown"`;
  }
  return `id, avatar, position_in_chain as position, platform, identity, uuid::text as uuid, signature, signature_payload,
    erased, exists (select from erasure where kind = '${name}' and record_id = ${table}.${number}) as "isErasureKnown"`;
}

/** Checks all chains of one kind against their signatures, and the rows that follow from them against the chains. */
export class ChainAudit implements ChainVisitor<SignedRow> {
  private readonly counts = { rows: 0, chains: 0, derived: 0, erased: 0, contractWallets: 0, wrongTimes: 0 };
  /** The chains that are not finished, by Avatar. */
  private readonly open = new Map<string, AuditedChain<SignedRow, BindingEvent>>();

  /** The keys of apps of these Avatars, once a row needs them. */
  private readonly signers = new Map<string, PatchSigners>();

  constructor(
    private readonly query: AuditQuery,
    private readonly kind: RecordKind,
    private readonly kinds: Iterable<RecordKind>,
  ) {}

  /** @throws AuditFinding */
  async run(): Promise<void> {
    await walkChains((after) => this.read(after), this);
    await this.kind.audit.conclude(this.query, this.counts.rows);
  }

  /** What was checked so far, as part of a sentence. */
  get totals(): string {
    const { rows, chains, derived, erased, contractWallets, wrongTimes } = this.counts;
    const gone = erased > 0 ? `, ${erased} texts erased` : '';
    const late =
      wrongTimes > 0 ? ` (${wrongTimes} times are wrong: the clock of a server was, when they were made)` : '';
    const doubt = contractWallets > 0 ? ` (${contractWallets} signatures of contract wallets not asked)` : '';
    return `${rows} ${this.kind.audit.rows} in ${chains} chains, ${derived} ${this.kind.audit.derivedRows}${gone}${doubt}${late}`;
  }

  /** @throws AuditFinding */
  async visit(row: SignedRow, previous: SignedRow | null): Promise<void> {
    const expected = (previous?.position ?? 0) + 1;
    if (row.position !== expected) throw this.badRow(row, `the chain has nothing at position ${expected}`);
    if (row.appSigner) await this.readSigners(row.avatar);
    const chain = this.open.get(row.avatar) ?? this.newChain(row.avatar);
    const result = chain.add(row, previous);
    const failure = firstFailure(result);
    if (failure) throw this.badRow(row, failure.detail.charAt(0).toLowerCase() + failure.detail.slice(1, -1));
    if (row.erased && !row.isErasureKnown) throw this.badRow(row, 'its text is gone, and no erasure says so');
    if (!row.erased && row.isErasureKnown) {
      throw this.badRow(row, 'its text is there, and an erasure says that it is gone');
    }
    this.counts.rows += 1;
    if (row.erased) this.counts.erased += 1;
    // Only a node of its chain could check it. The text of a post is evidence, which only the platform could repeat.
    const isOpen = (step: string) => result.steps.some(({ name, state }) => name === step && state === 'not_checkable');
    if (isOpen('wallet_signature')) this.counts.contractWallets += 1;
    if (isOpen('time')) this.counts.wrongTimes += 1;
  }

  /** @throws AuditFinding */
  async finish(avatars: string[]): Promise<void> {
    for (const row of await this.query<BindingEvent>(this.kind.audit.derivedSql, [avatars])) {
      this.open.get(row.avatar)!.compare(row);
      this.counts.derived += 1;
    }
    for (const avatar of avatars) {
      this.open.get(avatar)!.assertAllCompared();
      this.open.delete(avatar);
      this.signers.delete(avatar);
    }
    this.counts.chains += avatars.length;
  }

  private newChain(avatar: string): AuditedChain<SignedRow, BindingEvent> {
    const chain = this.kind.audit.newChain(avatar, {
      check: (patch, before) => this.signers.get(avatar)!.check(patch, before),
    });
    this.open.set(avatar, chain);
    return chain;
  }

  private async readSigners(avatar: string): Promise<void> {
    if (this.signers.has(avatar)) return;
    const { audit } = [...this.kinds].find(({ audit: { signersOf } }) => signersOf !== undefined)!;
    this.signers.set(avatar, await audit.signersOf!(this.query, avatar));
  }

  private async read({ avatar, position }: ChainPosition): Promise<SignedRow[]> {
    type Stored = Omit<SignedRow, 'erased'> & { erased: Erasure | null };
    const rows = await this.query<Stored>(this.kind.audit.rowsSql(signedColumns(this.kind)), [avatar, position]);
    return rows.map(({ erased, ...row }) => ({ ...row, ...(erased && { erased }) }));
  }

  private badRow(row: SignedRow, what: string): BadRow {
    return new BadRow(this.kind.audit.word, row, what);
  }
}
