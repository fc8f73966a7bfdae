/**
 * Writes the types of packages/sdk and the error codes of packages/verify from the service: its OpenAPI document, and
 * the table of error codes.
 *
 * npm run sdk-types                                writes the files, from a server of its own
 * npm run sdk-types -- --check [--from <url>]      exits with 1 and names the files that are not up to date
 */
import { readFileSync, writeFileSync } from 'node:fs';
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

/** @param {string} url */
async function documentOf(url) {
  const response = await fetch(`${url}/openapi.json`);
  return /** @type {import('openapi-typescript').OpenAPI3} */ (await response.json());
}

async function ownDocument() {
  const server = await startOwnServer({});
  try {
    return await documentOf(server.baseUrl);
  } finally {
    await server.close();
  }
}

function serverCodes() {
  const groups = readFileSync(new URL('../src/api-description/error-codes.json', import.meta.url), 'utf8');
  const codes = Object.values(/** @type {Record<string, { code: string }[]>} */ (JSON.parse(groups))).flatMap((group) =>
    group.map(({ code }) => code),
  );
  const union = [...new Set(codes)].sort().map((code) => `  | '${code}'`);
  return `/** Every \`code\` of an error answer of the service (docs/reference/errors.md). */\nexport type ServerCode =\n${union.join('\n')};\n`;
}

const document = values.from ? await documentOf(values.from) : await ownDocument();
const files = {
  // Only the shapes of bodies: the client of the SDK has its own methods in place of paths and operations.
  'sdk/src/api-types.ts': astToString(
    (await openapiTS(document, { silent: true })).filter(
      (node) => ts.isInterfaceDeclaration(node) && node.name.text === 'components',
    ),
  ),
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
