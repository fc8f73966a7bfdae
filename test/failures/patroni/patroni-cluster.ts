import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stringify } from 'yaml';
import { freePort } from '../../support/free-port.mjs';
import { until } from '../../support/until.js';

const NAMES = ['db_a', 'db_b', 'db_c'] as const;
type Name = (typeof NAMES)[number];
/** PostgreSQL refuses to run as root, which containers and build machines often are. */
const AS_USER = process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=1000', '--map-group=1000'] : [];

interface Node {
  name: Name;
  port: number;
  restPort: number;
  folder: string;
  process?: ChildProcess;
}

interface Member {
  name: Name;
  role: string;
  state: string;
}

/** Three nodes of Patroni with synchronous replication, one etcd, and HAProxy in front, all on loopback. */
export class PatroniCluster {
  private readonly others: ChildProcess[] = [];

  private constructor(
    private readonly folder: string,
    private readonly nodes: Node[],
    private readonly etcdPort: number,
    private readonly proxyPort: number,
  ) {}

  static async start(): Promise<PatroniCluster> {
    const folder = await mkdtemp(path.join(tmpdir(), 'signet-patroni-'));
    const nodes: Node[] = [];
    for (const name of NAMES) {
      nodes.push({ name, port: await freePort(), restPort: await freePort(), folder: path.join(folder, name) });
    }
    const cluster = new PatroniCluster(folder, nodes, await freePort(), await freePort());
    try {
      await cluster.startAll();
      return cluster;
    } catch (error) {
      const log = await cluster.logs();
      await cluster.stop();
      throw new Error(`The cluster does not start: ${log}`, { cause: error });
    }
  }

  /** All nodes in one URL, in the form of libpq. */
  get hostsUrl(): string {
    const hosts = this.nodes.map(({ port }) => `127.0.0.1:${port}`).join();
    return `postgresql://postgres@${hosts}/postgres?target_session_attrs=read-write`;
  }

  /** The one address that follows the primary. */
  get proxyUrl(): string {
    return `postgresql://postgres@127.0.0.1:${this.proxyPort}/postgres`;
  }

