/**
 * Texts that the page shows nowhere. The compiler knows which keys can come of a template such as
 * `look.state_${state}`, so those are counted too.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { STORE, textsOf } from './store.mjs';

const WEB = fileURLToPath(new URL('../../web', import.meta.url));
/** Files of texts that are read as objects, by the folder that does; the others are read by `t` and `rich`. */
const OBJECTS = { own_look: 'own-look', embed: 'embed' };
/** What `wordings.mjs` writes; the compiler holds its readers against it. */
const ELSEWHERE = /^post\./;

/** The keys of the English texts that no source of the page names. */
export function unusedTexts(store = STORE) {
  const keys = new Set([...textsOf('en', store).keys()].filter((key) => !ELSEWHERE.test(key)));
  const { fileNames, options } = ts.getParsedCommandLineOfConfigFile(path.join(WEB, 'tsconfig.json'), {}, ts.sys);
  const program = ts.createProgram(fileNames, options);
  const checker = program.getTypeChecker();
  const markType = (type, area) => {
    for (const one of type.isUnion() ? type.types : [type]) if (one.isStringLiteral()) keys.delete(area + one.value);
  };
  for (const source of program.getSourceFiles()) {
    const folder = path.relative(path.join(WEB, 'src'), source.fileName).split(path.sep)[0];
    const areas = Object.keys(OBJECTS).filter((area) => OBJECTS[area] === folder);
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
