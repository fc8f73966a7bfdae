/** Fetches archived documents from a gateway, from one id back to the first link. Nothing that comes is trusted. */
import { setTimeout as wait } from 'node:timers/promises';
import type { ArchivedText } from '@signet/verify';
import type { ReportedDataItem } from '@signet/verify/data-item';
import { NotReachedError, RefusedError, UsageError } from '../exit.js';

const ID = /^[A-Za-z0-9_-]{43}$/;
const MAX_BYTES = 1 << 20; // the longest wallet signature makes a document of about 90 KB
const TIMEOUT_MS = 30_000;
const TRIES = 4;
const FIRST_DELAY_MS = 500;

/** A gateway, and how far back a chain is followed. */
export interface ArchiveSource {
  /** Base URL without a slash at its end. */
  gateway: string;
  maxLinks: number;
  signal: AbortSignal;
}

/** Whether a word has the form of an archive id: 32 bytes in base64url. */
export function isArchiveId(word: string): boolean {
  return ID.test(word);
}

/**
 * The documents behind `id`, oldest first.
 * @throws RefusedError if one is missing or is not a JSON object, if the chain runs in a circle or is longer than
 *   `maxLinks`; NotReachedError if the gateway does not answer
 */
export async function fetchChain(source: ArchiveSource, id: string): Promise<ArchivedText[]> {
  const found: ArchivedText[] = [];
  const seen = new Set<string>();
  let asker = 'what was asked for';
  for (let next = id; next !== '';) {
    if (!isArchiveId(next))
      refuse(`${asker} is ${JSON.stringify(next)}, which is not an archive id (43 characters of base64url)`);
    if (seen.has(next)) refuse(`${asker} is ${next}, which comes after it: the chain runs in a circle`);
    if (found.length === source.maxLinks) {
      refuse(`the chain is longer than ${source.maxLinks} links; allow more with --max-links`);
    }
    seen.add(next);
    const text = await fetchText(source, next);
    if (text === null) refuse(`${asker} is ${next}, and the gateway does not serve it`);
    found.unshift({ id: next, text });
    asker = `the predecessor of link ${next}`;
    next = predecessorIn(next, text);
  }
  return found;
}

/** What the gateway says of the data item behind an id: signature, owner, anchor, tags; null if it says nothing. */
export async function fetchSignature({ gateway, signal }: ArchiveSource, id: string): Promise<ReportedDataItem | null> {
  const query = `query($id: ID!) { transaction(id: $id) { signature anchor recipient owner { key } tags { name value } } }`;
  try {
    const response = await fetch(`${gateway}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { id } }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const answer = JSON.parse(await readText(response)) as { data: { transaction?: ReportedDataItem } };
    return answer.data.transaction ?? null;
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

/** Null if the gateway says that it has no such thing. Failures of the gateway are tried again. */
async function fetchText({ gateway, signal }: ArchiveSource, id: string): Promise<string | null> {
  for (let tries = 1; ; tries++) {
    const failure = await fetch(`${gateway}/${id}`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    }).then(
      async (response) => {
        if (response.status === 200) return { text: await readText(response) };
        await response.body?.cancel();
        const isFinal = response.status < 500 && response.status !== 429;
        return isFinal ? { text: null } : `it answered ${response.status}`;
      },
      (error: Error & { cause?: { code?: string } }) => error.cause?.code ?? error.message,
    );
    signal.throwIfAborted();
    if (typeof failure === 'object') return failure.text;
    if (tries === TRIES) throw new NotReachedError(`The gateway ${gateway} could not be asked for ${id}: ${failure}.`);
    await wait(FIRST_DELAY_MS * 2 ** (tries - 1), undefined, { signal });
  }
}

async function readText(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > MAX_BYTES) refuse(`the gateway answered with more than ${MAX_BYTES} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function predecessorIn(id: string, text: string): string {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    // Said below, without quoting what came.
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    refuse(`link ${id} is not a JSON object`);
  }
  const { previous_archive_id: previous } = document as { previous_archive_id?: unknown };
  return typeof previous === 'string' ? previous : refuse(`link ${id} has no previous_archive_id`);
}

/** @throws UsageError for what is not the URL of a gateway */
export function checkedGateway(text: string): string {
  if (URL.canParse(text) && /^https?:/.test(text)) return text.replace(/\/+$/, '');
  throw new UsageError(`${JSON.stringify(text)} is not the URL of a gateway, such as https://arweave.net.`);
}

function refuse(problem: string): never {
  throw new RefusedError(problem, 'verification_failed');
}
