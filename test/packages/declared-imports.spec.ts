import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['web', ...readdirSync(path.join(ROOT, 'packages')).map((name) => `packages/${name}`)];

const IMPORT = /(?:\bfrom |\bimport\(|^import )'((?:@[\w-]+\/)?[\w-][\w.-]*)(?:\/[^']*)?'/gm;

/** An import, not a line of a text that shows one. */
const OWN_ENTRY = /^(?:import|export|\} from)\b.*'(@signet\/[\w/-]+)'/gm;

/** The packages that the sources of a folder import, by name. */
function importedBy(folder: string): string[] {
  const sources = path.join(ROOT, folder, 'src');
  const names = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  const texts = names.map((name) => readFileSync(path.join(sources, name), 'utf8'));
  return [...new Set(texts.flatMap((text) => [...text.matchAll(IMPORT)].map(([, name]) => name!)))];
}

it.each(FOLDERS)('%s declares each package that its sources import, itself', (folder) => {
  const manifest = JSON.parse(readFileSync(path.join(ROOT, folder, 'package.json'), 'utf8'));
  const declared = [manifest.dependencies, manifest.devDependencies, manifest.peerDependencies].flatMap((group) =>
    Object.keys(group ?? {}),
  );
  const imported = importedBy(folder);

  expect(imported.length).toBeGreaterThan(0);
  expect(imported.filter((name) => !declared.includes(name))).toEqual([]);
});

/**
 * Projects whose types are checked before anything is built, with the folders that they read: an entry of ours that
 * `paths` does not lead to its source is found there only once its package was built.
 */
const PROJECTS: [name: string, folders: string[]][] = [
  ['tsconfig.json', ['src', 'test', 'bench', 'scripts', ...packagesWith('src'), ...packagesWith('test')]],
  ['web/tsconfig.json', ['web/src', 'packages/verify/src', 'packages/look/src', 'packages/sdk/src']],
];

function packagesWith(folder: string): string[] {
  return FOLDERS.map((name) => `${name}/${folder}`).filter(
    (name) => name.startsWith('packages/') && existsSync(path.join(ROOT, name)),
  );
}

it.each(PROJECTS)('%s leads each entry of ours that is imported to its source', (name, folders) => {
  const { paths } = ts.readConfigFile(path.join(ROOT, name), ts.sys.readFile).config.compilerOptions as {
    paths: Record<string, string[]>;
  };
  const imported = folders.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((file) => [...readFileSync(path.join(ROOT, folder, file), 'utf8').matchAll(OWN_ENTRY)])
      .map(([, entry]) => entry!),
  );

  expect(imported.length).toBeGreaterThan(10);
  expect([...new Set(imported)].filter((entry) => !(entry in paths))).toEqual([]);
  for (const [source] of Object.values(paths)) {
    expect(existsSync(path.join(ROOT, path.dirname(name), source!))).toBe(true);
  }
});
