import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGES = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join('docs', name)),
  ...[
    'vectors',
    'examples/verifiers',
    ...readdirSync(path.join(ROOT, 'packages')).map((name) => `packages/${name}`),
  ].map((folder) => `${folder}/README.md`),
];
const SITE = readFileSync(path.join(ROOT, 'docs/.vitepress/config.mjs'), 'utf8');

/** The anchor that a headline gets on the page, as GitHub makes it. */
const anchorOf = (headline: string): string =>
  headline
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');
const anchorsOf = (text: string): string[] => [...text.matchAll(/^#+ (.+)$/gm)].map((match) => anchorOf(match[1]!));

describe.each(PAGES)('%s', (page) => {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  const prose = text.replace(/^```[^]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');

  it('is in the menu of the site', () => {
    expect(SITE).toContain(`'${page}')`);
  });

  it('links only to files and headlines that exist', () => {
    const broken = [...prose.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)]+))?\)/g)].filter(([, file, headline]) => {
      const target = file === '' ? path.join(ROOT, page) : path.join(ROOT, path.dirname(page), file!);
      if (!existsSync(target)) return true;
      return headline !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(headline);
    });

    expect(broken.map(([link]) => link)).toEqual([]);
  });
});
