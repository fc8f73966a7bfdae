import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';
import { itUnless } from '../../packages/verify/test/support/unless.js';
import { Environment } from '../../src/config/environment.js';
import { declaredSettings } from '../docs/declared-settings.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { freePort } from '../support/free-port.mjs';
import { metricsWithGauges } from '../support/gauges.js';
import { lackOf } from '../support/lacks.js';
import { linkWallet } from '../support/scenario.js';

/** Debian: apt-get install prometheus. */
const PROMTOOL = process.env['PROMTOOL'] ?? 'promtool';
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (name: string) => readFileSync(`${ROOT}${name}`, 'utf8');

/** The part of a compose file that is looked at here. */
interface Compose {
  services: Record<
    string,
    {
      image: string;
      entrypoint?: string[];
      env_file?: string;
      environment?: Record<string, string>;
      networks: string[];
      ports?: string[];
      volumes?: string[];
      tmpfs?: string[];
      profiles?: string[];
      restart: string;
      read_only?: boolean;
      cap_drop?: string[];
      security_opt?: string[];
    }
  >;
  networks: Record<string, { internal?: boolean } | null>;
  volumes: Record<string, null>;
}

const compose = parse(read('docker/compose.yaml'), { merge: true }) as Compose;
const services = Object.entries(compose.services);

