import { cp, mkdir, mkdtemp, readdir, readFile, rm, truncate, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { assertEngineFits, EMBEDDED_MAJOR } from '../../src/database/embedded/embedded-folder.js';
import { messagesIn, runService } from '../support/service-process.js';

/** What a power cut or a copy that was cut short has made of a complete cluster. */
const DAMAGES: [string, (cluster: string) => Promise<void>, string][] = [
  ['PG_VERSION is empty', (cluster) => truncate(path.join(cluster, 'PG_VERSION')), 'PG_VERSION is empty'],
  ['PG_VERSION is missing', (cluster) => unlink(path.join(cluster, 'PG_VERSION')), 'PG_VERSION is missing'],
  [
    'PG_VERSION holds zeros',
    (cluster) => writeFile(path.join(cluster, 'PG_VERSION'), '\0\0\0'),
    'PG_VERSION is not a number',
  ],
  [
    'pg_control is empty',
    (cluster) => truncate(path.join(cluster, 'global', 'pg_control')),
    'global/pg_control is empty',
  ],
  [
    'pg_control is missing',
    (cluster) => unlink(path.join(cluster, 'global', 'pg_control')),
    'global/pg_control is missing',
  ],
  [
    'the folder of pg_control is missing',
    (cluster) => rm(path.join(cluster, 'global'), { recursive: true }),
    'missing',
  ],
];

describe('a data folder whose database is not whole', () => {
  let dataDir: string;
  let cluster: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
    cluster = path.join(dataDir, 'pglite');
    await cp(process.env.TEST_EMBEDDED_TEMPLATE!, cluster, { recursive: true });
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  it('is taken as it is while nothing is wrong with it', async () => {
    await expect(assertEngineFits(dataDir)).resolves.toBeUndefined();
  });

  it.each(DAMAGES)('is refused and kept: %s', async (_, damage, flaw) => {
    await damage(cluster);
    const before = await readdir(dataDir, { recursive: true });

    const refusal = expect(assertEngineFits(dataDir)).rejects;

    await refusal.toThrow(`The database in ${cluster} is not whole`);
    await expect(assertEngineFits(dataDir)).rejects.toThrow(flaw);
    expect(await readdir(dataDir, { recursive: true })).toEqual(before);
  });

  it('is named by the service in plain words, and begun anew once it is moved elsewhere', async () => {
    await truncate(path.join(cluster, 'PG_VERSION'));

    const { code, output } = await runService({ DATA_DIR: dataDir });

    expect(code).toBe(1);
    expect(messagesIn(output)).toMatch(
      /^The database in \S+ is not whole: PG_VERSION is empty\. .* Nothing was removed\./,
    );
    expect(output).not.toContain('NaN');
    expect(await readdir(cluster)).toContain('PG_VERSION');
  });

  it('is no database while the folder is empty', async () => {
    await rm(cluster, { recursive: true });
    await mkdir(cluster);

    await expect(assertEngineFits(dataDir)).resolves.toBeUndefined();
  });
});

describe('a data folder of another major version of PostgreSQL', () => {
  it('is recognised by the version of the engine that is built in', async () => {
    const made = path.join(process.env.TEST_EMBEDDED_TEMPLATE!, 'PG_VERSION');

    expect(Number(await readFile(made, 'utf8'))).toBe(EMBEDDED_MAJOR);
  });

  it.each([17, 19])('is refused by name and left as it is: %i', async (major) => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
    await mkdir(path.join(dataDir, 'pglite'));
    await writeFile(path.join(dataDir, 'pglite', 'PG_VERSION'), `${major}\n`);

    const { code, output } = await runService({ DATA_DIR: dataDir });

    expect(code).toBe(1);
    expect(output).toContain(
      `made by the embedded engine of PostgreSQL ${major}, and this version has that of 18. Start the version`,
    );
    expect(await readdir(path.join(dataDir, 'pglite'))).toEqual(['PG_VERSION']);
  });
});
