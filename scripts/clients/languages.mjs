/** What each program of docs/guide/languages needs, how it is built and run, and how a generated client is built. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const bin = (name) => path.join(ROOT, 'node_modules/.bin', name);
const venv = (work) => path.join(work, 'venv/bin/python3');

/**
 * `needs` are commands that succeed where the tools are there; `build` and `command` are told the folder in which all
 * programs are built; `generator` is a name of openapi-generator, with its properties and the commands that build what
 * it wrote.
 */
export const LANGUAGES = {
  typescript: {
    library: 'viem',
    source: 'signet.ts',
    needs: [['node', '--version']],
    build: () => [
      [bin('openapi-typescript'), '../openapi.json', '-o', 'api.d.ts'],
      [
        bin('tsc'),
        ...[
          '--strict',
          '--module',
          'nodenext',
          '--target',
          'es2023',
          '--skipLibCheck',
          '--types',
          'node',
          '--ignoreConfig',
        ],
        ...['--outDir', 'built', 'signet.ts'],
      ],
    ],
    command: () => [process.execPath, 'built/signet.js'],
  },
  python: {
    library: 'eth-account',
    source: 'signet.py',
    needs: [['python3', '-m', 'venv', '--help']],
    build: (work) => [
      ['python3', '-m', 'venv', path.join(work, 'venv')],
      [venv(work), '-m', 'pip', 'install', '--quiet', 'eth-account==0.14.0'],
    ],
    command: (work) => [venv(work), 'signet.py'],
    generator: {
      name: 'python',
      properties: 'packageName=signet_api',
      build: (work) => [
        [venv(work), '-m', 'pip', 'install', '--quiet', '.'],
        [venv(work), '-c', 'import signet_api'],
      ],
    },
  },
  go: {
    library: 'decred secp256k1',
    source: 'main.go',
    needs: [['go', 'version']],
    build: () => [['go', 'build', '-o', 'signet', '.']],
    command: () => ['./signet'],
    generator: {
      name: 'go',
      properties: 'packageName=signetapi,withGoMod=true',
      build: () => [
        ['go', 'mod', 'tidy'],
        ['go', 'build', '.'],
      ],
    },
  },
  rust: {
    library: 'k256',
    source: 'src/main.rs',
    needs: [['cargo', '--version']],
    build: () => [['cargo', 'build', '--quiet']],
    command: () => ['target/debug/signet-example'],
    generator: { name: 'rust', properties: 'packageName=signet_api', build: () => [['cargo', 'check', '--quiet']] },
  },
  java: {
    library: 'Bouncy Castle',
    source: 'src/main/java/Signet.java',
    needs: [
      ['javac', '-version'],
      ['mvn', '--version'],
    ],
    build: () => [
      ['mvn', '-q', '-B', 'compile'],
      ['mvn', '-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=target/libraries'],
    ],
    command: () => ['java', '-cp', 'target/classes:target/libraries/*', 'Signet'],
    generator: {
      name: 'java',
      properties: 'library=native,invokerPackage=org.example.api,hideGenerationTimestamp=true',
      build: () => [['mvn', '-q', '-B', '-DskipTests', '-Dmaven.javadoc.skip=true', 'compile']],
    },
  },
};
