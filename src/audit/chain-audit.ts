import { type Erasure, firstFailure, type Verification } from '@signet/verify';
import type { BindingEvent } from '../domain/domain-events.js';
import { type ChainPosition, type ChainVisitor, walkChains } from './chain-walk.js';

/** Reads rows, all in one transaction. */
export type AuditQuery = <Row>(sql: string, values?: unknown[]) => Promise<Row[]>;

/** A signed row of a chain (a link or a patch), with the members that the rules check. */
export interface SignedRow extends ChainPosition {
  id: number;
  platform: string;
  identity: string;
  uuid: string;
  /** Base64. */
  signature: string;
  /** The exact text that was signed. */
  signature_payload: string;
  /** Only where the texts were erased. */
  erased?: Erasure;
  /** Whether there is an erasure of this row, which the log takes in. */
  isErasureKnown: boolean;
}

/** The check of one chain, and of the bindings or entries that follow from it. */
export interface AuditedChain<Row extends SignedRow, Derived extends BindingEvent> {
  /** Checks the next row by the rules of its kind. @throws AuditFinding */
  add(row: Row, previous: Row | null): Verification;
  /** Compares a row that the whole chain should have led to. @throws AuditFinding */
  compare(derived: Derived): void;
  /** @throws AuditFinding if `compare` was not called for all that the chain leads to */
  assertAllCompared(): void;
}

/** One kind of signed chains: how its rows are read and checked, and its words for messages. */
export interface AuditedKind<Row extends SignedRow, Derived extends BindingEvent> {
  title: string;
  /** Of one row, as a sentence begins with it. */
  word: 'Link' | 'Patch';
  rows: string;
  derivedRows: string;
  /** Selects some rows behind the position of Avatar `$1` and number `$2`, ordered by both. */
  rowsSql: string;
  /** Selects the rows that follow from the chains of the Avatars `$1`. */
  derivedSql: string;
  newChain(avatar: string): AuditedChain<Row, Derived>;
  /** Checks what needs all chains of this many rows. @throws AuditFinding */
  conclude(query: AuditQuery, rows: number): Promise<void>;
}

/** The columns of a `SignedRow`. @param number its number in its feed, an SQL expression */
export function signedColumns(kind: 'link' | 'kv', number: string): string {
  return `id, avatar, position_in_chain as position, platform, identity, uuid::text as uuid, signature, signature_payload,
    erased, exists (select from erasure where kind = '${kind}' and record_id = ${number}) as "isErasureKnown"`;
}

/** The audit found stored data that is wrong. The message is one sentence for people. */
export class AuditFinding extends Error {}

/** A link or patch is not as it was signed, or what follows from it is missing. The message names the row. */
export class BadRow extends AuditFinding {
  constructor(word: 'Link' | 'Patch', { id, avatar, position }: SignedRow, what: string) {
    super(`${word} ${id} (Avatar ${avatar}, position ${position}): ${what}.`);
  }
}

/** Checks all chains of one kind against their signatures, and the rows that follow from them against the chains. */
export class ChainAudit<Row extends SignedRow, Derived extends BindingEvent> implements ChainVisitor<Row> {
  private readonly counts = { rows: 0, chains: 0, derived: 0, erased: 0, contractWallets: 0, wrongTimes: 0 };
  /** The chains that are not finished, by Avatar. */
  private readonly open = new Map<string, AuditedChain<Row, Derived>>();

  constructor(
    private readonly query: AuditQuery,
    private readonly kind: AuditedKind<Row, Derived>,
  ) {}

  /** @throws AuditFinding */
  async run(): Promise<void> {
    await walkChains((after) => this.read(after), this);
    await this.kind.conclude(this.query, this.counts.rows);
  }

  /** What was checked so far, as part of a sentence. */
  get totals(): string {
    const { rows, chains, derived, erased, contractWallets, wrongTimes } = this.counts;
    const gone = erased > 0 ? `, ${erased} texts erased` : '';
    const late =
      wrongTimes > 0 ? ` (${wrongTimes} times are wrong: the clock of a server was, when they were made)` : '';
    const doubt = contractWallets > 0 ? ` (${contractWallets} signatures of contract wallets not asked)` : '';
    return `${rows} ${this.kind.rows} in ${chains} chains, ${derived} ${this.kind.derivedRows}${gone}${doubt}${late}`;
  }

  /** @throws AuditFinding */
  visit(row: Row, previous: Row | null): void {
    const expected = (previous?.position ?? 0) + 1;
    if (row.position !== expected) throw this.badRow(row, `the chain has nothing at position ${expected}`);
    const chain = this.open.get(row.avatar) ?? this.kind.newChain(row.avatar);
    this.open.set(row.avatar, chain);
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
    for (const row of await this.query<Derived>(this.kind.derivedSql, [avatars])) {
      this.open.get(row.avatar)!.compare(row);
      this.counts.derived += 1;
    }
    for (const avatar of avatars) {
      this.open.get(avatar)!.assertAllCompared();
      this.open.delete(avatar);
    }
    this.counts.chains += avatars.length;
  }

  private async read({ avatar, position }: ChainPosition): Promise<Row[]> {
    type Stored = Omit<Row, 'erased'> & { erased: Erasure | null };
    const rows = await this.query<Stored>(this.kind.rowsSql, [avatar, position]);
    return rows.map(({ erased, ...row }) => ({ ...row, ...(erased && { erased }) }) as unknown as Row);
  }

  private badRow(row: Row, what: string): BadRow {
    return new BadRow(this.kind.word, row, what);
  }
}
