import { judgeCheckpoint, readCheckpoint } from '@signet/verify/log';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { encodeBase64 } from '@signet/verify';
import { UpgradeStatus } from '../../database/schema/upgrade-status.js';
import { SingleFlight } from '../../concurrency/single-flight.js';
import { UnavailableError } from '../../domain/domain-errors.js';
import { unixSeconds } from '../../domain/unix-time.js';
import { RecordKinds } from '../../ledger/record-kind.js';
import { type GaugeSource, Measured, type Readings } from '../../measures/measured.js';
import { LogIdentities } from '../signing/heads/log-identity.js';
import { LogStatus } from '../signing/heads/log-status.js';
import type { LogSnapshot } from '../signing/heads/log-snapshot.js';
import { LogStore } from '../signing/heads/log-store.js';
import { LogPolicy } from '../signing/witnesses/log-policy.js';
import type { LogDto, LogHeadDto, LogWitnessDto } from './log.dto.js';
import { PublishedCheckpoint, type PublishedHeads } from './published-checkpoint.js';
import type { SignedHead } from '../signing/heads/signed-head.js';
import { WitnessStore } from '../signing/witnesses/witness-store.js';

const GAUGES = {
  signet_log_size: ['Entries of the newest tree head of the log'],
  signet_log_waiting: ['Records that are not in the log'],
  signet_log_checkpoint_age_seconds: ['Seconds since the log signed its newest tree head'],
  signet_log_refused: ['Whether this server refuses to sign tree heads'],
  signet_log_head_unsaved: ['Whether this server cannot keep the newest tree head outside of the database'],
  signet_log_cosigned_size: ['Entries of the newest tree head that meets the policy'],
  signet_log_witness_lag: ['Entries that a witness has not signed', 'witness'],
  signet_log_witness_age_seconds: ['Seconds since a witness signed', 'witness'],
} as const;
const NO_READINGS = Object.fromEntries(Object.keys(GAUGES).map((name) => [name, null])) as Readings<typeof GAUGES>;

/** The answer of `GET /v1/log`, and the metrics of the log. */
@Injectable()
@Measured()
export class LogReport implements GaugeSource<typeof GAUGES> {
  readonly gauges = GAUGES;
  private readonly looks = new SingleFlight<LogSnapshot>();

  constructor(
    private readonly identities: LogIdentities,
    private readonly published: PublishedCheckpoint,
    private readonly store: LogStore,
    private readonly status: LogStatus,
    private readonly policy: LogPolicy,
    private readonly witnessStore: WitnessStore,
    private readonly kinds: RecordKinds,
    private readonly upgrade: UpgradeStatus,
    private readonly dataSource: DataSource,
  ) {}

  async read(): Promise<LogDto> {
    const { origin, verifierKey } = await this.identities.current();
    const { newest: head, cosigned } = await this.shown();
    const waiting = await this.waiting();
    return {
      origin,
      verifier_key: verifierKey,
      // What another server has signed a moment ago this one may not have looked at.
      state: this.status.condition === 'catching_up' && head ? 'ok' : this.status.condition,
      problem: this.status.problem,
      head_problem: this.status.headProblem,
      ...(head ? toHead(head) : { size: 0, root: '', signed_at: 0 }),
      waiting,
      policy_met: this.isPolicyMet(head),
      cosigned: cosigned && toHead(cosigned),
      witnesses: await this.witnesses(origin, head?.size ?? 0),
      ended: await this.store.ended(),
    };
  }

  /** The published heads; none if the log contradicts itself, when the report holds only the reason. */
  private async shown(): Promise<PublishedHeads> {
    return this.published.both().catch((error: unknown) => {
      if (error instanceof UnavailableError) return { newest: null, cosigned: null };
      throw error;
    });
  }

  private isPolicyMet(head: SignedHead | null): boolean | null {
    const { policy } = this.policy;
    const checkpoint = head && readCheckpoint(head.note);
    if (policy === null) return null;
    return checkpoint !== null && judgeCheckpoint(checkpoint, policy).isQuorumMet;
  }

  private async witnesses(origin: string, size: number): Promise<LogWitnessDto[]> {
    if (this.policy.witnesses.length === 0) return [];
    const states = new Map((await this.witnessStore.states(origin)).map((state) => [state.verifierKey, state]));
    return this.policy.witnesses.map(({ key, verifierKey }) => {
      const state = states.get(verifierKey);
      return {
        name: key.name,
        verifier_key: verifierKey,
        size: state?.size ?? 0,
        cosigned_at: state?.cosignedAt ? unixSeconds(state.cosignedAt) : 0,
        lag: Math.max(0, size - (state?.size ?? 0)),
        problem: state?.problem ?? '',
      };
    });
  }

  /** Records that are not in the tree. Those of a feed without its indexes cannot be counted in time. */
  private async waiting(): Promise<number> {
    if (await this.isReadable()) return (await this.snapshot()).waiting;
    const readable = this.kinds.all.filter(({ upgradeSteps }) => upgradeSteps.length === 0);
    const newest = await Promise.all(readable.map(({ feed }) => feed.newestNumber(this.dataSource)));
    return newest.reduce((sum, id) => sum + id, 0);
  }

  /** Whether an upgrade has built all indexes that the log needs. */
  private isReadable(): Promise<boolean> {
    return this.upgrade.areDone(this.kinds.upgradeSteps);
  }

  /** Callers share a look, so that they use one connection to the database however many they are. */
  private snapshot(): Promise<LogSnapshot> {
    return this.looks.follow(() => this.store.snapshot());
  }

  /** Reads nothing while an upgrade builds the indexes that this needs. */
  async readGauges(): Promise<Readings<typeof GAUGES>> {
    if (!(await this.isReadable())) return NO_READINGS;
    const { origin } = await this.identities.current();
    const { head, headAgeMs, waiting } = await this.snapshot();
    const size = head?.size ?? 0;
    const { cosigned } = await this.shown();
    const witnesses = await this.witnesses(origin, size);
    const now = Date.now() / 1000;
    return {
      signet_log_size: size,
      signet_log_waiting: waiting,
      signet_log_checkpoint_age_seconds: head ? headAgeMs / 1000 : null,
      signet_log_refused: Number(this.status.condition === 'refused'),
      signet_log_head_unsaved: Number(this.status.headProblem !== ''),
      signet_log_cosigned_size: this.policy.asksForCosignatures ? (cosigned?.size ?? 0) : null,
      signet_log_witness_lag: witnesses.map(({ name, lag }) => [{ witness: name }, lag]),
      signet_log_witness_age_seconds: witnesses
        .filter(({ cosigned_at: at }) => at > 0)
        .map(({ name, cosigned_at: at }) => [{ witness: name }, Math.max(0, now - at)]),
    };
  }
}

function toHead({ size, root, signedAt }: SignedHead): LogHeadDto {
  return { size, root: encodeBase64(root), signed_at: unixSeconds(signedAt) };
}
