/**
 * Writes the types of packages/sdk (those schemas of the OpenAPI document of the service that it uses, and the names of
 * the platforms) and the error codes of packages/verify.
 *
 * npm run sdk-types                                writes the files, from a server of its own
 * npm run sdk-types -- --check [--from <url>]      exits with 1 and names the files that are not up to date
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import openapiTS, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import ts from 'typescript';
import { startOwnServer } from './demo/own-server.mjs';

const FOLDER = fileURLToPath(new URL('../packages/', import.meta.url));
const NOTE = '// Written by `npm run sdk-types` from the sources of the service. Do not change it by hand.\n';

const { values } = parseArgs({
  options: { check: { type: 'boolean', default: false }, from: { type: 'string' } },
});

/**
 * What a server says of itself.
 * @param {string} url
 */
async function saidBy(url) {
  /** @param {string} path */
  const get = async (path) => (await fetch(url + path)).json();
  const document = /** @type {import('openapi-typescript').OpenAPI3} */ (await get('/openapi.json'));
  const { platforms } = /** @type {{ platforms: { platform: string }[] }} */ (await get('/v1/platforms'));
  return { document, platforms: platforms.map(({ platform }) => platform) };
}

async function saidByOwnServer() {
  const server = await startOwnServer({});
  try {
    return await saidBy(server.baseUrl);
  } finally {
    await server.close();
  }
}

/**
 * The schemas that the sources of the SDK name.
 * @returns {string[]}
 */
function namedInSources() {
  const folder = `${FOLDER}sdk/src/`;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const texts = files.filter((name) => name !== 'api-types.ts').map((name) => readFileSync(folder + name, 'utf8'));
  return texts.flatMap((text) =>
    [...text.matchAll(/\bSchemas\['(\w+)'\]/g)].map(([, name]) => /** @type {string} */ (name)),
  );
}

/**
 * `components` with the schemas that the package uses, and those that these name; no answers, headers and parameters.
 * @param {ts.InterfaceDeclaration} components
 */
function usedOnly(components) {
  const schemas = components.members.find((member) => member.name && nameOf(member.name) === 'schemas');
  if (!schemas || !ts.isPropertySignature(schemas) || !schemas.type || !ts.isTypeLiteralNode(schemas.type))
    throw new Error('The document has no schemas.');
  const all = new Map(schemas.type.members.map((member) => [nameOf(member.name), member]));
  /** @type {Set<string>} */
  const used = new Set();
  /** @param {string} name */
  const use = (name) => {
    const schema = all.get(name);
    if (!schema) throw new Error(`packages/sdk uses ${name}, which the service does not have.`);
    if (used.has(name)) return;
    used.add(name);
    for (const [, other] of astToString([schema]).matchAll(/components\["schemas"\]\["(\w+)"\]/g))
      use(/** @type {string} */ (other));
  };
  namedInSources().forEach(use);
  const members = [...all].filter(([name]) => used.has(name)).map(([, schema]) => schema);
  const literal = ts.factory.createTypeLiteralNode(members);
  const { modifiers, name } = schemas;
  const only = ts.factory.createPropertySignature(modifiers, name, undefined, literal);
  return ts.factory.createInterfaceDeclaration(components.modifiers, components.name, undefined, undefined, [only]);
}

/** @param {ts.PropertyName | undefined} name */
const nameOf = (name) => (name && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : '');

/** What texts are, by the names of their members, where that is more than a text. */
const TEXTS = new Map([
  ['avatar', 'Hex'],
  ['platform', 'PlatformName'],
]);

/**
 * Members that are keys or names of platforms have the types of these.
 * @param {ts.InterfaceDeclaration} components
 */
function withKindsOfTexts(components) {
  const { transformed } = ts.transform(components, [
    (context) => (root) => {
      /** @type {ts.Visitor} */
      const visit = (node) => {
        const kind = ts.isPropertySignature(node) && TEXTS.get(nameOf(node.name));
        if (!kind || node.type?.kind !== ts.SyntaxKind.StringKeyword) return ts.visitEachChild(node, visit, context);
        const made = ts.factory.createPropertySignature(
          ...[node.modifiers, node.name, node.questionToken, ts.factory.createTypeReferenceNode(kind)],
        );
        ts.setSyntheticLeadingComments(made, ts.getSyntheticLeadingComments(node));
        return made;
      };
      return ts.visitEachChild(root, visit, context);
    },
  ]);
  return transformed;
}

/** @param {string[]} platforms */
function platformNames(platforms) {
  const union = [...platforms].sort().map((name) => `  | '${name}'`);
  return `/** A platform; servers of later versions have others too. */\nexport type PlatformName =\n${union.join('\n')}\n  | (string & {});\n`;
}

function serverCodes() {
  const groups = readFileSync(new URL('../src/api-description/error-codes.json', import.meta.url), 'utf8');
  const codes = Object.values(/** @type {Record<string, { code: string }[]>} */ (JSON.parse(groups))).flatMap((group) =>
    group.map(({ code }) => code),
  );
  const union = [...new Set(codes)].sort().map((code) => `  | '${code}'`);
  return `/** Every \`code\` of an error answer of the service (docs/reference/errors.md). */\nexport type ServerCode =\n${union.join('\n')};\n`;
}

const { document, platforms } = await (values.from ? saidBy(values.from) : saidByOwnServer());
const components = (await openapiTS(document, { silent: true }))
  .filter((node) => ts.isInterfaceDeclaration(node))
  .find((node) => node.name.text === 'components');
if (!components) throw new Error('The document has no components.');
const files = {
  // Only the shapes of bodies: the client of the SDK has its own methods in place of paths and operations.
  'sdk/src/api-types.ts':
    "import type { Hex } from '@signet/verify';\nimport type { PlatformName } from './platform-names.js';\n" +
    astToString(withKindsOfTexts(usedOnly(components))),
  'sdk/src/platform-names.ts': platformNames(platforms),
  'verify/src/errors/server-codes.ts': serverCodes(),
};
for (const [name, text] of Object.entries(files)) {
  const options = { ...(await resolveConfig(FOLDER + name)), parser: 'typescript' };
  // Descriptions of the document are as long as they are.
  const written = await format(`${NOTE}/* eslint max-len: off */\n${text}`, options);
  if (!values.check) {
    writeFileSync(FOLDER + name, written);
  } else if (readFileSync(FOLDER + name, { encoding: 'utf8', flag: 'a+' }) !== written) {
    console.error(`packages/${name} is not what the service says; run: npm run sdk-types`);
    process.exitCode = 1;
  }
}