describe('docker/Dockerfile', () => {
  const text = read('docker/Dockerfile');
  const instructions = DockerfileParser.parse(text).getInstructions();
  const lastStage = instructions.slice(
    instructions.findLastIndex((instruction) => instruction.getKeyword() === 'FROM'),
  );
  const inLastStage = (keyword: string) =>
    lastStage.filter((instruction) => instruction.getKeyword() === keyword).map((found) => found.getTextContent());

  it('has nothing that a linter complains of', () => {
    expect(validate(text).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`)).toEqual([]);
  });

  const copied = instructions
    .map((instruction) => instruction.getTextContent())
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from'))
    .flatMap((line) => line.split(/\s+/).slice(1, -1));

  it('copies all that the build of the page and of the packages reads', () => {
    const web = readdirSync(`${ROOT}web`, { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'README.md')
      .map(({ name }) => `web/${name}`);
    const packages = readdirSync(`${ROOT}packages`).flatMap((name) =>
      ['package.json', 'tsconfig.build.json', 'src'].map((part) => `packages/${name}/${part}`),
    );

    expect([...web, ...packages].filter((name) => !copied.includes(name))).toEqual([]);
  });

  it('copies only what is there and what .dockerignore lets through', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));

    expect([...copied].sort()).toEqual([...allowed].sort());
    expect(copied.filter((name) => !existsSync(`${ROOT}${name}`))).toEqual([]);
  });

  it('ends in an image that runs as nobody in particular, without a shell between SIGTERM and the service', () => {
    expect(inLastStage('USER')).toEqual(['USER node']);
    expect(inLastStage('CMD')).toEqual([
      'CMD ["node", "--max-semi-space-size=8", "--no-parallel-scavenge", "dist/src/main.js"]',
    ]);
    expect(inLastStage('ENTRYPOINT')).toEqual([]);
    expect(inLastStage('HEALTHCHECK')[0]).toContain('CMD ["bash", "scripts/healthcheck.sh"]');
    expect(inLastStage('RUN')).toEqual([]);
  });

  it('is the same Node in both stages, by a version', () => {
    const bases = instructions
      .filter((instruction) => instruction.getKeyword() === 'FROM')
      .map((instruction) => instruction.getTextContent().split(' ')[1]);

    expect(new Set(bases)).toEqual(new Set(['node:${NODE_VERSION}-bookworm-slim']));
    expect(text).toMatch(/^ARG NODE_VERSION=\d+\.\d+\.\d+$/m);
  });
});

describe('docker/compose.yaml', () => {
  it('names every variable in env.example, or gives a default', () => {
    const known = new Set([...read('docker/env.example').matchAll(/^([A-Z_]+)=/gm)].map((match) => match[1]));
    const used = [...read('docker/compose.yaml').matchAll(/\$\{([A-Z_]+)/g)].map((match) => match[1]);

    expect(used.length).toBeGreaterThan(5);
    expect(used.filter((name) => !known.has(name))).toEqual([]);
  });

  it('and the examples of its two files hold no password', () => {
    const examples = read('docker/env.example') + read('docker/signet.env.example');

    expect(examples).toMatch(/^POSTGRES_PASSWORD=$/m);
    expect([...examples.matchAll(/^[A-Z_]*(?:PASSWORD|TOKEN|SECRET)=(.*)$/gm)].filter((match) => match[1])).toEqual([]);
    expect(read('.gitignore')).toMatch(/^docker\/\.env\ndocker\/signet\.env$/m);
  });

  it('gives each container only what it needs', () => {
    const named = [...read('docker/signet.env.example').matchAll(/^([A-Z_]+)=/gm)].map((match) => match[1]!);

    expect(named.filter((name) => !declaredSettings().includes(name))).toEqual([]);
    const files = services.map(([name, { env_file: file }]) => [name, file]).filter(([, file]) => file !== undefined);
    expect(files).toEqual([
      ['signet', 'signet.env'],
      ['signet-2', 'signet.env'],
    ]);
  });

  it('starts no Grafana without a password', () => {
    const [shell, option, script] = compose.services['grafana']!.entrypoint!;
    const start = (password: string) =>
      spawnSync(shell!, [option!, script!.replaceAll('$$', '$').replace('exec /run.sh', 'echo started')], {
        env: { GF_SECURITY_ADMIN_PASSWORD: password },
        encoding: 'utf8',
      });

    expect(start('')).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('GRAFANA_PASSWORD') });
    expect(start('something')).toMatchObject({ status: 0, stdout: 'started\n' });
  });

  it('sets only settings that the service has', () => {
    const settings = new Environment();
    const own = services.filter(([, { image }]) => image.startsWith('signet:'));

    expect(own.map(([name]) => name)).toEqual(['signet', 'signet-2']);
    const names = own.flatMap(([, { environment = {} }]) => Object.keys(environment));
    // Settings without a default are not members of a fresh object.
    expect(names.filter((name) => !(name in settings) && name !== 'DATABASE_URL')).toEqual([]);
  });

  it.each(services)('lets %s have no more rights than it needs', (name, service) => {
    expect(service.restart).toBe('unless-stopped');
    expect(service.security_opt).toEqual(['no-new-privileges:true']);
    expect(service.image).toMatch(/:v?\d+\.\d+(\.\d+)?(-\w+)?$|^signet:local$/);
    if (name.startsWith('signet')) expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  });

  it('shows nothing but the proxy to the network, and PostgreSQL to nobody but the servers', () => {
    const open = services.filter(([, { ports = [] }]) => ports.some((port) => !port.startsWith('127.0.0.1:')));

    expect(open.map(([name]) => name)).toEqual(['proxy']);
    expect(compose.services['postgres']).not.toHaveProperty('ports');
    expect(compose.networks['back']).toEqual({ internal: true });
    const beside = services.filter(([, { networks }]) => networks.includes('back')).map(([name]) => name);
    expect(beside).toEqual(['signet', 'signet-2', 'postgres']);
  });

  it('keeps DATA_DIR of the servers on a volume: the log remembers there what it has signed', () => {
    for (const [name, service] of services.filter(([name]) => name.startsWith('signet'))) {
      expect([name, service.volumes]).toEqual([name, ['signet:/data']]);
      expect(service.tmpfs).toEqual(['/tmp']);
    }
  });

  it('mounts files that are there and volumes that it names', () => {
    const sources = services.flatMap(([, { volumes = [] }]) => volumes.map((volume) => volume.split(':')[0]!));

    const files = sources.filter((source) => source.startsWith('./'));
    expect(files.filter((file) => !existsSync(`${ROOT}docker/${file}`))).toEqual([]);
    const named = sources.filter((source) => !source.startsWith('./'));
    expect(new Set(named)).toEqual(new Set(Object.keys(compose.volumes)));
  });
});

describe('dashboard and alerts', () => {
  const dashboard = JSON.parse(read('docker/grafana-dashboard.json'));
  const alerts = parse(read('docker/alerts.yml'));
  let running: RunningApp;
  let exposed: Set<string>;
  beforeAll(async () => {
    // With a server to look at, so that there are the numbers of looks.
    running = await startApp({ env: { LOOK_AT: 'http://127.0.0.1:9' } });
    await linkWallet(running, anAvatar('alice'), aWallet('alice'));
    const text = await metricsWithGauges(running);
    exposed = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1]!));
    // Only with WORKERS: see metrics-workers.long.spec.ts.
    exposed.add('signet_workers_missing');
  });
  afterAll(() => running.close());

  /** Names in a query, without what Prometheus appends to a histogram's. */
  const metricsIn = (query: string) =>
    [...query.matchAll(/\b(?:signet|nodejs|process)_[a-z0-9_]+/g)].map(([name]) =>
      name.replace(/_(bucket|count|sum)$/, ''),
    );

  it('ask only for numbers that the service has', () => {
    const queries: string[] = [
      ...dashboard.panels.flatMap((panel: { targets?: { expr: string }[] }) =>
        (panel.targets ?? []).map(({ expr }) => expr),
      ),
      ...alerts.groups.flatMap((group: { rules: { expr: string }[] }) => group.rules.map(({ expr }) => expr)),
    ];

    expect(queries.length).toBeGreaterThan(40);
    const unknown = queries.flatMap(metricsIn).filter((name) => !exposed.has(name));
    expect([...new Set(unknown)]).toEqual([]);
  });

  it('and every number of the service that is ours is on the dashboard', () => {
    const text = JSON.stringify(dashboard);
    const ours = [...exposed].filter((name) => name.startsWith('signet_'));

    expect(ours.length).toBeGreaterThan(20);
    // Of use beside others only, in a query of one's own.
    const aside = ['signet_build_info', 'signet_build_timestamp_seconds', 'signet_event_position'];
    expect(ours.filter((name) => !text.includes(name) && !aside.includes(name))).toEqual([]);
  });

  it('can be imported anywhere: the data source and the job are variables, and panels have ids of their own', () => {
    const used = new Set([...JSON.stringify(dashboard).matchAll(/"uid":"([^"]+)"/g)].map((match) => match[1]));
    const variables = dashboard.templating.list.map(({ name }: { name: string }) => name);
    const ids = dashboard.panels.map(({ id }: { id: number }) => id);

    expect(used).toEqual(new Set(['${datasource}', dashboard.uid]));
    expect(variables).toEqual(['datasource', 'job', 'instance']);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('place no panel over another', () => {
    const taken = new Set<string>();
    for (const { gridPos } of dashboard.panels) {
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(taken.has(`${x},${y}`)).toBe(false);
          taken.add(`${x},${y}`);
        }
      }
    }
    expect(taken.size).toBeGreaterThan(1000);
  });

  it('scrape the servers of the compose file', () => {
    const { scrape_configs: jobs, rule_files: rules } = parse(read('docker/prometheus.yml'));
    const fixed = jobs[0].static_configs[0].targets.map((target: string) => target.split(':')[0]);

    // By its name, so that it counts as down, and not as gone, when its container stops.
    expect(fixed).toEqual(['signet']);
    expect(jobs[0].dns_sd_configs[0].names.filter((name: string) => !(name in compose.services))).toEqual([]);
    expect(rules).toEqual(['alerts.yml']);
  });
});

describe('docker/alerts.yml', () => {
  interface Alert {
    alert: string;
    labels: { severity: string };
    annotations: { summary: string };
  }
  const alerts = (parse(read('docker/alerts.yml')) as { groups: { rules: Alert[] }[] }).groups[0]!.rules;
  const names = alerts.map(({ alert }) => alert);

  it('says of every alert how urgent it is and what it is about', () => {
    for (const { labels, annotations } of alerts) {
      expect(['critical', 'warning']).toContain(labels.severity);
      expect(annotations.summary).toMatch(/\.$/);
    }
  });

  it('is explained in docs/operations.md', () => {
    const operations = read('docs/operations.md');

    expect(names.filter((name) => !operations.includes(name))).toEqual([]);
  });

  it('has a test of each alert in which it fires, and one in which it is silent', () => {
    const { tests } = parse(read('docker/alerts.test.yml')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts: object[] }[] }[];
    };
    const cases = tests.flatMap(({ alert_rule_test: list }) => list);
    const named = (isFiring: boolean) =>
      cases.filter(({ exp_alerts: fired }) => fired.length > 0 === isFiring).map(({ alertname }) => alertname);

    expect(names.filter((name) => !named(true).includes(name) || !named(false).includes(name))).toEqual([]);
  });

  itUnless(lackOf(PROMTOOL), 'passes its tests', () => {
    const words = ['test', 'rules', `${ROOT}docker/alerts.test.yml`];
    const { status, stdout, stderr } = spawnSync(PROMTOOL, words, { encoding: 'utf8' });

    expect({ status, output: stdout + stderr }).toMatchObject({ status: 0 });
  });
});

describe('the health check of the image', () => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  async function exitCode(port: number | string): Promise<number> {
    const child = spawn('bash', [`${ROOT}scripts/healthcheck.sh`], { env: { PORT: String(port) }, stdio: 'ignore' });
    const [code] = (await once(child, 'exit')) as [number];
    return code;
  }

  it('passes while the service is ready', async () => {
    expect(await exitCode(new URL(app.baseUrl).port)).toBe(0);
  });

  it('fails while nothing listens', async () => {
    expect(await exitCode(await freePort())).toBe(1);
  });
});
