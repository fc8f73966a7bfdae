/** Fetches archived documents from a gateway, from one id back to the first link. Nothing that comes is trusted. */
import { setTimeout as wait } from 'node:timers/promises';
import { Problem } from './problem.mjs';

const ID = /^[A-Za-z0-9_-]{43}$/;
const MAX_BYTES = 1 << 20; // the longest wallet signature makes a document of about 90 KB
const TIMEOUT_MS = 30_000;
const TRIES = 4;
const FIRST_DELAY_MS = 500;

/** Whether a word has the form of an archive id: 32 bytes in base64url. */
export function isId(word) {
  return ID.test(word);
}

/**
 * The documents behind `id`, oldest first, each as `{ id, text, document }`.
 * @throws Problem if one is missing or is no JSON object, if the chain runs in a circle, or is longer than `maxLinks`
 */
export async function fetchChain(gateway, id, maxLinks) {
  const found = [];
  const seen = new Set();
  let asker = 'what was asked for';
  for (let next = id; next !== '';) {
    if (!isId(next))
      throw new Problem(`${asker} is ${JSON.stringify(next)}, which is no archive id (43 characters of base64url)`);
    if (seen.has(next)) throw new Problem(`${asker} is ${next}, which comes after it: the chain runs in a circle`);
    if (found.length === maxLinks)
      throw new Problem(`the chain is longer than ${maxLinks} links; allow more with --max-links`);
    seen.add(next);
    const text = await fetchText(gateway, next);
    if (text === null) throw new Problem(`${asker} is ${next}, and the gateway does not serve it`);
    const document = parse(next, text);
    found.unshift({ id: next, text, document });
    asker = `the predecessor of link ${next}`;
    next = document.previous_archive_id;
    if (typeof next !== 'string') throw new Problem(`link ${found[0].id} has no previous_archive_id`);
  }
  return found;
}

/** What the gateway says of the data item behind an id: signature, owner, anchor, tags; null if it says nothing. */
export async function fetchSignature(gateway, id) {
  const query = `query($id: ID!) { transaction(id: $id) { signature anchor recipient owner { key } tags { name value } } }`;
  try {
    const response = await fetch(`${gateway}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { id } }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return JSON.parse(await readText(response)).data.transaction ?? null;
  } catch {
    return null;
  }
}

/** Null if the gateway says that it has no such thing. Failures of the gateway are tried again. */
async function fetchText(gateway, id) {
  for (let tries = 1; ; tries++) {
    const failure = await fetch(`${gateway}/${id}`, { signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
      async (response) => {
        if (response.status === 200) return { text: await readText(response) };
        await response.body?.cancel();
        const isFinal = response.status < 500 && response.status !== 429;
        return isFinal ? { text: null } : `it answered ${response.status}`;
      },
      (error) => error.cause?.code ?? error.message,
    );
    if (typeof failure === 'object') return failure.text;
    if (tries === TRIES) throw new Problem(`the gateway ${gateway} could not be asked for ${id}: ${failure}`);
    await wait(FIRST_DELAY_MS * 2 ** (tries - 1));
  }
}

async function readText(response) {
  const pieces = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.length;
    if (size > MAX_BYTES) throw new Problem(`the gateway answered with more than ${MAX_BYTES} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function parse(id, text) {
  try {
    const document = JSON.parse(text);
    if (typeof document === 'object' && document !== null && !Array.isArray(document)) return document;
  } catch {
    // Said below, without quoting what came.
  }
  throw new Problem(`link ${id} is not a JSON object`);
}
