/**
 * An ESLint rule: no test, hook or wait has a time limit below the common ones. On a busy machine all takes ten times
 * as long, and a test has to fail by the state that it waits for.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
export const timeLimits = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { limit: 'On a busy machine {{ ms }} ms are too few: the common limit is {{ common }} ms.' },
  },
  create(context) {
    return {
      CallExpression(node) {
        const callee = rootOf(node.callee);
        const common = COMMON.find(({ names }) => names.test(callee))?.ms;
        const last = node.arguments.at(-1);
        if (common === undefined || !last || (node.arguments.length < 2 && callee !== 'jest.setTimeout')) return;
        const ms = numberOf(last, context.sourceCode.getScope(node));
        if (ms !== undefined && ms < common)
          context.report({ node: last, messageId: 'limit', data: { ms: String(ms), common: String(common) } });
      },
    };
  },
};

/** `testTimeout` of test/config/jest.config.mjs, and the patience of test/support/until.ts. */
const COMMON = [
  { names: /^(it|test|itUnless|beforeAll|beforeEach|afterAll|afterEach|jest\.setTimeout)$/, ms: 600_000 },
  { names: /^until$/, ms: 300_000 },
];

/** @typedef {NonNullable<ReturnType<import('eslint').SourceCode['getNodeByRangeIndex']>>} Node */

/**
 * The name that is called, without what tests append to it: `it` of `it.each(...)(...)`.
 *
 * @param {Node} callee
 * @returns {string}
 */
function rootOf(callee) {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type === 'CallExpression') return rootOf(callee.callee);
  if (callee.type === 'TaggedTemplateExpression') return rootOf(callee.tag);
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return '';
  const object = rootOf(callee.object);
  return object === 'jest' ? `jest.${callee.property.name}` : object;
}

/**
 * The value of a number, of a constant of one, or of a product or sum of these; undefined of anything else.
 *
 * @param {Node} node
 * @param {import('eslint').Scope.Scope | null} scope
 * @returns {number | undefined}
 */
function numberOf(node, scope) {
  if (node.type === 'Literal') return typeof node.value === 'number' ? node.value : undefined;
  if (node.type === 'BinaryExpression') {
    const [left, right] = [numberOf(node.left, scope), numberOf(node.right, scope)];
    if (left === undefined || right === undefined) return undefined;
    return { '*': left * right, '+': left + right }[/** @type {string} */ (node.operator)];
  }
  if (node.type !== 'Identifier') return undefined;
  for (let around = scope; around; around = around.upper) {
    const definition = around.set.get(node.name)?.defs[0]?.node;
    if (definition?.type === 'VariableDeclarator' && definition.init) return numberOf(definition.init, around);
    if (definition) return undefined;
  }
  return undefined;
}
