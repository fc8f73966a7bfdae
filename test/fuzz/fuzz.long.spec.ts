import { execFileSync } from 'node:child_process';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { SeededRandom } from '../crypto/seeded-random.js';
import { writeKv } from '../kv/kv-scenario.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { slowness } from '../../packages/look/test/support/cpu-time.js';
import { cpuMsOf, WITH_CPU_PROBE } from '../support/cpu-time.js';
import { createTestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { leadingTo } from '../support/platform-addresses.js';
import { type ServiceProcess, startService } from '../support/service-process.js';
import { jsonReply, startStandIn, type StandIn } from '../../packages/look/test/support/stand-in-server.js';
import { type ApiDescription, type FuzzRequest, RequestMaker } from './fuzz-requests.js';

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 20_000);
const AT_ONCE = 8;
/** What a service may grow by while it warms up its caches and its heap; without end it would pass this soon. */
const MAX_GROWTH_MIB = 150;
/** Milliseconds of processor time of a request on average; one that costs seconds lifts that of all. */
const MAX_CPU_MS = 5;
const TOKEN = 'token-of-the-fuzz-tests-only';
const REQUEST_TIMEOUT_MS = 20_000;

const living = { avatar: anAvatar('fuzz'), wallet: aWallet('fuzz') };

let service: ServiceProcess;
let platforms: StandIn;
let drop: () => Promise<void>;
let api: ApiDescription;

beforeAll(async () => {
  platforms = await startStandIn(() => jsonReply({ message: 'Not Found' }, 404));
  const base = platforms.baseUrl;
  const database = await createTestDatabase();
  drop = database.drop;
  service = await startService({
    DATABASE_URL: database.url,
    ADMIN_TOKEN: TOKEN,
    // No name of a stranger's choosing is looked up, and every base URL leads to loopback.
    PLATFORMS: 'twitter,ethereum,github,discord,dotbit,solana,minds,dns',
    DISCORD_BOT_TOKEN: 'not-a-real-token',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...WITH_CPU_PROBE,
    ...leadingTo(base),
  });
  await linkWallet(service, living.avatar, living.wallet);
  await writeKv(service, living.avatar, { name: 'fuzz' });
  api = (await service.get('/openapi.json')).body as ApiDescription;
});

afterAll(async () => {
  await service?.kill9();
  await platforms?.close();
  await drop?.();
});

/** Resident memory of the service in MiB. */
function memory(): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(service.pid)], { encoding: 'utf8' })) / 1024;
}

class AnswerChecker {
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false });
  private readonly compiled = new Map<object, ValidateFunction>();
  readonly statuses = new Map<number, number>();

  constructor(private readonly maker: RequestMaker) {
    this.ajv.addSchema({ $id: 'api', ...api });
  }

  /** What is wrong with the answer to `request`; null if nothing is. */
  async problemOf(request: FuzzRequest): Promise<string | null> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), REQUEST_TIMEOUT_MS);
    try {
      const answer = await fetch(`${service.baseUrl}${request.path}`, { ...request, signal: abort.signal });
      this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
      if (answer.status >= 500) return `${answer.status} ${await answer.text()}`;
      if (!answer.headers.get('content-type')?.startsWith('application/json')) {
        // Streams and metrics answer in their own type, and only when all is well.
        return answer.status === 200 || answer.status === 204 ? null : `${answer.status} is not JSON`;
      }
      return this.problemOfBody(request, answer.status, (await answer.json()) as object);
    } catch (error) {
      return `no answer: ${String(error)}`;
    } finally {
      clearTimeout(timer);
      abort.abort();
    }
  }

  private problemOfBody(request: FuzzRequest, status: number, body: object): string | null {
    if (status >= 400) {
      const isError =
        Object.keys(body).sort().join() === 'code,message' &&
        Object.values(body).every((text) => typeof text === 'string' && text !== '');
      return isError ? null : `error body ${JSON.stringify(body)}`;
    }
    if ('message' in body) return 'a success body has a member "message"';
    const schema = this.maker.answerSchema(request, status);
    if (!schema) return `status ${status} is not described`;
    const validate = this.validator(schema);
    return validate(body) ? null : `${this.ajv.errorsText(validate.errors)} in ${JSON.stringify(body).slice(0, 500)}`;
  }

  private validator(schema: object): ValidateFunction {
    const text = JSON.stringify(schema).replaceAll('"#/', '"api#/');
    const known = this.compiled.get(schema) ?? this.ajv.compile(JSON.parse(text) as object);
    this.compiled.set(schema, known);
    return known;
  }
}

describe('hostile requests', () => {
  it(`get ${REQUESTS} answers, none of them a 500, none against its own description, at a bounded cost, and memory stays flat`, async () => {
    const random = new SeededRandom('fuzz of every endpoint');
    const maker = new RequestMaker(api, random, living, { Authorization: `Bearer ${TOKEN}` });
    const checker = new AnswerChecker(maker);
    const problems: string[] = [];
    let done = 0;
    let warm = 0;
    const worker = async (): Promise<void> => {
      while (done < REQUESTS) {
        done += 1;
        if (done === Math.floor(REQUESTS / 4)) warm = memory();
        const request = maker.next();
        const problem = await checker.problemOf(request);
        if (problem)
          problems.push(`${request.method} ${request.path} ${request.body ?? ''} -> ${problem}`.slice(0, 1500));
      }
    };

    const cpuBefore = await cpuMsOf(service);
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    const cpuMs = ((await cpuMsOf(service)) - cpuBefore) / done;

    const grown = memory() - warm;
    const statuses = [...checker.statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
    process.stdout.write(
      `fuzz: ${done} requests, ${statuses.join(', ')}; memory ${warm.toFixed(0)} MiB, grown by ${grown.toFixed(0)} MiB; ${cpuMs.toFixed(1)} ms of the processor each\n`,
    );
    expect(problems.slice(0, 10)).toEqual([]);
    expect(checker.statuses.get(200)).toBeGreaterThan(REQUESTS / 50);
    expect(grown).toBeLessThan(MAX_GROWTH_MIB);
    expect(cpuMs).toBeLessThan(MAX_CPU_MS * slowness());
    expect((await service.get('/healthz')).status).toBe(200);
  });
});
