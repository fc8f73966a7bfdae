import { parseArgs } from 'node:util';
import { type Environment, loadEnvironment } from '../config/environment.js';
import { assertSchemaThere, type Command, errorText, withDatabase } from '../database/command-database.js';
import { type ErasedRecord, eraseRecord, type EraseOptions, RefusedErasure } from './erase-record.js';

/** Characters of a reason, which is public for ever. */
const MAX_REASON = 200;

const ERASE_USAGE = `Usage: npm run log -- erase --link <id or uuid> --reason "<text>" [--with-binding] [--yes]
       npm run log -- erase --patch <id or uuid> --reason "<text>" [--with-older-content] [--yes]

Erases the text of a link or of a key-value patch for legal reasons; see docs/log.md. Without --yes it says what it
would do, and changes nothing. The reason is public for ever: at most ${MAX_REASON} characters, which name no person.`;

/** Ends the transaction of a trial. */
class Trial extends Error {
  constructor(readonly record: ErasedRecord) {
    super('This was a trial.');
  }
}

/**
 * `npm run log -- erase`: erases the text of one link or patch, and leaves what the log needs to say so. A server may
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
    const record = await erase(loadEnvironment(variables), options, isTrial);
    for (const line of describe(record, isTrial)) say(line);
    return 0;
  } catch (error) {
    say(error instanceof RefusedErasure ? `Nothing was erased. ${error.message}` : errorText(error));
    return error instanceof RefusedErasure ? 1 : 2;
  }
};

/** @throws RefusedErasure */
async function erase(environment: Environment, options: EraseOptions, isTrial: boolean): Promise<ErasedRecord> {
  return withDatabase(environment, 'log', async (source) => {
    await assertSchemaThere((sql, values) => source.query(sql, values));
    try {
      return await source.transaction('READ COMMITTED', async (manager) => {
        const record = await eraseRecord(manager, environment, options, new Date());
        if (isTrial) throw new Trial(record);
        return record;
      });
    } catch (error) {
      if (error instanceof Trial) return error.record;
      throw error;
    }
  });
}

/** Null for words that this command does not take. */
function readWords(words: string[]): (EraseOptions & { isTrial: boolean }) | null {
  try {
    const { values } = parseArgs({
      args: words,
      options: {
        link: { type: 'string' },
        patch: { type: 'string' },
        reason: { type: 'string' },
        'with-binding': { type: 'boolean', default: false },
        'with-older-content': { type: 'boolean', default: false },
        yes: { type: 'boolean', default: false },
      },
    });
    const name = (values.link ?? values.patch ?? '').toLowerCase();
    const reason = (values.reason ?? '').trim();
    const isOne = (values.link === undefined) !== (values.patch === undefined);
    const isReason = reason !== '' && reason.length <= MAX_REASON && !/[\p{C}\p{Zl}\p{Zp}]/u.test(reason);
    const isName = /^([1-9]\d{0,14}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.test(name);
    if (!isOne || !isReason || !isName) return null;
    return {
      kind: values.link === undefined ? 'kv' : 'link',
      name,
      reason,
      withBinding: values['with-binding'],
      withOlderContent: values['with-older-content'],
      isTrial: !values.yes,
    };
  } catch {
    return null;
  }
}

function* describe(record: ErasedRecord, isTrial: boolean): Generator<string> {
  const { kind, id, uuid, avatar, platform, identity, events, deliveries, content, archiveId, wasBound } = record;
  const what = `${kind === 'link' ? 'link' : 'patch'} ${id} (${uuid}) of ${avatar}, "${identity}" on ${platform}`;
  yield `${isTrial ? 'This would erase the text of the' : 'Erased the text of the'} ${what}:`;
  if (kind === 'link')
    yield '- identity, location, signed text and extra of the link; its evidence, unless another link names the identity';
  else
    yield `- identity, patch and signed text of the patch; ${content === null ? 'its entry has no other patch and is gone' : `the content of its entry is ${content} now`}`;
  if (wasBound) yield '- the binding that rests on it, with its checks';
  yield `- the texts of ${events} events and ${deliveries} deliveries of webhooks`;
  yield 'Left in the feed: kind, action, Avatar, platform, uuid, times, signature, hashes, and the reason. The log takes the erasure in when a server runs.';
  if (archiveId !== null) yield `Not erased: its document ${archiveId} was sent to the archive, which never forgets.`;
  yield 'Not erased: backups and the write-ahead log of the database, old row versions until VACUUM, and the copies of readers, subscribers and witnesses.';
  if (isTrial) yield 'Nothing was changed. Add --yes to erase it.';
}
