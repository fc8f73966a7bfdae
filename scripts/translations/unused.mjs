/**
 * Texts that the page shows nowhere. The compiler knows which keys can come of a template such as
 * `look.state_${state}`, so those are counted too.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { STORE, textsOf } from './store.mjs';

const WEB = fileURLToPath(new URL('../../web', import.meta.url));
/**
 * Files of texts that are read as objects, by the folder that does; the others are read by `t` and `rich`.
 * @type {Record<string, string>}
 */
const OBJECTS = { own_look: 'own-look', embed: 'embed', push: 'push' };
/** What `wordings.mjs` writes; the compiler holds its readers against it. */
const ELSEWHERE = /^(post|notice)\./;

/**
 * The keys of the English texts that no source of the page names.
 * @param {string} [store]
 */
export function unusedTexts(store = STORE) {
  const keys = new Set([...textsOf('en', store).keys()].filter((key) => !ELSEWHERE.test(key)));
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} };
  const config = ts.getParsedCommandLineOfConfigFile(path.join(WEB, 'tsconfig.json'), {}, host);
  if (!config) throw new Error('The configuration of the compiler for the page cannot be read.');
  const program = ts.createProgram(config.fileNames, config.options);
  const checker = program.getTypeChecker();
  /** @param {ts.Type} type @param {string} area */
  const markType = (type, area) => {
    for (const one of type.isUnion() ? type.types : [type]) if (one.isStringLiteral()) keys.delete(area + one.value);
  };
  for (const source of program.getSourceFiles()) {
    const folder = path.relative(path.join(WEB, 'src'), source.fileName).split(path.sep)[0];
    const areas = Object.keys(OBJECTS).filter((area) => OBJECTS[area] === folder);
    /** @param {ts.Node} node */
    const visit = (node) => {
      if (ts.isStringLiteral(node)) keys.delete(node.text);
      if (ts.isTemplateExpression(node)) markType(checker.getTypeAtLocation(node), '');
      if (ts.isCallExpression(node) && node.expression.getText() === 'keyFor')
        markType(checker.getNonNullableType(checker.getTypeAtLocation(node)), '');
      for (const area of areas) {
        if (ts.isPropertyAccessExpression(node)) keys.delete(`${area}.${node.name.text}`);
        if (ts.isElementAccessExpression(node))
          markType(checker.getTypeAtLocation(node.argumentExpression), `${area}.`);
      }
      ts.forEachChild(node, visit);
    };
    if (source.fileName.startsWith(path.join(WEB, 'src'))) visit(source);
  }
  return [...keys];
}
