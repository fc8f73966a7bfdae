/** The answers to all requests of `client.resolve` in one, where the server gives them so. */
import type { CheckedReads } from '../client/checked-reads.js';
import { NotFoundError, SignetError } from '../errors.js';
import type { AskedFor } from './who.js';

/** `GET /v1/resolve`. */
interface ResolveAnswer {
  service_name?: unknown;
  answers?: unknown;
}

/** The answer to one request, as a server gives it. */
interface GivenAnswer {
  status: number;
  body: string;
  uses: number;
}

/** The checks of one person read a map three times at most, all else less often; who asks again wants a newer one. */
const MOST_USES = 3;

/**
 * Reads as `reads` does, over the answers to what a resolve asks for; null where the server gives none at once, and
 * each has to be asked for.
 */
export async function readAtOnce(
  reads: CheckedReads,
  asked: AskedFor,
  signal: AbortSignal | undefined,
): Promise<CheckedReads | null> {
  if (!reads.answersAtOnce) return null;
  const { transport, settings } = reads;
  const { demandsAll, demandsLog, verifies } = settings;
  const proved_by = demandsAll ? 'map' : demandsLog ? 'log' : verifies ? 'signatures' : 'none';
  const query = { ...('key' in asked ? { public_key: asked.key } : asked), proved_by };
  try {
    const call = { path: '/v1/resolve', query, signal, isFresh: true };
    const { service_name, answers } = await transport.once<ResolveAnswer>(call, transport.endOfCall());
    const over = reads.over((otherwise) => answeredFetch(answersIn(answers), transport.baseUrl, otherwise));
    over.serviceName ??= typeof service_name === 'string' ? service_name : null;
    return over;
  } catch (error) {
    if (!(error instanceof SignetError)) throw error;
    // Servers before 0.3 have no such path.
    if (error instanceof NotFoundError) reads.answersAtOnce = false;
    return null;
  }
}

/** The answers of a server, by what `nameOf` says of their requests; what has another form is none. */
function answersIn(given: unknown): Map<string, GivenAnswer> {
  const answers = new Map<string, GivenAnswer>();
  for (const one of Array.isArray(given) ? given : []) {
    const { request, status, json, text } = (one ?? {}) as Record<string, unknown>;
    if (typeof request !== 'string' || (status !== 200 && status !== 404)) continue;
    const body = typeof text === 'string' ? text : JSON.stringify(json ?? null);
    answers.set(nameOf(request), { status, body, uses: 0 });
  }
  return answers;
}

/** Sends no request that was answered already. */
function answeredFetch(answers: Map<string, GivenAnswer>, baseUrl: string, otherwise: typeof fetch): typeof fetch {
  return async (input, init) => {
    const answer = typeof input === 'string' ? answers.get(nameOf(input.slice(baseUrl.length))) : undefined;
    if (!answer || init?.method !== 'GET' || answer.uses >= MOST_USES) return otherwise(input, init);
    answer.uses += 1;
    return new Response(answer.body, { status: answer.status });
  };
}

/** One name for a request, in whatever order its query stands. */
function nameOf(request: string): string {
  const [path, query] = request.split('?');
  const words = new URLSearchParams(query);
  words.sort();
  return `${path}?${words.toString()}`;
}
