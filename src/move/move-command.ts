import { type Environment, loadEnvironment } from '../config/environment.js';
import { verifyChains } from '../audit/verify-command.js';
import { type Command, type ExitCode, errorText, readSnapshot, withDatabase } from '../database/command-database.js';
import { DatabaseUnusableError, type OpenDatabase } from '../database/database.js';
import { type MoveSource, type MoveTarget, readMove, whereItIs } from '../database/schema/moved.js';
import { migrate } from '../database/schema/migrator.js';
import type { SqlSource } from '../database/sql-source.js';
import { UPGRADE_STEPS } from '../database/schema/upgrade-steps.js';
import { RECORD_KINDS } from '../records/record-kinds.js';
import { HeadFiles } from '../transparency-log/signing/heads/head-files.js';
import { contradicts } from '../transparency-log/signing/heads/log-heads.js';
import { whatToDo } from '../transparency-log/signing/heads/log-place.js';
import { LogCheck } from '../transparency-log/check/log-check.js';
import { LogFinding } from '../transparency-log/check/log-finding.js';
import { type LogStore, openLogStore } from '../transparency-log/signing/heads/log-store.js';
import {
  assertEmpty,
  completeTarget,
  endSource,
  markSource,
  prepareTarget,
  releaseTarget,
  unmarkSource,
} from './move-marks.js';
import { copyTable, movedTables, type MoveSide, sumOf, tablesOf } from './moved-tables.js';

const PROGRESS_MS = 2_000;

const MOVE_USAGE = `Usage: npm run move -- --from <DATA_DIR or URL> --to <URL or DATA_DIR>   moves the database; again: goes on
       npm run move -- --from <DATA_DIR or URL> --cancel                     gives up a move that has not ended`;

type Print = (line: string) => void;

/**
 * `npm run move`: moves all that a deployment holds into an empty database, of either kind. The source is marked first:
 * its servers start no more, and nothing is written there. The target is used by no server before all of it was
 * compared and verified, and the source says that the move is over. So at each moment one of both may sign, or none; a
 * run that was cut short anywhere is gone on with by running it again.
 */
export const moveCommand: Command = async (variables, words, print) => {
  const { from, to, isCancelled } = readWords(words);
  if (from === undefined || (to === undefined) !== isCancelled) {
    print(MOVE_USAGE);
    return 2;
  }
  try {
    const environment = settingsFor(variables, from);
    return await withDatabase(environment, 'move', async (source, database) => {
      const side = { source, database };
      const store = await openLogStore(source, database, RECORD_KINDS);
      if (to === undefined) return cancel(side, store, print);
      let isTaken = false;
      const prepare = async (target: OpenDatabase) => void (isTaken = !(await makeTables(target)));
      return withDatabase(
        settingsFor(variables, to),
        'move',
        (targetSource, target) =>
          new Move(environment, { ...side, store }, { source: targetSource, database: target }, print).run(isTaken),
        prepare,
      );
    });
  } catch (error) {
    print(errorText(error));
    return 2;
  }
};

function readWords(words: string[]): { from?: string | undefined; to?: string | undefined; isCancelled: boolean } {
  const given = new Map<string, string>();
  let isCancelled = false;
  for (let place = 0; place < words.length; place++) {
    const word = words[place]!;
    const isKnown = (word === '--from' || word === '--to') && !given.has(word);
    if (word === '--cancel') isCancelled = true;
    else if (isKnown && words[place + 1]) given.set(word, words[++place]!);
    else return { isCancelled: true };
  }
  return { from: given.get('--from'), to: given.get('--to'), isCancelled };
}

/** The settings of the service, for the database at a URL or in a folder. */
function settingsFor(variables: Record<string, string | undefined>, place: string): Environment {
  const isUrl = /^postgres(ql)?:\/\//.test(place);
  const others = { DATABASE_DIRECT_URL: undefined, DATABASE_REPLICA_URLS: undefined };
  const where = isUrl ? { DATABASE_URL: place } : { DATABASE_URL: undefined, DATA_DIR: place };
  return loadEnvironment({ ...variables, ...others, ...where });
}

/** Makes the tables in an empty database; returns false, and changes nothing, if it is not empty. */
async function makeTables({ directUrl }: OpenDatabase): Promise<boolean> {
  let isEmpty = false;
  const look = async (source: SqlSource) => {
    if ((await readMove(source)) === null) await assertEmpty(source, await tablesOf(source));
    isEmpty = true;
  };
  try {
    await migrate(directUrl, undefined, { look });
    return true;
  } catch (error) {
    if (isEmpty || !(error instanceof DatabaseUnusableError)) throw error;
    return false;
  }
}

