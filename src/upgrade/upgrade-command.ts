import { type Environment, loadEnvironment } from '../config/environment.js';
import { compareVersions, nextMinor, SERVICE_VERSION } from '../config/version.js';
import { type Command, type ExitCode, errorText, withDatabase } from '../database/command-database.js';
import type { OpenDatabase } from '../database/database.js';
import { diskOf, type DiskSpace, sizeText } from './disk-space.js';
import { OLDEST_VERSION_BESIDE } from '../database/schema/migrations/index.js';
import { durationText, roomProblem } from './forecast.js';
import { planUpgrade, type UpgradePlan } from './upgrade-plan.js';

const GIB = 2 ** 30;

const UPGRADE_USAGE =
  'Usage: npm run upgrade -- --check [--free <GiB>]    what this version would do with the database; changes nothing';

/**
 * `npm run upgrade`: what this version would do with a database, for operators, before the upgrade. Servers may go on
 * serving the same PostgreSQL meanwhile; an embedded database can be open in one process only.
 */
export const upgradeCommand: Command = async (variables, words, print) => {
  const freeBytes = freeBytesOf(words);
  if (words[0] !== '--check' || freeBytes === undefined) {
    print(UPGRADE_USAGE);
    return 2;
  }
  try {
    return await check(loadEnvironment(variables), freeBytes, print);
  } catch (error) {
    print(errorText(error));
    return 2;
  }
};

/** Bytes behind `--free`; null without it; undefined if it is not a number. */
function freeBytesOf(words: string[]): number | null | undefined {
  const [, flag, value, ...rest] = words;
  if (flag === undefined) return null;
  const gib = Number(value ?? NaN);
  return flag === '--free' && rest.length === 0 && gib >= 0 ? gib * GIB : undefined;
}

async function check(
  environment: Environment,
  freeBytes: number | null,
  print: (line: string) => void,
): Promise<ExitCode> {
  return withDatabase(environment, 'upgrade', async (source, database) => {
    const plan = await planUpgrade(source, environment.SERVICE_NAME, environment.LOG);
    const [{ bytes }] = await source.query<[{ bytes: number }]>('select pg_database_size(current_database()) as bytes');
    print(`Version    ${SERVICE_VERSION}`);
    print(`Database   ${database.description}, ${sizeText(bytes)}`);
    if (plan.refusal !== null) {
      print(`Refused    ${plan.refusal}`);
      return 1;
    }
    for (const line of describe(plan, database)) print(line);
    return judgeSpace(plan, await diskOf(database, source), freeBytes, print);
  });
}

function describe(plan: UpgradePlan, database: OpenDatabase): string[] {
  const { schema, migrations, work } = plan;
  return [
    `Schema     ${schema === null ? 'none yet' : `of ${schema}`}`,
    `Servers    ${besideText(plan, database)}`,
    '',
    migrations.length === 0
      ? 'At the start: nothing; the schema is up to date.'
      : `At the start, each in a moment, and given up and tried again where a table is in use: ${migrations.length} migrations`,
    ...migrations.map((name) => `  ${name}`),
    work.length === 0
      ? 'Afterwards: nothing.'
      : 'Afterwards, by one server while all serve (small tables: at the start):',
    ...work.map(({ title, rows, seconds, bytes }) => {
      const space = bytes > 0 ? `, ${sizeText(bytes)}` : '';
      return `  ${title}: ${Math.round(rows).toLocaleString('en-US')} rows, ${durationText(seconds)}${space}`;
    }),
  ];
}

/** Whether servers of the version before may stay while those of this one are started. */
function besideText({ schema }: UpgradePlan, { kind }: OpenDatabase): string {
  if (kind === 'embedded') return 'an embedded database has one server: stop it, then start this version.';
  if (schema === null) return `any of ${OLDEST_VERSION_BESIDE} or newer`;
  const mayStay = !/^\d/.test(schema) || compareVersions(schema, OLDEST_VERSION_BESIDE) >= 0;
  return mayStay
    ? `of ${OLDEST_VERSION_BESIDE} and newer may stay while this version is started, and have to be gone before ${nextMinor(SERVICE_VERSION)}.`
    : `of versions before ${OLDEST_VERSION_BESIDE} have to be stopped first.`;
}

function judgeSpace(
  { work }: UpgradePlan,
  disk: DiskSpace | null,
  givenFreeBytes: number | null,
  print: (line: string) => void,
): ExitCode {
  const needed = work.reduce((sum, { bytes }) => sum + bytes, 0);
  const seconds = work.reduce((sum, { seconds: each }) => sum + each, 0);
  const freeBytes = givenFreeBytes ?? disk?.freeBytes ?? null;
  print('');
  print(`Time       ${durationText(seconds)}, as on a small machine that serves meanwhile`);
  print(`Space      ${needed === 0 ? 'next to nothing' : `about ${sizeText(needed)} more`}`);
  if (freeBytes === null) {
    print('Free       cannot be seen from here; look at the disk of the database server, or give --free <GiB>.');
    return 0;
  }
  const where = givenFreeBytes === null ? ` on the disk of ${disk!.folder}` : ', as given';
  print(`Free       ${sizeText(freeBytes)}${where}`);
  const problem = roomProblem(needed, freeBytes);
  if (problem !== null) print(`Refused    ${problem[0]!.toUpperCase()}${problem.slice(1)}`);
  return problem === null ? 0 : 1;
}
