import { isQuorumMet } from '@signet/verify/internal/log';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { changedRows } from '../../../database/changes.js';
import { hasCome } from '../../../database/time-sql.js';
import { LogRefusedError } from '../heads/log-errors.js';
import { LogPolicy, type LogWitness } from './log-policy.js';

/** What is known of a witness. */
export interface WitnessState {
  verifierKey: string;
  /** Entries of the tree that it signed last, as far as is known. */
  size: number;
  /** Null if it never signed. */
  cosignedAt: Date | null;
  /** What went wrong with the last request; empty if nothing did. */
  problem: string;
  /** Entries that it says it has signed, where the log has fewer; null if it claims none. */
  claimedSize: number | null;
}

const COLUMNS =
  'verifier_key as "verifierKey", size, cosigned_at as "cosignedAt", problem, claimed_size as "claimedSize"';

const CLAIM = `
  update log_witness set next_at = clock_timestamp() + $3::float8 * interval '1 second'
  where origin = $1 and verifier_key = any($2::text[]) and (${hasCome('next_at', '1000 * $3::float8', 'clock_timestamp()')} or $4)
  returning ${COLUMNS}`;

const ADD_LINE = `
  insert into log_cosignature (size, witness, key_id, line, cosigned_at) values ($1, $2, $3, $4, $5)
  on conflict (size, witness, key_id) do update set line = excluded.line, cosigned_at = excluded.cosigned_at`;

/** What all servers know together of the witnesses of their log. */
@Injectable()
export class WitnessStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly policy: LogPolicy,
  ) {}

  /**
   * The witnesses of the policy that are due, each for one server only until the interval is over; all of them with
   * `isForced`.
   * @param seconds until they are due again
   */
  async claim(origin: string, seconds: number, isForced: boolean): Promise<WitnessState[]> {
    const keys = this.policy.witnesses.map(({ verifierKey }) => verifierKey);
    const add = 'insert into log_witness (origin, verifier_key) select $1, unnest($2::text[]) on conflict do nothing';
    await this.dataSource.query(add, [origin, keys]);
    return changedRows(this.dataSource, CLAIM, [origin, keys, seconds, isForced]);
  }

  async states(origin: string, manager: EntityManager = this.dataSource.manager): Promise<WitnessState[]> {
    return manager.query(`select ${COLUMNS} from log_witness where origin = $1`, [origin]);
  }

  /** A witness has signed the tree head of `size` entries; `line` is without its line break. */
  async addCosignature(origin: string, { key, verifierKey }: LogWitness, size: number, line: string, at: Date) {
    await this.dataSource.transaction(async (manager) => {
      await manager.query(ADD_LINE, [size, key.name, key.id, line, at]);
      await manager.query(
        `update log_witness set size = $3, cosigned_at = $4, problem = '', claimed_size = null
         where origin = $1 and verifier_key = $2`,
        [origin, verifierKey, size, at],
      );
    });
  }

  /** A request was not answered with a cosignature. */
  async addProblem(origin: string, { verifierKey }: LogWitness, problem: string): Promise<void> {
    const sql = 'update log_witness set problem = $3 where origin = $1 and verifier_key = $2';
    await this.dataSource.query(sql, [origin, verifierKey, problem]);
  }

  /** A witness says that it has signed more entries than the log has; null: it says so no longer. */
  async setClaim(origin: string, { verifierKey }: LogWitness, size: number | null): Promise<void> {
    await this.dataSource.query(
      'update log_witness set claimed_size = $3 where origin = $1 and verifier_key = $2 and claimed_size is distinct from $3',
      [origin, verifierKey, size],
    );
  }

  /**
   * Refuses while witnesses of the policy say that they have signed more entries than the log has, and show no
   * checkpoint that proves it, if the others could not meet the quorum: the database may be older than what was shown.
   * Where the others could, no tree head that met the policy is missing, so that one witness cannot stop a log by a
   * number. A claim ends when the witness signs again, or is taken out of LOG_POLICY.
   * @throws LogRefusedError that is not final
   */
  async assertNoClaim(origin: string, manager?: EntityManager): Promise<void> {
    const { policy, witnesses } = this.policy;
    if (policy === null || witnesses.length === 0) return;
    const claims = new Map<string, number>();
    for (const { verifierKey, claimedSize } of await this.states(origin, manager)) {
      const witness = witnesses.find((one) => one.verifierKey === verifierKey);
      if (witness && claimedSize !== null) claims.set(witness.name, claimedSize);
    }
    const others = witnesses.map(({ name }) => name).filter((name) => !claims.has(name));
    if (claims.size === 0 || isQuorumMet(policy, new Set(others))) return;
    const names = [...claims].map(([name, size]) => `${name} (${size} entries)`).join(', ');
    throw new LogRefusedError(
      `Witnesses say that they have signed more of this log than it has, and show no checkpoint of that: ${names}. ` +
        'If this database was restored from a copy, begin a new log: npm run log -- new-origin "<reason>". ' +
        'If they are wrong, take them out of LOG_POLICY; signing goes on by itself too when they sign again.',
      false,
    );
  }
}
