import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Comments of the sources and tests as running text, so that a citation may be broken over two lines. */
const sources = ['src', 'packages/look/src', 'test', 'bench', 'scripts'].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.m?ts$|\.mjs$/.test(name) && name !== path.join('docs', 'design.spec.ts'))
    .map((name) => ({
      name: `${folder}/${name}`,
      text: readFileSync(path.join(ROOT, folder, name), 'utf8').replace(/\n\s*(\/\/|\*) ?/g, ' '),
    })),
);

/** The numbers of the sections of a page: `## 3. Signed texts`, `### 0.3 Outcomes`, `## Appendix A2. Answers`. */
const sectionsOf = (page: string): string[] =>
  [
    ...readFileSync(path.join(ROOT, 'docs/design', `${page}.md`), 'utf8').matchAll(
      /^(?:##+ |- \*\*)((?:Appendix \w+|[\d.]*\d))/gm,
    ),
  ].map((match) => match[1]!.toLowerCase());

describe.each(['decisions', 'platforms'])('docs/design/%s.md', (page) => {
  it('has the sections that comments cite', () => {
    const cited = sources.flatMap(({ name, text }) =>
      [
        ...text.matchAll(new RegExp(`docs/design/${page}\\.md,? (?:section )?(appendix \\w+|\\d+(?:\\.\\d+)?)`, 'gi')),
      ].map((match) => ({ name, section: match[1]!.toLowerCase() })),
    );
    const sections = sectionsOf(page);

    expect(cited.length).toBeGreaterThan(3);
    expect(cited.filter(({ section }) => !sections.includes(section))).toEqual([]);
  });

  it('is always cited by its path in the repository', () => {
    const bare = sources.filter(({ text }) => new RegExp(`(?<![/'\\w])${page}\\.md`).test(text));

    expect(bare.map(({ name }) => name)).toEqual([]);
  });
});
