import { Injectable } from '@nestjs/common';
import { InvalidRequestError, InvalidSignatureError } from '@signet/look';
import { canonicalJson } from '@signet/verify';
import { problemOfAppSignature, problemOfStatement } from '@signet/verify/internal/key-events';
import {
  type AddFields,
  KEY_RULES,
  type KeyFact,
  keyEventPayload,
  type KeyStatement,
  keyStateAt,
} from '@signet/verify/key-events';
import { DataSource } from 'typeorm';
import { readRows } from '../database/connections/prepared.js';
import { serviceCurves } from '../crypto/ecdsa.js';
import { AvatarKey } from '../domain/avatar-key.js';
import { fromUnixSeconds, unixSeconds } from '../domain/unix-time.js';
import { signerOf } from '../ledger/avatar-signature.js';
import { HOLDS_TABLE, isSucceeded, nowFor } from '../holds/avatar-holds.js';
import { PayloadSeal, type SealedFields } from '../ledger/payload.seal.js';
import { KvFeed } from '../kv/kv-feed.js';
import { KvIdentity } from '../kv/kv-identity.js';
import { ProofChainService } from '../proof-chain/proof-chain.service.js';
import { type AvatarKeys, KeyChain } from './key-chain.js';
import { judgeKeyEvent } from './judging/key-judgement.js';
import { KeyRecorder, type NewKeyEvent } from './key-recorder.js';
import { ContentMovedError, OwnersContentReader } from './judging/owners-content.js';
import { KEY_FACTS, type KeyFactRow, KEYS_TABLE, type StoredKeyEvent, toKeyFact } from './key-rows.js';
import type { KeyPayloadRequestDto, KeyPayloadResponseDto, KeySubmitRequestDto } from './answers/key-events.dto.js';

/** Avatars that are named which this one succeeded; there may be more. */
const MAX_PREDECESSORS = 20;

/** How often a succession is tried while content changes: each change has to name an entry that no other had. */
const MOST_TRIES = 20;

const PREDECESSORS = `
  select avatar from ${HOLDS_TABLE} hold where successor = $1 and ${isSucceeded('hold')}
  order by succeeded_from, avatar limit ${MAX_PREDECESSORS}`;

/** The facts of an Avatar, oldest first, with the time: one row without a fact where there is none. */
const STATE = `
  select extract(epoch from ${nowFor('hold')})::float8 as now, ${KEY_FACTS.selectedFrom('event')}
  from (select $1::text as avatar) as asked
  left join ${HOLDS_TABLE} hold using (avatar) left join ${KEYS_TABLE} event using (avatar)
  order by event.position_in_chain`;

type StateRow = { now: number } & (KeyFactRow | { uuid: null });

/** The two steps of a key event, and the state that follows from all of them (docs/keys.md). */
@Injectable()
export class KeysService {
  constructor(
    private readonly source: DataSource,
    private readonly chain: KeyChain,
    private readonly links: ProofChainService,
    private readonly patches: KvFeed,
    private readonly identities: KvIdentity,
    private readonly seal: PayloadSeal,
    private readonly recorder: KeyRecorder,
    private readonly content: OwnersContentReader,
  ) {}

  /**
   * Step 1: the text that all keys sign. Nothing is stored.
   * @throws InvalidRequestError for an unusable key, action or field
   */
  async prepare({ avatar: key, action, fields }: KeyPayloadRequestDto, now: Date): Promise<KeyPayloadResponseDto> {
    const avatar = AvatarKey.parse(key);
    const said = this.canonical(avatar, statementOf(action, await this.completed(avatar, action, fields ?? {}, now)));
    const head = await this.chain.items.head(avatar);
    const { uuid, createdAt } = this.seal.issue(sealedFields(avatar, said), head, now);
    const created_at = unixSeconds(createdAt);
    const text = { ...said, avatar: avatar.compressed, created_at, prev: head?.signature ?? null, uuid };
    return { uuid, created_at, fields: said.fields, sign_payload: keyEventPayload(text) };
  }