  /** Hands the leadership to a synchronous standby; resolves when that has it, with its time. */
  async switchOver(): Promise<number> {
    const leader = await this.leader();
    const answer = await fetch(`http://127.0.0.1:${leader.restPort}/switchover`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ leader: leader.name }),
    });
    if (!answer.ok) throw new Error(`Patroni refuses to switch over: ${await answer.text()}`);
    return this.whenAnotherLeads(leader.name);
  }

  /** SIGKILL for the primary's PostgreSQL and its Patroni; resolves when another one leads, with the time of that. */
  async killLeader(): Promise<number> {
    const leader = await this.leader();
    const pid = (await readFile(path.join(leader.folder, 'data/postmaster.pid'), 'utf8')).split('\n')[0]!;
    leader.process!.kill('SIGKILL');
    process.kill(Number(pid), 'SIGKILL');
    const at = await this.whenAnotherLeads(leader.name);
    await this.startNode(leader);
    return at;
  }

  /** All three work, and commits wait for a standby. */
  async whenWhole(): Promise<void> {
    await until(async () => {
      const members = await this.members();
      const isRunning = ({ state }: Member) => state === 'running' || state === 'streaming';
      return members.length === 3 && members.every(isRunning) && members.some(({ role }) => role === 'sync_standby');
    });
  }

  async stop(): Promise<void> {
    for (const node of this.nodes) {
      node.process?.kill('SIGTERM');
      if (node.process && node.process.exitCode === null) await once(node.process, 'exit');
    }
    for (const other of this.others) other.kill('SIGKILL');
    await rm(this.folder, { recursive: true, force: true });
  }

  private async startAll(): Promise<void> {
    const etcd = `http://127.0.0.1:${this.etcdPort}`;
    const peer = `http://127.0.0.1:${await freePort()}`;
    const etcdFolder = path.join(this.folder, 'etcd');
    await mkdir(etcdFolder, { mode: 0o700 });
    this.run('etcd', [
      ...['--data-dir', etcdFolder, '--listen-client-urls', etcd, '--advertise-client-urls', etcd],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`],
    ]);
    await until(async () => (await fetch(`${etcd}/health`).catch(() => null))?.ok === true);
    for (const node of this.nodes) await this.startNode(node);
    await this.whenWhole();
    const proxyFile = path.join(this.folder, 'haproxy.cfg');
    await writeFile(proxyFile, this.proxyConfiguration());
    this.run('haproxy', ['-db', '-f', proxyFile]);
  }

  private async startNode(node: Node): Promise<void> {
    await mkdir(node.folder, { recursive: true });
    const file = path.join(node.folder, 'patroni.yml');
    await writeFile(file, stringify(await this.configurationOf(node)));
    node.process = this.run('patroni', [file]);
  }

  private run(program: string, words: string[]): ChildProcess {
    const [command, ...rest] = [...AS_USER, program, ...words];
    const child = spawn('/bin/sh', [
      '-c',
      'exec "$@" >> "$0" 2>&1',
      path.join(this.folder, `${program}.log`),
      command!,
      ...rest,
    ]);
    child.stdin.end();
    this.others.push(child);
    return child;
  }

  /** As in docs/high-availability.md. */
  private async configurationOf({ name, port, restPort, folder }: Node): Promise<object> {
    const rest = `127.0.0.1:${restPort}`;
    return {
      scope: 'signet',
      name,
      restapi: { listen: rest, connect_address: rest },
      etcd3: { host: `127.0.0.1:${this.etcdPort}` },
      bootstrap: {
        dcs: {
          ttl: 20,
          loop_wait: 3,
          retry_timeout: 5,
          synchronous_mode: true,
          postgresql: { use_pg_rewind: true, parameters: { max_connections: 100, wal_log_hints: 'on' } },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      },
      postgresql: {
        listen: `127.0.0.1:${port}`,
        connect_address: `127.0.0.1:${port}`,
        data_dir: path.join(folder, 'data'),
        bin_dir: await binaries(),
        authentication: { superuser: { username: 'postgres' }, replication: { username: 'postgres' } },
        parameters: { unix_socket_directories: folder },
        pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      },
    };
  }

  private proxyConfiguration(): string {
    const servers = this.nodes.map(
      ({ name, port, restPort }) =>
        `  server ${name} 127.0.0.1:${port} check port ${restPort} on-marked-down shutdown-sessions`,
    );
    return [
      'defaults',
      '  mode tcp',
      '  timeout connect 2s',
      '  timeout client 30m',
      '  timeout server 30m',
      'listen primary',
      `  bind 127.0.0.1:${this.proxyPort}`,
      '  option httpchk OPTIONS /primary',
      '  default-server inter 1s fall 2 rise 1',
      ...servers,
      '',
    ].join('\n');
  }

  /** As somebody who answers knows it. */
  private async members(): Promise<Member[]> {
    for (const { restPort } of this.nodes) {
      const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`).catch(() => null);
      if (answer?.ok) return ((await answer.json()) as { members?: Member[] }).members ?? [];
    }
    return [];
  }

  private async leader(): Promise<Node> {
    let found: Node | undefined;
    await until(async () => {
      const member = (await this.members()).find(({ role }) => role === 'leader');
      found = this.nodes.find(({ name }) => name === member?.name);
      return found !== undefined;
    });
    return found!;
  }

  /** The time at which another node says of itself that it is the primary. */
  private async whenAnotherLeads(former: Name): Promise<number> {
    const others = this.nodes.filter(({ name }) => name !== former);
    await until(async () => {
      const asked = others.map(({ restPort }) => fetch(`http://127.0.0.1:${restPort}/primary`).catch(() => null));
      return (await Promise.all(asked)).some((answer) => answer?.ok === true);
    });
    return performance.now();
  }

  private async logs(): Promise<string> {
    const names = (await readdir(this.folder)).filter((name) => name.endsWith('.log'));
    return names
      .map((name) => execFileSync('tail', ['-n', '15', path.join(this.folder, name)], { encoding: 'utf8' }))
      .join('\n');
  }
}

/** Of the newest PostgreSQL on this machine. */
async function binaries(): Promise<string> {
  const folder = '/usr/lib/postgresql';
  const versions = (await readdir(folder)).map(Number).filter((version) => version >= 15);
  return path.join(folder, String(Math.max(...versions)), 'bin');
}
