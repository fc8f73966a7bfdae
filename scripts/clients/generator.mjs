/** The clients that openapi-generator makes of /openapi.json, from Maven Central in a pinned version. */
import { existsSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

export const GENERATOR_VERSION = '7.17.0';
const ARTIFACT = `org.openapitools:openapi-generator-cli:${GENERATOR_VERSION}`;
const FILE = `openapi-generator-cli/${GENERATOR_VERSION}/openapi-generator-cli-${GENERATOR_VERSION}.jar`;
const JAR = path.join(homedir(), '.m2/repository/org/openapitools', FILE);

/** Commands that succeed where the generator can run. */
export const GENERATOR_NEEDS = [['java', '-version'], ...(existsSync(JAR) ? [] : [['mvn', '--version']])];

/** The message of the generator if an object has no name in the description, so that it invents one. */
const INVENTED_NAME = /Inline schema created as (\S+?)\.? /g;

/**
 * Writes the client that `openapi-generator.yaml` in `folder` asks for into `client` below it.
 * @param {string} folder
 * @param {string} client
 * @param {typeof import('./commands.mjs').run} run
 * @throws Error if that fails, or if a name had to be invented
 */
export function generateClient(folder, client, run) {
  if (!existsSync(JAR)) run(folder, 'mvn', ['-q', '-B', 'dependency:get', `-Dartifact=${ARTIFACT}`]);
  rmSync(path.join(folder, client), { recursive: true, force: true });
  const options = ['-c', 'openapi-generator.yaml', '-i', '../openapi.json'];
  const said = run(folder, 'java', ['-jar', JAR, 'generate', ...options]);
  const invented = [...said.matchAll(INVENTED_NAME)].map(([, name]) => name);
  if (invented.length > 0) throw new Error(`objects without a name in the description: ${invented.join(', ')}`);
}
