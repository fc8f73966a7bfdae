import { wordOf } from '@signet/verify/internal/log';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { type Environment, loadEnvironment } from '../config/environment.js';
import {
  assertSchemaThere,
  briefTransaction,
  type Command,
  errorText,
  type ExitCode,
  readSnapshot,
  withDatabase,
} from '../database/command-database.js';
import { isShownLine } from '../domain/shown-line.js';
import { AlreadyErased, type ErasedRecord, eraseRecord, type EraseOptions, tryErasure } from './erase-record.js';
import { RefusedErasure } from '../ledger/record-kind.js';
import { RECORD_KINDS } from '../records/record-kinds.js';
import { type ErasedRest, finishErasures } from './erasure-rests.js';

/** Characters of a reason, which is public for ever. */
const MAX_REASON = 200;

const CALLS = RECORD_KINDS.erasable.map(
  ({ item, erasure }) => `npm run log -- erase --${item} <id or uuid> --reason "<text>" [--${erasure.consent}] [--yes]`,
);

const ERASE_USAGE = `Usage: ${CALLS.join('\n       ')}

Erases the text of one record for legal reasons; see docs/log.md. Without --yes it says what it
would do, and changes nothing. The reason is public for ever: at most ${MAX_REASON} characters, which name no person.`;

/**
 * `npm run log -- erase`: erases the text of one record, and leaves what the log needs to say so. A server may
 * go on serving the same PostgreSQL meanwhile; an embedded database is open once at a time.
 */
export const eraseCommand: Command = async (variables, words, say) => {
  const asked = readWords(words.slice(1));
  if (!asked) {
    say(ERASE_USAGE);
    return 2;
  }
  const { isTrial, ...options } = asked;
  try {
    return await erase(loadEnvironment(variables), options, isTrial, say);
  } catch (error) {
    say(error instanceof RefusedErasure ? `Nothing was erased. ${error.message}` : errorText(error));
    return error instanceof RefusedErasure ? 1 : 2;
  }
};

/** @throws RefusedErasure */
async function erase(
  environment: Environment,
  options: EraseOptions,
  isTrial: boolean,
  say: (line: string) => void,
): Promise<ExitCode> {
  return withDatabase<ExitCode>(environment, 'log', async (source) => {
    await assertSchemaThere(source);
    const now = new Date();
    if (isTrial) {
      const record = await readSnapshot(source, (manager) => tryErasure(manager, environment, options, now));
      for (const line of describe(record, isTrial)) say(line);
      return 0;
    }
    const left = await finishErasures(source);
    if (left) say(`An erasure of before is finished: the texts of ${inWords(left)} are gone.`);
    try {
      const planned = await briefTransaction(source, (manager) => eraseRecord(manager, environment, options, now));
      const rest = await finishErasures(source).catch((error: unknown) => {
        say('The text is erased. What events and deliveries have of it is not, yet:');
        say('a server that runs does that within a minute, or this command, when it is run again.');
        throw error;
      });
      for (const line of describe({ ...planned, ...(rest ?? NOTHING_LEFT) }, isTrial)) say(line);
      return 0;
    } catch (error) {
      if (left && error instanceof AlreadyErased) return 0;
      throw error;
    }
  });
}

/** Where a server has done the rest meanwhile. */
const NOTHING_LEFT: ErasedRest = { events: 0, deliveries: 0 };

function inWords({ events, deliveries }: ErasedRest): string {
  return `${events} events and ${deliveries} deliveries of webhooks`;
}

/** Null for words that this command does not take. */
function readWords(words: string[]): (EraseOptions & { isTrial: boolean }) | null {
  try {
    const { all, erasable } = RECORD_KINDS;
    const options: NonNullable<ParseArgsConfig['options']> = {};
    for (const option of ['reason', ...all.map(({ item }) => item)]) options[option] = { type: 'string' };
    for (const option of ['yes', ...erasable.map(({ erasure }) => erasure.consent)])
      options[option] = { type: 'boolean' };
    const values: Record<string, unknown> = parseArgs({ args: words, options }).values;
    const named = all.filter(({ item }) => values[item] !== undefined);
    const text = (option = '') => (typeof values[option] === 'string' ? values[option] : '');
    const name = text(named[0]?.item).toLowerCase();
    const reason = text('reason').trim();
    const isName = /^([1-9]\d{0,14}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.test(name);
    if (named.length !== 1 || !isShownLine(reason, MAX_REASON) || !isName) return null;
    return {
      kind: named[0]!.name,
      name,
      reason,
      consents: erasable.map(({ erasure }) => erasure.consent).filter((consent) => values[consent] === true),
      isTrial: values['yes'] !== true,
    };
  } catch {
    return null;
  }
}

function* describe(record: ErasedRecord, isTrial: boolean): Generator<string> {
  const { kind, id, uuid, avatar, platform, identity, rest, archiveId } = record;
  const what = `${wordOf(kind)} ${id} (${uuid}) of ${avatar}, "${identity}" on ${platform}`;
  yield `${isTrial ? 'This would erase the text of the' : 'Erased the text of the'} ${what}:`;
  yield* kind.erasure.describe(rest);
  yield `- the texts of ${inWords(record)}`;
  yield 'Left in the feed: kind, action, Avatar, platform, uuid, times, signature, hashes, and the reason. The log takes the erasure in when a server runs.';
  if (archiveId !== null) yield `Not erased: its document ${archiveId} was sent to the archive, which never forgets.`;
  yield 'Not erased: backups and the write-ahead log of the database, old row versions until VACUUM, and the copies of readers, subscribers and witnesses.';
  if (isTrial) yield 'Nothing was changed. Add --yes to erase it.';
}
