import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Environment } from '../../config/environment.js';
import { isWhole, lacksRecords } from '../tree/tree-state.js';
import { HeadStore } from './heads/head-store.js';
import { LogRefusedError } from './heads/log-errors.js';
import { LogHeads } from './heads/log-heads.js';
import { LogIdentities, type LogIdentity } from './heads/log-identity.js';
import type { LogSnapshot, LogState } from './heads/log-snapshot.js';
import { LogStatus } from './heads/log-status.js';
import { LogStore } from './heads/log-store.js';
import type { Head, SignedHead } from './heads/signed-head.js';
import { WitnessRounds } from './witnesses/witness-rounds.js';
import { WitnessStore } from './witnesses/witness-store.js';

const NOT_WHOLE =
  'The rows of log_feed are not those of log_state: one of these tables was put back without the other. ' +
  'Put both back as they were, or begin a new log: npm run log -- new-origin "<reason>".';

/**
 * Signs the tree heads of the log, and nothing that could contradict what was signed before: by what the database says,
 * by what this server remembers, and by what witnesses say.
 */
@Injectable()
export class LogSigner {
  private readonly logger = new Logger('Log');
  private loggedRefusal = '';

  constructor(
    private readonly environment: Environment,
    private readonly identities: LogIdentities,
    private readonly store: LogStore,
    private readonly heads: LogHeads,
    private readonly signed: HeadStore,
    private readonly witnesses: WitnessRounds,
    private readonly witnessStore: WitnessStore,
    private readonly status: LogStatus,
  ) {}

  /**
   * Looks at the log, and at what speaks against signing it.
   * @throws LogRefusedError if something does
   */
  async look(): Promise<{ identity: LogIdentity; snapshot: LogSnapshot }> {
    const identity = await this.identities.current();
    await this.heads.open(identity.origin);
    const seen = this.heads.remembered;
    const snapshot = await this.store.snapshot();
    const { state, head, change, askedAtMs } = snapshot;
    this.status.found(head);
    // The key may have been replaced while this server runs.
    const isOther = state?.verifierKey !== identity.verifierKey;
    if (isOther && (await this.identities.reload()).verifierKey !== identity.verifierKey) return this.look();
    // What witnesses remember is looked at before this server signs anything. A key that this database has just made
    // has signed nothing, so a new log need not wait for witnesses that are silent.
    const isKeyGiven = this.environment.LOG_KEY !== undefined;
    await this.witnesses.recall(identity.origin, state === null && !isKeyGiven);
    if (state === null && isKeyGiven && seen === null) throw new LogRefusedError(unknownPast(identity.origin), false);
    if (head && !isOther) await this.heads.accept({ head, change, askedAtMs }, seen);
    // What ended the signing for good is reported before what a witness only claims.
    if (!state?.refusal) await this.witnessStore.assertNoClaim(identity.origin);
    await this.heads.keepAgain();
    this.status.look(identity, snapshot);
    return { identity, snapshot };
  }

  /** Whether a batch has to find out how things stand, also where nothing waits. */
  isInDoubt(snapshot: LogSnapshot): boolean {
    const { state, head, isPlaceRecorded } = snapshot;
    const isBroken = state !== null && (lacksRecords(state, snapshot) || !isWhole(state));
    return this.status.condition === 'refused' || this.heads.contradicts(head) || isBroken || !isPlaceRecorded;
  }

  /**
   * Checks, in the transaction of `manager`, that the tree may be signed.
   * @throws LogRefusedError
   */
  async assertMaySign(
    manager: EntityManager,
    { origin, verifierKey }: LogIdentity,
    state: LogState,
    snapshot: LogSnapshot,
  ): Promise<void> {
    if (state.refusal !== '') throw new LogRefusedError(state.refusal, false);
    if (state.origin !== origin || state.verifierKey !== verifierKey) {
      throw new LogRefusedError(
        `The tree in the database is signed as ${state.verifierKey}, and this server would sign as ${verifierKey}: ` +
          'set LOG_KEY and LOG_ORIGIN as they were, or begin a new origin.',
        false,
      );
    }
    if (lacksRecords(state, snapshot)) {
      throw new LogRefusedError('Records or erasures that are in the log are no longer in the database.', true);
    }
    if (!isWhole(state)) throw new LogRefusedError(NOT_WHOLE, false);
    await this.heads.assertUnbroken(snapshot, manager);
    await this.witnessStore.assertNoClaim(origin, manager);
  }

  /**
   * Signs a tree head behind `assertMaySign`, and stores it in the transaction of `manager`.
   * @param mapTop the number of the highest tile of the map that it ends with
   */
  async sign(manager: EntityManager, identity: LogIdentity, head: Head, mapTop: number): Promise<SignedHead> {
    this.heads.willSign(head);
    return this.signed.add(manager, { ...head, note: identity.sign(head) }, mapTop);
  }

  /** Remembers what a batch has signed, behind its commit; null if that was nothing. */
  async settle(head: SignedHead | null): Promise<void> {
    this.loggedRefusal = '';
    await this.store.settlePlace();
    if (head) await this.heads.remember(head);
  }

  /** Says that nothing is signed any more, to all servers where that is final. */
  async refuse({ message, isFinal }: Pick<LogRefusedError, 'message' | 'isFinal'>): Promise<void> {
    this.status.refuse(message);
    if (this.loggedRefusal !== message) {
      this.logger.error(`The log signs nothing more: ${message} See docs/log.md, "What to do on an alarm".`);
    }
    this.loggedRefusal = message;
    if (isFinal) await this.store.refuse(message);
  }
}

/** Why a key that the settings give signs nothing in a database without a log. */
function unknownPast(origin: string): string {
  return (
    `This database has no log, and LOG_KEY may have signed the log ${origin} in another one. ` +
    'If that was so, put that database back, or name another LOG_ORIGIN. ' +
    'Then, or if LOG_KEY never signed a log of this name, begin it: npm run log -- new-origin "<reason>".'
  );
}
