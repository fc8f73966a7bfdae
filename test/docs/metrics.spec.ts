import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
}).split('\n');
const textOf = (name: string) => readFileSync(path.join(ROOT, name), 'utf8');
const matchesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1]!);

/** Names that the sources declare: the first argument of a metric, its `name`, or a line of a table of gauges. */
const DECLARED = /(?:(?:^|[({]) *(?:name: )?'(signet_[a-z_]+)',|\b(signet_[a-z_]+): \[[`'])/gm;
const declared = tracked
  .filter((name) => /^src\/.*\.ts$/.test(name))
  .flatMap((name) => [...textOf(name).matchAll(DECLARED)].map((match) => match[1] ?? match[2]!));

const COMMENT = /(\/\*\*[^]*?\*\/|\/\/.*)/g;
/** Whole names, with what histograms add to theirs. */
const NAMED = /(?<![\w/-])(signet_[a-z_]*[a-z])(?![\w(])/g;
/** Names of other things: a database, a package of Go, a marker of a move. */
const OTHERS = ['signet_api', 'signet_postgres', 'signet_moved'];

/** Where people read the names of metrics: comments, pages, and the rules and panels that docker/ has. */
const texts = tracked.flatMap((name) => {
  if (/^(docs|docker)\/.*\.(md|ya?ml|json)$|^[A-Z]+\.md$/.test(name)) return [{ name, text: textOf(name) }];
  if (!/^(src|packages|test|bench|scripts|web)\/.*\.(ts|tsx|mjs)$/.test(name)) return [];
  return [{ name, text: matchesIn(textOf(name), COMMENT).join('\n') }];
});

describe('the metrics of the service', () => {
  it('are declared under the names that comments, pages and alerts use', () => {
    const unknown = texts.flatMap(({ name, text }) =>
      matchesIn(text, NAMED)
        .map((metric) => metric.replace(/_(bucket|count|sum)$/, ''))
        .filter((metric) => !declared.includes(metric) && !OTHERS.includes(metric))
        .map((metric) => `${name}: ${metric}`),
    );

    expect(declared.length).toBeGreaterThan(40);
    expect(unknown).toEqual([]);
  });

  it('are described for operators', () => {
    const described = texts.filter(({ name }) => name.startsWith('docs/')).map(({ text }) => text);

    expect(declared.filter((metric) => !described.some((text) => text.includes(metric)))).toEqual([]);
  });
});
