import { linkRecord, patchRecord, TreeFrontier } from '@signet/verify/internal/log';
import {
  type Checkpoint,
  encodeHex,
  isSignedBy,
  leafHash,
  type LogEntry,
  readCheckpoint,
  type VerifierKey,
} from '@signet/verify/log';
import { type AnsweredLink, readFeed } from '../support/chain-checks.js';
import { until } from '../support/until.js';
import { headOfRecords, type LogServer, policyOf, readEntries, recordsOf } from './log-client.js';
import { problemsOfMap } from './map-replay.js';

/** A patch as the feed answers it, as far as it is needed here. */
interface AnsweredPatch {
  id: number;
  uuid: string;
}

/**
 * What is wrong with the log of a server that nobody writes to any more; empty if nothing is. Every entry is held
 * against both feeds, and every checkpoint against the entries.
 * @param acknowledged uuids of links and patches whose 201 came back
 * @param notes checkpoints that were seen on whatever server
 */
export async function problemsOfLog(
  server: LogServer,
  acknowledged: string[],
  notes: Iterable<string> = [],
): Promise<string[]> {
  await until(async () => {
    const { body } = await server.get('/v1/log');
    return body.state === 'refused' || (body.state === 'ok' && body.waiting === 0);
  });
  const { body } = await server.get('/v1/log');
  if (body.state === 'refused') return [`nothing is signed any more: ${body.problem}`];

  const links = await readFeed(server);
  const patches = await readPatchFeed(server);
  const head = await headOfRecords(server, links.length + patches.length);
  const entries = await readEntries(server, head.size);
  const [log] = (await policyOf(server)).logs;
  return [
    ...problemsOfMap(entries),
    ...((entries.at(-1)?.entry.kind as string) === 'map' ? [] : ['the newest entry is not one of the map']),
    ...problemsOfEntries(
      recordsOf(entries).map(({ entry }) => entry),
      { links, patches, acknowledged },
    ),
    ...problemsOfCheckpoints(
      [head, ...Array.from(notes, (note) => readCheckpoint(note)!)],
      entries.map(({ bytes }) => bytes),
      log!.key,
    ),
  ];
}

/** All patches, by following the cursor until nothing comes. */
async function readPatchFeed(server: LogServer): Promise<AnsweredPatch[]> {
  const patches: AnsweredPatch[] = [];
  for (;;) {
    const { status, body } = await server.get(`/v1/kv/changes?last_id=${patches.at(-1)?.id ?? 0}&count=100`);
    if (status !== 200) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
    if (body.patches.length === 0) return patches;
    patches.push(...(body.patches as AnsweredPatch[]));
  }
}

function problemsOfEntries(
  entries: LogEntry[],
  { links, patches, acknowledged }: { links: AnsweredLink[]; patches: AnsweredPatch[]; acknowledged: string[] },
): string[] {
  const times = new Map<string, number>();
  for (const { uuid } of entries) times.set(uuid, (times.get(uuid) ?? 0) + 1);
  const feeds = {
    link: links.map((link) => ({ ...link, record: linkRecord(link as Parameters<typeof linkRecord>[0]) })),
    kv: patches.map((patch) => ({ ...patch, record: patchRecord(patch as Parameters<typeof patchRecord>[0]) })),
  };
  return [
    ...[...times].flatMap(([uuid, count]) => (count === 1 ? [] : [`${uuid} is ${count} times in the log`])),
    ...acknowledged.flatMap((uuid) => (times.has(uuid) ? [] : [`${uuid} was acknowledged and is not in the log`])),
    ...(['link', 'kv'] as const).flatMap((kind) => {
      const logged = entries.filter((entry) => entry.kind === kind);
      const feed = feeds[kind];
      const wrong = logged.findIndex(
        ({ id, uuid, record }, index) =>
          id !== index + 1 || uuid !== feed[index]?.uuid || id !== feed[index]?.id || record !== feed[index]?.record,
      );
      return [
        ...(logged.length === feed.length ? [] : [`${feed.length} of kind ${kind}, ${logged.length} in the log`]),
        ...(wrong < 0 ? [] : [`entry ${wrong + 1} of kind ${kind} is not number ${wrong + 1} of its feed`]),
      ];
    }),
  ];
}

/** Each has to be the head of the first entries: then any two of them are consistent. */
function problemsOfCheckpoints(checkpoints: Checkpoint[], entries: Uint8Array[], key: VerifierKey): string[] {
  const problems = checkpoints.flatMap(({ note, size }) =>
    isSignedBy(note, key) ? [] : [`a checkpoint of ${size} entries is not signed by the log`],
  );
  const bySize = new Map<number, Set<string>>();
  for (const { size, root } of checkpoints) {
    bySize.set(size, (bySize.get(size) ?? new Set()).add(encodeHex(root)));
  }
  const tree = new TreeFrontier();
  for (const [size, roots] of [...bySize].sort(([one], [other]) => one - other)) {
    if (roots.size > 1) problems.push(`${roots.size} roots of ${size} entries were signed`);
    while (tree.size < size && tree.size < entries.length) tree.add(leafHash(entries[tree.size]!));
    if (tree.size < size) problems.push(`a checkpoint of ${size} entries was shown, and there are ${tree.size}`);
    else if (!roots.has(encodeHex(tree.root()))) problems.push(`the root of ${size} entries is not theirs`);
  }
  return problems;
}
