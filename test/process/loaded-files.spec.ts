import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestDatabase } from '../support/database.js';
import { OwnFolder } from './own-folder.js';

/** Starts take long on a busy machine. */

/** Each takes Node about half a millisecond, and there were 2,000 before the build joined them. */
const MOST_FILES = 40;

const own = new OwnFolder();

describe('a service on PostgreSQL, with what is on by default', () => {
  let files: string[];

  beforeEach(async () => {
    const database = await createTestDatabase();
    own.cleanUps.push(() => database.drop());
    const service = await own.start({ DATABASE_URL: database.url, NODE_V8_COVERAGE: own.path });
    service.signal('SIGTERM');
    await service.ended;
    files = await codeFilesIn(own.path);
  });

  it('reads few files of code and nothing that only other settings need', async () => {
    const modules = (await Promise.all(files.map(modulesIn))).flat();

    expect(files.length).toBeLessThan(MOST_FILES);
    expect(modules).toContain('dist/src/proof/proof.service.js');
    // Of OpenTelemetry the metrics look whether there are traces.
    expect(modules.filter((name) => /@opentelemetry\/(?!api\/)|arweave\/node|pglite/.test(name))).toEqual([]);
  });
});

/** Files whose code ran in the process whose coverage V8 wrote to `folder`. */
async function codeFilesIn(folder: string): Promise<string[]> {
  const texts = await Promise.all((await readdir(folder)).map((name) => readFile(path.join(folder, name), 'utf8')));
  const scripts = texts.flatMap((text) => (JSON.parse(text) as { result: { url: string }[] }).result);
  return scripts.filter(({ url }) => url.startsWith('file:')).map(({ url }) => fileURLToPath(url));
}

/** The file, and the modules that the build joined in it: a comment before each names it. */
async function modulesIn(file: string): Promise<string[]> {
  const marks = (await readFile(file, 'utf8')).matchAll(/^\s*\/\/(?:#region)? (\S+\.js)$/gm);
  return [path.relative(process.cwd(), file), ...Array.from(marks, ([, name]) => name!)];
}
