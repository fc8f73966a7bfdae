import { type Client, type LogStatus, SignetError, UnreachableError } from '@signet/sdk';
import { readBody } from '@signet/sdk/internal';
import { RefusedError } from '../exit.js';
import { timeText } from '../terminal/printer.js';
import { VERSION } from '../version.js';
import { checkedUrl, defineCommand, type Session } from '../session.js';

/** The server accepts times up to so far ahead of its own clock (docs/design/decisions.md 3). */
const CLOCK_LIMIT_SECONDS = 300;
/** What a clock that is set over the network stays below, and the header `Date` with its whole seconds. */
const CLOCK_NORMAL_SECONDS = 5;
const STREAM_TIMEOUT_MS = 10_000;
/** The description of the API has a hundred kilobytes. */
const MAX_ANSWER_BYTES = 1 << 20;

/** What was found. `note` is nothing wrong: something that an operator may want. */
interface Finding {
  check: string;
  state: 'ok' | 'note' | 'failed';
  detail: string;
}

/** The answer of `/readyz`: why a server is not ready, or what it says of itself where it is. */
interface ReadyAnswer {
  message?: string;
  clock?: { ahead_of_database_seconds: number; newest_link_ahead_seconds: number };
  search?: { waiting: number; lag_seconds: number };
  upgrade?: { steps: { id: string; state: string; progress: number }[] };
}

export const doctor = defineCommand({
  usage: 'doctor [url]',
  summary: 'whether a server works: health, clock, versions, event stream, log, and what is not set up',
  details: 'Exits with 1 if something is wrong, and with 3 if the server is not reached.',
  examples: [
    ['signet doctor https://signet.example', 'a server of others'],
    ['signet doctor --json', 'the one of SIGNET_SERVER, for programs'],
  ],
  async run(session, [given]) {
    const baseUrl = checkedUrl(given ?? session.baseUrl).replace(/\/+$/, '');
    const client = session.client({ trustServer: true, baseUrl });
    const findings: Finding[] = [
      ...(await checkHealth(client, session)),
      ...(await checkReadiness(session, baseUrl)),
      await checkClock(session, baseUrl),
      await checkApi(session, baseUrl),
      await checkStream(client, session),
      await checkLog(session, baseUrl),
      ...(await checkPlatforms(client, session)),
      { check: 'here', state: 'ok', detail: `signet ${VERSION}, Node ${process.versions.node}` },
    ];
    session.printer.table(findings, [
      { title: 'CHECK', text: ({ check }) => check },
      {
        title: 'STATE',
        text: ({ state }) => state,
        style: ({ state }) => (({ ok: 'green', note: 'yellow', failed: 'red' }) as const)[state],
      },
      { title: 'WHAT WAS SEEN', text: ({ detail }) => detail },
    ]);
    const failed = findings.filter(({ state }) => state === 'failed');
    if (failed.length > 0) {
      throw new RefusedError(`Something is wrong: ${failed.map(({ check }) => check).join(', ')}.`, 'unhealthy');
    }
  },
});

/** The first answer decides whether anything is there. @throws UnreachableError */
async function checkHealth(client: Client, { signal }: Session): Promise<Finding[]> {
  const startedAt = performance.now();
  const { hello, environment, revision, built_at } = await client.health({ signal });
  const ms = Math.round(performance.now() - startedAt);
  const isOurs = hello === 'proof service';
  return [
    {
      check: 'health',
      state: isOurs ? 'ok' : 'failed',
      detail: isOurs ? `answers in ${ms} ms, environment ${environment}` : `says hello as ${JSON.stringify(hello)}`,
    },
    { check: 'build', state: 'ok', detail: `revision ${revision}, built ${timeText(built_at)}` },
  ];
}

async function checkReadiness({ signal }: Session, baseUrl: string): Promise<Finding[]> {
  const response = await ask(`${baseUrl}/readyz`, signal);
  const answer = (response.json ?? {}) as ReadyAnswer;
  if (!response.ok)
    return [{ check: 'ready', state: 'failed', detail: answer.message ?? `the server answered ${response.status}` }];
  return [
    { check: 'ready', state: 'ok', detail: 'the database answers, and its schema is up to date' },
    ...troublesOf(answer),
  ];
}

/** What a server that is ready says of itself beside that, as it is in `ReadinessDto` of the service. */
function* troublesOf({ clock, search, upgrade }: ReadyAnswer): Generator<Finding> {
  const ahead = clock?.ahead_of_database_seconds ?? 0;
  if (ahead !== 0) {
    const detail = `${Math.abs(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} the clock of its database`;
    yield { check: 'server clock', state: Math.abs(ahead) > CLOCK_LIMIT_SECONDS ? 'failed' : 'note', detail };
  }
  const future = clock?.newest_link_ahead_seconds ?? 0;
  if (future > 0) {
    const detail = `the newest link is ${future} s in the future: a clock was ahead and was put back, or is behind now`;
    yield { check: 'links', state: 'note', detail };
  }
  if (search) {
    const wait = search.waiting === 1 ? '1 binding waits' : `${search.waiting} bindings wait`;
    const detail = `${wait} for the index of searches, the oldest for ${search.lag_seconds} s`;
    yield { check: 'search', state: 'note', detail };
  }
  for (const { id, state, progress } of upgrade?.steps ?? []) {
    const detail = `${id} is ${state}, ${Math.floor(progress * 100)} % done`;
    yield { check: 'upgrade', state: state === 'stuck' ? 'failed' : 'note', detail };
  }
}

