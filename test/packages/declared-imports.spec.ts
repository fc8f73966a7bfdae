import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['web', ...readdirSync(path.join(ROOT, 'packages')).map((name) => `packages/${name}`)];

const IMPORT = /(?:\bfrom |\bimport\(|^import )'((?:@[\w-]+\/)?[\w-][\w.-]*)(?:\/[^']*)?'/gm;

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