  /**
   * Step 2: checks everything in the order of docs/design/decisions.md 3, and records the event with what follows from
   * it in one transaction.
   * @throws what `prepare` throws; AlreadyRecordedError, StaleChainError, PayloadMismatchError, PayloadExpiredError,
   *   InvalidSignatureError; ProofRejectedError with a reason of the rules; UnavailableError (`clock_untrue`)
   */
  async submit(request: KeySubmitRequestDto, now: Date): Promise<StoredKeyEvent> {
    const { uuid, signature, cosignature = null, successor_signature: successorSignature = null } = request;
    const avatar = AvatarKey.parse(request.avatar);
    const said = statementOf(request.action, request.fields ?? {});
    const heads = await this.chain.items.headsBefore(avatar, uuid);
    const createdAt = fromUnixSeconds(request.created_at);
    await this.seal.open(sealedFields(avatar, said), { uuid, createdAt }, heads, now);
    const previous = heads.current?.signature ?? null;
    const { created_at } = request;
    const text = keyEventPayload({ ...said, avatar: avatar.compressed, created_at, prev: previous, uuid });
    const appSigner = isOwnRevoke(said, signature, text) ? said.fields.key : null;
    const signerKey = appSigner === null ? signerOf('signature', signature, text) : null;
    if (said.action === 'key.add') assertPossessed(said.fields, cosignature, text);
    const isRecovered = cosignature !== null && said.action !== 'key.add';
    const cosignerKey = isRecovered ? signerOf('cosignature', cosignature, text) : null;
    assertSuccessorSigned(said, successorSignature, text);
    return this.record({
      ...{ ...said, avatar, uuid, createdAt, previous, signature, signaturePayload: text, now },
      ...{ signerKey, appSigner, cosignerKey, cosignature, successorSignature, content: null },
    });
  }

  /**
   * A statement whose scopes name identities as patches do: another spelling would let its key sign for none.
   * @throws InvalidRequestError (`unknown_platform`, `invalid_identity`)
   */
  private canonical(avatar: AvatarKey, said: KeyStatement): KeyStatement {
    if (said.action !== 'key.add') return said;
    const scopes = said.fields.scopes.map((scope) => {
      const [, platform, identity] = /^kv:([^:]+):(.*)$/s.exec(scope) ?? [];
      if (platform === undefined) return scope;
      return `kv:${platform}:${this.identities.canonical(avatar, platform, identity!)}`;
    });
    return statementOf(said.action, { ...said.fields, scopes: [...new Set(scopes)] });
  }

  /**
   * Records an event; a succession together with the content that the owner had made, which patches may change yet.
   * What the rules refuse is refused before: links of everybody wait for the lock under which an event is recorded, and
   * the content of an owner may take a while to compute.
   */
  private async record(event: NewKeyEvent): Promise<StoredKeyEvent> {
    const { avatar, action, fields } = event;
    await this.assertAllowed(event);
    if (action !== 'key.succeed') return this.recorder.record(event);
    for (let tries = 1; ; tries += 1) {
      try {
        const content = await this.content.before(avatar, fields.since_patch);
        return await this.recorder.record({ ...event, content });
      } catch (error) {
        if (!(error instanceof ContentMovedError) || tries === MOST_TRIES) throw error;
      }
    }
  }

  /** @throws what the rules refuse an event with, unless others were recorded since: then the recorder knows more. */
  private async assertAllowed(event: NewKeyEvent): Promise<void> {
    const { avatar, previous } = event;
    const [{ facts, now: at }, links] = await Promise.all([this.factsOf(avatar), this.links.items.length(avatar)]);
    const judged = judgeKeyEvent(event, { facts, at, links });
    if (!(judged instanceof Error)) return;
    const head = await this.chain.items.head(avatar);
    if ((head?.signature ?? null) === previous) throw judged;
  }

