/** The programs of docs/guide/languages: what each needs, and how it and the client that it uses are built and run. */
import { cpSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateClient, GENERATOR_NEEDS, GENERATOR_VERSION } from './generator.mjs';
import { run } from './commands.mjs';
import { tryProgram } from './try-program.mjs';

/** @import { Step } from './types.d.ts' */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = path.join(ROOT, 'docs/guide/languages');

/** @param {string} name */
const bin = (name) => path.join(ROOT, 'node_modules/.bin', name);
const GENERATED = `openapi-generator ${GENERATOR_VERSION}`;
const VENV_PYTHON = '../venv/bin/python3';
// The programs are copied below the folder of this repository, whose tsconfig.json is not theirs.
const TYPESCRIPT =
  '--strict --module nodenext --target es2023 --skipLibCheck --types node --ignoreConfig --outDir built';

/** @typedef {{ source: string, client?: string, build: string[][], command: string[] }} Program */

/**
 * `client` is the folder into which openapi-generator writes; `build` are the commands that build client and program,
 * run in the folder of the program; `command` is the program.
 *
 * @type {Record<string, Pick<Step, 'library' | 'needs'> & Program>}
 */
const PROGRAMS_BY_LANGUAGE = {
  typescript: {
    library: 'viem; openapi-typescript and openapi-fetch',
    source: 'signet.ts',
    needs: [['node', '--version']],
    build: [
      [bin('openapi-typescript'), '../openapi.json', '-o', 'api.d.ts'],
      [bin('tsc'), ...TYPESCRIPT.split(' '), 'signet.ts'],
    ],
    command: [process.execPath, 'built/signet.js'],
  },
  python: {
    library: `eth-account; ${GENERATED}`,
    source: 'signet.py',
    needs: [['python3', '-m', 'venv', '--help'], ...GENERATOR_NEEDS],
    client: 'client',
    build: [
      ['python3', '-m', 'venv', '../venv'],
      [VENV_PYTHON, '-m', 'pip', 'install', '--quiet', 'eth-account==0.14.0', './client'],
    ],
    command: [VENV_PYTHON, 'signet.py'],
  },
  go: {
    library: `decred secp256k1; ${GENERATED}`,
    source: 'main.go',
    needs: [['go', 'version'], ...GENERATOR_NEEDS],
    client: 'signetapi',
    build: [
      ['go', 'vet', '.', './signetapi'],
      ['go', 'build', '-o', 'signet', '.'],
    ],
    command: ['./signet'],
  },
  rust: {
    library: `k256; ${GENERATED}`,
    source: 'src/main.rs',
    needs: [['cargo', '--version'], ...GENERATOR_NEEDS],
    client: 'client',
    build: [['cargo', 'build', '--quiet']],
    command: ['target/debug/signet-example'],
  },
  java: {
    library: `Bouncy Castle; ${GENERATED}`,
    source: 'src/main/java/Signet.java',
    needs: [['javac', '-version'], ['mvn', '--version'], ...GENERATOR_NEEDS],
    client: 'client',
    build: [
      ['mvn', '-q', '-B', '-f', 'client', '-DskipTests', '-Dmaven.javadoc.skip=true', 'install'],
      ['mvn', '-q', '-B', 'compile'],
      ['mvn', '-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=target/libraries'],
    ],
    command: ['java', '-cp', 'target/classes:target/libraries/*', 'Signet'],
  },
};

/**
 * The programs as steps of test-clients.mjs.
 * @type {Step[]}
 */
export const PROGRAMS = Object.entries(PROGRAMS_BY_LANGUAGE).map(
  ([language, { library, source, needs, client, build, command }]) => ({
    language,
    what: 'program',
    library,
    sources: [path.join(FOLDER, language, source)],
    needs,
    async try({ work, baseUrl }) {
      const folder = path.join(work, language);
      cpSync(path.join(FOLDER, language), folder, { recursive: true });
      if (client) generateClient(folder, client, run);
      for (const [tool, ...words] of build) run(folder, tool, words);
      await tryProgram({ folder, command, baseUrl });
      return 'binds, looks up, writes, reads, follows; says what is wrong with each bad input';
    },
  }),
);