/** By the header `Date`, between whose sending and arrival half of the time is taken to be the way back. */
async function checkClock({ signal }: Session, baseUrl: string): Promise<Finding> {
  const sentAt = Date.now();
  const response = await ask(`${baseUrl}/healthz`, signal);
  const here = (sentAt + Date.now()) / 2;
  const there = Date.parse(response.headers.get('date') ?? '');
  if (Number.isNaN(there)) return { check: 'clock', state: 'note', detail: 'the server does not tell its time (Date)' };
  // The header has whole seconds, so it is half a second late on average.
  const seconds = Math.round((there + 500 - here) / 1000);
  const size = Math.abs(seconds);
  const text = size === 0 ? 'the same as here' : `${size} s ${seconds > 0 ? 'ahead of' : 'behind'} the clock here`;
  if (size <= CLOCK_NORMAL_SECONDS) return { check: 'clock', state: 'ok', detail: text };
  const isTooMuch = size > CLOCK_LIMIT_SECONDS;
  return { check: 'clock', state: isTooMuch ? 'failed' : 'note', detail: `${text}; one of the two is wrong` };
}

async function checkApi({ signal }: Session, baseUrl: string): Promise<Finding> {
  const response = await ask(`${baseUrl}/openapi.json`, signal);
  const { info } = (response.json ?? {}) as { info?: { version?: string } };
  const version = info?.version;
  if (version === undefined) return { check: 'api', state: 'note', detail: 'no description at /openapi.json' };
  return { check: 'api', state: 'ok', detail: `version ${version} of the API` };
}

/** Proxies that collect answers before they pass them on keep the stream from its readers. */
async function checkStream(client: Client, { signal }: Session): Promise<Finding> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(STREAM_TIMEOUT_MS)]);
  try {
    const position = await client.position({ signal: limit });
    return { check: 'events', state: 'ok', detail: `the stream is open at position ${position}` };
  } catch (error) {
    signal.throwIfAborted();
    const isSilent = (error as Error).name === 'TimeoutError';
    const detail = isSilent
      ? `nothing came in ${STREAM_TIMEOUT_MS / 1000} s; a proxy may hold the stream back`
      : (error as Error).message;
    return { check: 'events', state: 'failed', detail };
  }
}

/** What the server reports of its log; `signet log audit` checks it. */
async function checkLog({ signal }: Session, baseUrl: string): Promise<Finding> {
  const response = await ask(`${baseUrl}/v1/log`, signal);
  const answer = (response.json ?? {}) as Partial<LogStatus> & { message?: string };
  const finding = (state: Finding['state'], detail: string): Finding => ({ check: 'log', state, detail });
  if (response.status === 404) return finding('note', 'this server keeps no transparency log');
  if (!response.ok || answer.state === undefined) {
    return finding('failed', answer.message ?? `the server answered ${response.status}`);
  }
  const { state, problem, origin, size, policy_met: isPolicyMet } = answer;
  if (state === 'refused') return finding('failed', `signs nothing more: ${problem}`);
  if (state === 'catching_up') return finding('note', 'takes in what was recorded before, and signs after that');
  const entries = `${origin}, ${size} ${size === 1 ? 'entry' : 'entries'}`;
  return isPolicyMet === false
    ? finding('note', `${entries}; too few witnesses have signed the newest checkpoint`)
    : finding('ok', entries);
}

async function checkPlatforms(client: Client, { signal }: Session): Promise<Finding[]> {
  const platforms = await client.platforms({ signal });
  return platforms.map(({ platform, is_available, unavailable_reason }) => ({
    check: platform,
    state: is_available ? 'ok' : 'note',
    detail: is_available ? 'can be bound' : unavailable_reason,
  }));
}

/** An answer with its JSON; null where it has none. */
interface Answer {
  ok: boolean;
  status: number;
  headers: Headers;
  json: unknown;
}

/** @throws UnreachableError; SignetError (`answer_too_large`) */
async function ask(url: string, signal: AbortSignal): Promise<Answer> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(STREAM_TIMEOUT_MS)]);
  try {
    const response = await fetch(url, { signal: limit });
    const bytes = await readBody(response, MAX_ANSWER_BYTES, url);
    return { ok: response.ok, status: response.status, headers: response.headers, json: jsonOf(bytes) };
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof SignetError) throw cause;
    const facts = { code: 'unreachable', retryable: true, wasSent: true, cause } as const;
    throw new UnreachableError(`No answer came from ${url}.`, facts);
  }
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}