  /** The state of the keys of an Avatar now, by the clock of the database, which all servers share. */
  async stateOf(avatar: AvatarKey): Promise<AvatarKeys> {
    const { facts, now } = await this.factsOf(avatar);
    const before = await readRows<{ avatar: string }>(this.source, [HOLDS_TABLE], PREDECESSORS, [avatar.compressed]);
    return { avatar, state: keyStateAt(facts, now), predecessors: before.map((one) => one.avatar), now };
  }

  private async factsOf(avatar: AvatarKey): Promise<{ facts: KeyFact[]; now: number }> {
    const rows = await readRows<StateRow>(this.source, [KEYS_TABLE, HOLDS_TABLE], STATE, [avatar.compressed]);
    const facts = rows.filter((row): row is StateRow & KeyFactRow => row.uuid !== null).map(toKeyFact);
    return { facts, now: Math.floor(rows[0]!.now) };
  }

  /**
   * Fields with what a client may leave out: the usual delay, the newest link and patch as the last good ones, and no
   * origin and the usual time of a key of an app.
   */
  private async completed(avatar: AvatarKey, action: string, fields: object, now: Date): Promise<object> {
    if (action === 'key.add') {
      return { expires_at: unixSeconds(now) + KEY_RULES.appKeys.lifetime.usual, origin: null, ...fields };
    }
    if (action === 'key.commit') return { delay_hours: KEY_RULES.delayHours.usual, ...fields };
    if (action !== 'key.succeed') return fields;
    const [since_link, since_patch] = await Promise.all(
      [this.links.items, this.patches.items].map((chain) => chain.newestUuid(avatar)),
    );
    return { since_link, since_patch, ...fields };
  }
}

/** Whether the key of an app that is revoked has signed this itself; with which origin, is asked under the lock. */
function isOwnRevoke(
  said: KeyStatement,
  signature: string,
  text: string,
): said is KeyStatement & { action: 'key.revoke' } {
  if (said.action !== 'key.revoke') return false;
  const own = { key: said.fields.key, signature, origin: undefined };
  return problemOfAppSignature(text, own, serviceCurves) === null;
}

/** @throws InvalidRequestError, InvalidSignatureError */
function assertPossessed({ key, origin }: AddFields, signature: string | null, text: string): void {
  if (signature === null) {
    throw new InvalidRequestError('cosignature is missing: the key that is added signs too.', 'invalid_key_event');
  }
  const problem = problemOfAppSignature(text, { key, signature, origin }, serviceCurves);
  if (problem !== null) throw new InvalidSignatureError(`cosignature is not that of the key that is added. ${problem}`);
}

/** @throws InvalidRequestError (`invalid_key_event`) */
function statementOf(action: string, fields: object): KeyStatement {
  const problem = problemOfStatement({ action, fields });
  if (problem !== null) throw new InvalidRequestError(`It is no key event. ${problem}`, 'invalid_key_event');
  return { action, fields } as KeyStatement;
}

/** @throws InvalidRequestError, InvalidSignatureError */
function assertSuccessorSigned(said: KeyStatement, signature: string | null, text: string): void {
  if (said.action !== 'key.succeed') {
    if (signature === null) return;
    throw new InvalidRequestError('successor_signature is for key.succeed alone.', 'invalid_key_event');
  }
  if (signature === null) throw new InvalidRequestError('successor_signature is missing.', 'invalid_key_event');
  const signer = signerOf('successor_signature', signature, text);
  if (signer === said.fields.successor) return;
  throw new InvalidSignatureError(`successor_signature was not made by the successor; it would be one of ${signer}.`);
}

function sealedFields(avatar: AvatarKey, { action, fields }: KeyStatement): SealedFields {
  const patch = canonicalJson(fields);
  return { kind: 'key', avatar: avatar.compressed, action, platform: '', identity: '', patch };
}
