import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { RefusalCounter } from '../../src/bounds/refusal-counter.js';
import { type Environment, loadEnvironment } from '../../src/config/environment.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { openDatabase, type OpenDatabase } from '../../src/database/database.js';
import { Replicas } from '../../src/database/replicas.js';
import { UpgradeStatus } from '../../src/database/schema/upgrade-status.js';
import {
  CommitUnknownError,
  type TransactionWork,
  type WriteOptions,
  WriteTransactions,
} from '../../src/database/write-transactions.js';
import type { AvatarKey } from '../../src/domain/avatar-key.js';
import type { EventRelay } from '../../src/events/event-relay.js';
import { EventStore } from '../../src/events/event-store.js';
import { KvFeed, type NewPatch } from '../../src/kv/kv-feed.js';
import { KvIdentity } from '../../src/kv/kv-identity.js';
import { KvQueries } from '../../src/kv/kv.queries.js';
import { buildKvPayload } from '../../src/kv/patches/kv-payload.js';
import { KvRecorder } from '../../src/kv/patches/kv-recorder.js';
import { PlatformService } from '../../src/platform/platform.service.js';
import { GithubVerifier } from '../../packages/look/src/verifiers/github.verifier.js';
import { LookedUp } from '../../src/proof/look-up/looked-up.js';
import { ProofStore } from '../../src/proof/proof.store.js';
import { WebClient } from '../../src/outbound/web-client.js';
import { anAvatar } from '../support/avatar.js';
import { createTestDatabase } from '../support/database.js';
import { databaseSettings } from '../support/engines.js';

/** A new migrated PostgreSQL database, and what reads and writes patches there; without the application around it. */
export async function openKvStores(env: Record<string, string> = {}) {
  Logger.overrideLogger(false);
  const { url, drop } = await createTestDatabase();
  const environment = loadEnvironment({ ...databaseSettings(url), SERVICE_NAME: 'self', ...env });
  const database = await openDatabase(environment);
  const source = await new DataSource(dataSourceOptions(database)).initialize();
  const replicas = new Replicas(source, database, environment);
  await replicas.look();
  const web = new WebClient(environment);
  const close = async () => {
    await replicas.onApplicationShutdown();
    await source.destroy();
    await database.close();
    await web.stop();
    await drop();
  };
  return { url, source, newStores: () => storesOver(source, database, replicas, environment, web), close };
}

/** What begins with a server, on a database that may be there already. */
function storesOver(
  source: DataSource,
  database: OpenDatabase,
  replicas: Replicas,
  environment: Environment,
  web: WebClient,
) {
  const transactions = new WriteTransactions(source, database);
  const feed = new KvFeed(source, replicas, new UpgradeStatus(source), transactions);
  const platforms = new PlatformService([new GithubVerifier(web)], environment, web);
  const identities = new KvIdentity(environment, platforms);
  const queries = new KvQueries(source, environment, identities, new LookedUp());
  const events = new ForgetfulEventStore(transactions, { wake: () => {} } as EventRelay);
  const proofs = new ProofStore(source);
  const refusals = new RefusalCounter();
  const recorder = new KvRecorder(environment, identities, queries, feed, events, proofs, transactions, refusals);
  return { feed, queries, events, recorder };
}

/** Can lose the answer to a commit. */
class ForgetfulEventStore extends EventStore {
  forgets = false;

  override async transaction<Result>(
    work: TransactionWork<Result>,
    options?: Omit<WriteOptions, 'totalMs'>,
  ): Promise<Result> {
    const result = await super.transaction(work, options);
    if (this.forgets) throw new CommitUnknownError(new Error('the connection was cut'));
    return result;
  }
}

/** Whose keys `aNewPatch` signs with. */
const PEOPLE = ['alice', 'bob', 'carol', 'dave'].map((name) => anAvatar(name));

/** A patch as it comes from the checks: the first one of its Avatar, unless `previous` is given. */
export function aNewPatch(avatar: AvatarKey, patch: object, changes: Partial<NewPatch> = {}): NewPatch {
  const fields = {
    avatar,
    platform: 'self',
    identity: avatar.uncompressed,
    createdAt: new Date('2026-11-22T00:00:00Z'),
    uuid: randomUUID(),
    previous: null,
    patch,
    patchText: JSON.stringify(patch),
    ...changes,
  };
  const signaturePayload = buildKvPayload(fields);
  const signer = PEOPLE.find(({ key }) => key.compressed === avatar.compressed)!;
  return { ...fields, signature: signer.sign(signaturePayload), signaturePayload };
}
