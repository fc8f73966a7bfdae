import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { verifyChain } from '@signet/verify';
import pg from 'pg';
import { parse, parseAllDocuments } from 'yaml';
import { secretSettings } from '../../src/config/setting-kinds.js';
import { migrate } from '../../src/database/schema/migrator.js';
import { runErase, tablesLeftWith } from '../erasure/erase-command.js';
import { declaredSettings } from '../docs/declared-settings.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { createEmptyDatabase, createTestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { openSse } from '../support/sse-client.js';
import { headOfRecords } from '../transparency-log/log-client.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (name: string): string => readFileSync(ROOT + name, 'utf8');
const host = read('docs/host/README.md');
const blocksOf = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map((match) => match[1]!);
const isSetting = (name: string): boolean =>
  declaredSettings().includes(name) ||
  secretSettings()
    .map((secret) => `${secret}_FILE`)
    .includes(name);
const COMMAND = /CMD \["([^\]]*)"\]\s*$/.exec(read('docker/Dockerfile'))![1]!.split('", "');

/** The part of a Kubernetes object that is looked at here. */
interface Manifest {
  kind: string;
  spec: {
    volumeClaimTemplates?: { metadata: { name: string } }[];
    template: {
      spec: {
        containers: {
          image: string;
          volumeMounts: { name: string; mountPath: string }[];
          env: { name: string }[];
          startupProbe: { httpGet: { path: string } };
          readinessProbe: { httpGet: { path: string } };
          livenessProbe: { httpGet: { path: string } };
        }[];
      };
    };
  };
}

describe('docker/kubernetes.yaml', () => {
  const documents = parseAllDocuments(read('docker/kubernetes.yaml'));
  const manifests = documents.map((document) => document.toJS() as Manifest);
  const container = manifests.find(({ kind }) => kind === 'StatefulSet')!.spec.template.spec.containers[0]!;

  it('is YAML without errors, and holds a set of servers, a service and a disruption budget', () => {
    expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
    expect(manifests.map(({ kind }) => kind)).toEqual(['StatefulSet', 'Service', 'PodDisruptionBudget']);
  });

  it('sets only settings that exist, on the version of this repository', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };

    expect(container.env.map(({ name }) => name).filter((name) => !isSetting(name))).toEqual([]);
    expect(container.image).toBe(`signet:${version}`);
  });

  it('keeps DATA_DIR on a volume that outlives a server', () => {
    const set = manifests.find(({ kind }) => kind === 'StatefulSet')!;
    const data = container.volumeMounts.find(({ mountPath }) => mountPath === '/data')!;

    expect(set.spec.volumeClaimTemplates!.map(({ metadata }) => metadata.name)).toEqual([data.name]);
  });

  it('restarts nobody because the database is away', () => {
    expect(container.livenessProbe.httpGet.path).toBe('/livez');
    expect(container.readinessProbe.httpGet.path).toBe('/readyz');
    expect(container.startupProbe.httpGet.path).toBe('/readyz');
  });
});

describe('docker/signet.service', () => {
  const unit = read('docker/signet.service');
  const valueOf = (key: string): string => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)![1]!;

  it('starts what the image starts', () => {
    expect(valueOf('ExecStart').split(' ').slice(1)).toEqual(COMMAND.slice(1));
  });

  it('sets only settings that exist', () => {
    const names = valueOf('Environment')
      .split(' ')
      .map((pair) => pair.split('=')[0]!);

    expect(names.filter((name) => name !== 'NODE_ENV' && !isSetting(name))).toEqual([]);
  });
});

describe('docs/host', () => {
  it('names only services, volumes and profiles of compose.yaml in its commands', () => {
    const compose = parse(read('docker/compose.yaml'), { merge: true }) as {
      services: Record<string, { profiles?: string[] }>;
      volumes: Record<string, unknown>;
    };
    const commands = blocksOf(host, 'sh').join('\n');
    const all = (pattern: RegExp) => [...commands.matchAll(pattern)].flatMap((match) => match[1]!.split(' '));
    const services = [
      ...all(/docker compose (?:exec -T|run --rm --no-deps) ([\w-]+)/g),
      ...all(/docker compose (?:stop|up -d --wait) ([\w -]+)$/gm),
    ];

    expect(services.length).toBeGreaterThan(5);
    expect(services.filter((name) => !(name in compose.services))).toEqual([]);
    expect(all(/docker volume rm signet_(\w+)/g).filter((name) => !(name in compose.volumes))).toEqual([]);
    const profiles = Object.values(compose.services).flatMap(({ profiles: names = [] }) => names);
    expect(all(/--profile (\w+)/g).filter((name) => !profiles.includes(name))).toEqual([]);
  });

  it('grants a role all that migrations and the service need', async () => {
    const database = await createEmptyDatabase();
    const name = new URL(database.url).pathname.slice(1);
    const admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    const role = `${name}_role`;
    try {
      await admin.query(`create role ${role} login password 'PASSWORD'`);
      const grants = blocksOf(host, 'sql')
        .find((text) => text.includes('grant connect'))!
        .replaceAll(/on database signet/g, `on database ${name}`)
        .replaceAll(/to signet/g, `to ${role}`);
      await admin.query(grants);

      const url = new URL(database.url);
      [url.username, url.password] = [role, 'PASSWORD'];
      await migrate(url.href);
      const app = await startApp({ databaseUrl: url.href });
      const { status } = await linkWallet(app, anAvatar(), aWallet());
      await app.close();

      expect(status).toBe(201);
    } finally {
      await admin.query(`drop owned by ${role} cascade; drop role ${role}`);
      await admin.end();
      await database.drop();
    }
  });
});

describe('docs/host/personal-data.md', () => {
  it('erases what it says by its commands, and readers go on', async () => {
    const database = await createTestDatabase();
    let app: RunningApp | undefined;
    try {
      app = await startApp({ databaseUrl: database.url });
      const [alice, bob] = [anAvatar('alice'), anAvatar('bob')];
      const [one, two] = [aWallet('one'), aWallet('two')];
      for (const wallet of [one, two]) await linkWallet(app, alice, wallet);
      await linkWallet(app, bob, aWallet('three'));
      await headOfRecords(app, 3);

      const [command] = blocksOf(read('docs/host/personal-data.md'), 'sh')[0]!.split('\n');
      const words = command!.match(/"[^"]*"|<[^>]*>|\S+/g)!.map((word) => word.replaceAll('"', ''));
      expect(words.slice(0, 5)).toEqual(['npm', 'run', 'log', '--', 'erase']);
      for (const id of ['1', '2']) {
        const given = words.slice(5).map((word) => (word.startsWith('<') ? id : word));
        expect(await runErase(database.url, [...given, '--yes'])).toMatchObject({ code: 0 });
      }

      for (const { address } of [one, two]) expect(await tablesLeftWith(database.url, address)).toEqual([]);
      const { body: chain } = await app.get(`/v1/proofchain?public_key=${alice.key.compressed}`);
      expect(verifyChain(chain.proof_chain, { avatar: alice.key.compressed })).toMatchObject({
        ok: true,
        bindings: [],
      });
      const reader = await openSse(app.baseUrl, `/v1/events?after=0&avatar=${bob.key.compressed}`);
      await reader.until(({ events }) => events.length === 1);
      reader.close();
    } finally {
      await app?.close();
      await database.drop();
    }
  });
});
