import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SeededRandom } from '../../crypto/seeded-random.js';
import type { Answer, RunningApp } from '../../support/app.js';
import { ADMIN_TOKEN } from '../../support/admin.js';
import { MAIN, type ServiceProcess, startService } from '../../support/service-process.js';

export type Version = 'old' | 'new';
export type Client = Pick<RunningApp, 'get' | 'post'>;

interface Member {
  version: Version;
  server: ServiceProcess;
}

/** No server of the fleet answers, for which a load balancer would answer 503. */
class NobodyServesError extends Error {}

/**
 * Servers of two versions over one database, behind something like a load balancer: each request goes to one that
 * serves, so the two steps of a write often meet different ones.
 */
export class Fleet implements Client {
  /** Answers of 5xx that are not 503 with Retry-After. */
  readonly failures: string[] = [];
  /** Milliseconds of `performance.now()` at which a write was acknowledged. */
  readonly acknowledgedAt: number[] = [];
  private readonly members: Member[] = [];
  private readonly gone: string[] = [];

  private constructor(
    private readonly mains: Record<Version, string>,
    private readonly settings: Record<string, string>,
    private readonly folder: string,
    private readonly random: SeededRandom,
  ) {}

  /** @param tree the folder of the old version */
  static async create(tree: string, settings: Record<string, string>, random: SeededRandom): Promise<Fleet> {
    const folder = await mkdtemp(path.join(tmpdir(), 'signet-fleet-'));
    return new Fleet({ old: path.join(tree, 'dist/src/main.js'), new: MAIN }, settings, folder, random);
  }

  /** Starts a server and lets requests go to it from when it is ready. */
  async add(version: Version): Promise<void> {
    const env = { ADMIN_TOKEN, DATA_DIR: path.join(this.folder, 'data'), LOG_LEVEL: 'warn', ...this.settings };
    const server = await startService(env, undefined, this.mains[version]);
    this.members.push({ version, server });
  }

  /** Takes one server of `version` away: lets it finish (SIGTERM), or kills it (SIGKILL). */
  async remove(version: Version, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const index = this.members.findIndex((member) => member.version === version);
    const { server } = this.members[index]!;
    // A load balancer hears of a server that stops; of one that dies it does not.
    if (signal === 'SIGTERM') this.members.splice(index, 1);
    server.signal(signal);
    const { output } = await server.ended;
    if (signal === 'SIGKILL') this.members.splice(index, 1);
    this.gone.push(`${version}: ${output.slice(-2000)}`);
  }

  get size(): number {
    return this.members.length;
  }

  /** Base URL of one that serves. */
  anyUrl(): string {
    return this.any().baseUrl;
  }

  /** One server of each version that is there. */
  oneOfEach(): Client[] {
    return (['old', 'new'] as const).flatMap((version) => {
      const member = this.members.find((each) => each.version === version);
      return member ? [member.server] : [];
    });
  }

  get(path: string, headers?: Record<string, string>): Promise<Answer> {
    return this.noted(path, this.any().get(path, headers));
  }

  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.noted(path, this.any().post(path, body, headers));
  }

  /** What servers said, for a failure. */
  output(): string {
    return [
      ...this.gone,
      ...this.members.map(({ version, server }) => `${version}: ${server.output().slice(-2000)}`),
    ].join('\n');
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.map(({ server }) => server.kill9()));
    await rm(this.folder, { recursive: true, force: true });
  }

  private any(): ServiceProcess {
    const member = this.members[this.random.below(Math.max(1, this.members.length))];
    if (!member) throw new NobodyServesError('No server is left.');
    return member.server;
  }

  private async noted(path: string, asked: Promise<Answer>): Promise<Answer> {
    const answer = await asked;
    const { status, headers, body } = answer;
    if (status === 201) this.acknowledgedAt.push(performance.now());
    if (status >= 500 && !(status === 503 && headers.has('Retry-After'))) {
      this.failures.push(`${path} answered ${status}: ${JSON.stringify(body)}`);
    }
    return answer;
  }
}
