/**
 * The examples of exports: the tests in `packages/<name>/test/examples`, and in `test/<name>/examples.spec.ts` where
 * they need a server. Each is named after an export, in a group that is named after an entry. The reference shows them,
 * and `npm test` runs them.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { PACKAGES } from './entry-points.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What a value is expected to be. */
const MATCHERS = ['toBe', 'toEqual', 'toMatchObject', 'toBeInstanceOf'];

/**
 * The examples as a reader sees them, by `<entry> <export>`: `expect(a).toBe(b)` is `a; // b`.
 * @returns {Map<string, string>}
 */
export function readExamples() {
  const found = new Map();
  for (const file of PACKAGES.flatMap(filesOf)) {
    const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
    for (const [entry, group] of callsOf('describe', source.statements)) {
      for (const [name, body] of callsOf('it', group)) {
        const lines = body.map((statement) => shown(statement, source));
        found.set(`${entry} ${name}`, [`import { ${name} } from '${entry}';`, '', ...lines].join('\n'));
      }
    }
  }
  return found;
}

/** @param {string} folder @returns {string[]} */
function filesOf(folder) {
  const examples = path.join(ROOT, 'packages', folder, 'test', 'examples');
  const own = existsSync(examples) ? readdirSync(examples).map((name) => path.join(examples, name)) : [];
  const withServer = path.join(ROOT, 'test', folder, 'examples.spec.ts');
  return [...own, ...(existsSync(withServer) ? [withServer] : [])];
}

/**
 * The calls of a function with a name and a function: the name, and the statements of that function.
 * @param {string} called @param {Iterable<ts.Statement>} statements
 * @returns {[string, ts.Statement[]][]}
 */
function callsOf(called, statements) {
  return [...statements].flatMap((statement) => {
    if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) return [];
    const { expression, arguments: given } = statement.expression;
    const [name, body] = given;
    if (expression.getText() !== called || !name || !ts.isStringLiteral(name)) return [];
    if (!body || !ts.isArrowFunction(body) || !ts.isBlock(body.body)) return [];
    return [/** @type {[string, ts.Statement[]]} */ ([name.text, [...body.body.statements]])];
  });
}

/** @param {ts.Statement} statement @param {ts.SourceFile} source */
function shown(statement, source) {
  const text = dedented(statement.getText(source), source, statement);
  if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) return text;
  const { expression: matched, arguments: expected } = statement.expression;
  if (!ts.isPropertyAccessExpression(matched) || !MATCHERS.includes(matched.name.text)) return text;
  if (!ts.isCallExpression(matched.expression) || matched.expression.expression.getText(source) !== 'expect')
    return text;
  const [value] = matched.expression.arguments;
  const word = matched.name.text === 'toBeInstanceOf' ? 'an instance of ' : '';
  return `${value?.getText(source)}; // ${word}${expected.map((one) => one.getText(source).replace(/\s+/g, ' ')).join(', ')}`;
}

/** @param {string} text @param {ts.SourceFile} source @param {ts.Node} node */
function dedented(text, source, node) {
  const { character } = source.getLineAndCharacterOfPosition(node.getStart(source));
  return text.replaceAll(`\n${' '.repeat(character)}`, '\n');
}