/** Gives up a move whose target was not released. */
async function cancel(from: MoveSide, store: LogStore, print: Print): Promise<ExitCode> {
  const note = await readMove(from.source);
  if (note?.role !== 'source' || note.isOver) {
    print(note ? whereItIs(note) : 'No move has begun here.');
    return 2;
  }
  await unmarkSource(from, store, note);
  print(`The move to ${note.other} is given up. This database may be used again; that one has to be emptied.`);
  return 0;
}

class Move {
  private printedAtMs = performance.now();

  constructor(
    private readonly environment: Environment,
    private readonly from: MoveSide & { store: LogStore },
    private readonly to: MoveSide,
    private readonly print: Print,
  ) {}

  /** @param isTaken whether the target holds something, and is not the target of a move */
  async run(isTaken: boolean): Promise<ExitCode> {
    const other = this.to.database.description;
    const begun = await readMove(this.from.source);
    const isOver = begun?.role === 'source' && begun.isOver;
    if (isOver && (isTaken || begun.other !== other)) {
      this.print(whereItIs(begun));
      return begun.other === other ? 0 : 2;
    }
    if (isTaken) throw new DatabaseUnusableError(`The target, ${other}, is not empty.`);
    const problem = begun === null ? await this.problem() : null;
    if (problem !== null) {
      this.print(problem);
      return 1;
    }
    const mark = await markSource(this.from, this.from.store, other);
    this.print(`Nothing is written to ${this.from.database.description} any more. It moves to ${other}.`);
    const note = await prepareTarget(this.to, mark, this.from.database.description);
    if (mark.isOver) return this.release(mark, note);
    const copied = await this.copy(note);
    if (!(await this.compare()) || !(await this.verify())) {
      this.print('The target is not used. Find out what has changed it, or give the move up: --cancel.');
      return 1;
    }
    return this.release(await endSource(this.from, mark), copied);
  }

  /** Why the move cannot begin; null if it can. */
  private async problem(): Promise<string | null> {
    const { source, store } = this.from;
    // Another version may have left steps that no server of this one does.
    const [{ open }] = await source.query<[{ open: number }]>(
      'select count(*)::int as open from upgrade_step where due_at is not null and id = any($1)',
      [UPGRADE_STEPS.map(({ id }) => id)],
    );
    if (open > 0) return `${open} steps of the last upgrade are to be done: let a server run until /readyz shows none.`;
    const { state, head, change } = await store.snapshot();
    if (change) return whatToDo(change);
    const seen = state && (await new HeadFiles(this.environment, state.origin).read());
    if (!seen || !contradicts(head, seen)) return null;
    return `A tree head of ${seen.size} entries was signed that the database does not have; see docs/log.md.`;
  }

  private async copy(begun: MoveTarget): Promise<MoveTarget> {
    let note = begun;
    for (const table of await movedTables(this.from)) {
      const say = (part: number) => this.sayAtTimes(`${table.name}: ${Math.floor(100 * part)} % copied`);
      note = await copyTable(this.from, this.to, table, note, say);
    }
    this.print('All tables are copied. References, triggers and the next numbers follow.');
    return completeTarget(this.from, this.to, note);
  }

  /** Compares numbers of rows, and sums of their hashes. */
  private async compare(): Promise<boolean> {
    for (const table of await movedTables(this.from)) {
      const [was, is] = [await sumOf(this.from, table), await sumOf(this.to, table)];
      const isEqual = was.rows === is.rows && was.hash === is.hash;
      this.print(
        `${table.name}: ${is.rows} rows${isEqual ? ', as they were' : `. BAD: ${was.rows} rows, or others, before`}`,
      );
      if (!isEqual) return false;
    }
    return true;
  }

  /** As `npm run verify` and `npm run log -- check` do. */
  private async verify(): Promise<boolean> {
    const store = await openLogStore(this.to.source, this.to.database, RECORD_KINDS);
    return readSnapshot(this.to.source, async (manager) => {
      if (!(await verifyChains((sql, values) => manager.query(sql, values), this.print))) return false;
      const { state } = await store.snapshot(manager);
      if (!state) return true;
      try {
        const heads = await new LogCheck(manager, state, this.environment, RECORD_KINDS).run();
        this.print(`${state.origin}: ${state.size} entries and ${heads} stored tree heads. All is as it was signed.`);
        return true;
      } catch (error) {
        if (!(error instanceof LogFinding)) throw error;
        this.print(`${state.origin}: BAD. ${error.message}`);
        return false;
      }
    });
  }

  private async release({ refusal, other }: MoveSource, note: MoveTarget): Promise<ExitCode> {
    await releaseTarget(this.to, await openLogStore(this.to.source, this.to.database, RECORD_KINDS), note, refusal);
    this.print(`The move is over: start the service on ${other}. Keep the old database until that has a backup.`);
    return 0;
  }

  private sayAtTimes(line: string): void {
    if (performance.now() - this.printedAtMs < PROGRESS_MS) return;
    this.printedAtMs = performance.now();
    this.print(line);
  }
}
