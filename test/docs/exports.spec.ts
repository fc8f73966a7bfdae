import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { allEntryPoints, entryPoints } from '../../scripts/reference/entry-points.mjs';
import { readExamples } from '../../scripts/reference/examples.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** An export of an entry point: where a reader imports it from, and what its comment says. */
interface Export {
  entry: string;
  name: string;
  comment: string;
  /** Whether there is anything of it when a program runs: a type needs no example. */
  isValue: boolean;
  /** What is exported: several entries may export the same. */
  declared: ts.Symbol;
}

/** What the sources export, as the compiler sees it: through every re-export, to the declaration with the comment. */
function exportsOf(entries: { name: string; source: string }[], options: ts.CompilerOptions): Export[] {
  const program = ts.createProgram(
    entries.map(({ source }) => source),
    options,
  );
  const checker = program.getTypeChecker();
  return entries.flatMap((entry) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(entry.source)!);
    if (!module) throw new Error(`${entry.name} exports nothing.`);
    return checker.getExportsOfModule(module).map((symbol) => {
      const declared = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const comment = ts.displayPartsToString(declared.getDocumentationComment(checker));
      const isValue = (declared.flags & ts.SymbolFlags.Value) !== 0 && !isTypeOnly(symbol);
      return { entry: entry.name, name: symbol.name, comment, isValue, declared };
    });
  });
}

/** Whether `export type` exports a class, which can then not be made. */
function isTypeOnly({ declarations }: ts.Symbol): boolean {
  const [first] = declarations ?? [];
  return first !== undefined && ts.isExportSpecifier(first) && (first.isTypeOnly || first.parent.parent.isTypeOnly);
}

/** Why a comment is no help to who sees it in an editor; null where it is. */
function problemOf(comment: string): string | null {
  if (comment.trim() === '') return 'has no comment';
  if (/(?<![/\w-])[a-z][\w-]*\.(ts|mjs)\b/.test(comment)) return 'names a file that is not in the package';
  return /^(as|see) [`A-Za-z]/i.test(comment) ? 'points elsewhere instead of saying it' : null;
}

describe('what the packages export', () => {
  const { options } = ts.parseJsonConfigFileContent(
    { ...(ts.readConfigFile(path.join(ROOT, 'tsconfig.json'), ts.sys.readFile).config as object), files: [] },
    ts.sys,
    ROOT,
  );
  const entries = entryPoints();
  let all: Export[] = [];
  beforeAll(() => {
    all = exportsOf(allEntryPoints(), options);
  });

  it('is found by the manifests of all packages that programs import', () => {
    const { workspaces } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
      workspaces: string[];
    };

    expect(workspaces).toContain('packages/*');
    expect(new Set(entries.map(({ name }) => name.split('/').slice(0, 2).join('/')))).toEqual(
      new Set(['@signet/sdk', '@signet/react', '@signet/verify', '@signet/look']),
    );
  });

  it('has a comment that stands alone', () => {
    expect(all.length).toBeGreaterThan(600);
    expect(
      all.flatMap(({ entry, name, comment }) => {
        const problem = problemOf(comment);
        return problem === null ? [] : [`${name} of ${entry} ${problem}`];
      }),
    ).toEqual([]);
  });

  it('has an example that is run, or is internal; and no example is of anything else', () => {
    const names = new Set(entries.map(({ name }) => name));
    const values = all.filter(({ entry, isValue }) => isValue && names.has(entry));
    const examples = new Set(readExamples().keys());
    const shown = new Set(
      values.flatMap(({ entry, name, declared }) => (examples.has(`${entry} ${name}`) ? declared : [])),
    );
    const isExported = new Set(values.map(({ entry, name }) => `${entry} ${name}`));

    expect(
      values.filter(({ declared }) => !shown.has(declared)).map(({ entry, name }) => `${name} of ${entry}`),
    ).toEqual([]);
    expect([...examples].filter((example) => !isExported.has(example))).toEqual([]);
    expect(values.length).toBeGreaterThan(200);
  });

  it.each([
    ['', 'has no comment'],
    ['Signs as `sign` of seal.ts does.', 'names a file that is not in the package'],
    ['See `checkLink`.', 'points elsewhere instead of saying it'],
    ['As `send`, for JSON.', 'points elsewhere instead of saying it'],
    ['Seals a text. Route of Next.js (app/signet/route.ts).', null],
  ])('takes %j for what it is', (comment, problem) => {
    expect(problemOf(comment)).toBe(problem);
  });
});
