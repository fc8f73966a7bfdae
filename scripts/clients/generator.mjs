/** Clients that openapi-generator makes of /openapi.json, from Maven Central in a pinned version. */
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

const VERSION = '7.17.0';
const ARTIFACT = `org.openapitools:openapi-generator-cli:${VERSION}`;
const JAR = path.join(
  homedir(),
  `.m2/repository/org/openapitools/openapi-generator-cli/${VERSION}/openapi-generator-cli-${VERSION}.jar`,
);

/**
 * Generates and builds the client of a language in `work`, by `run(folder, command, words)`.
 * @returns what came of it, in words
 * @throws Error if the client cannot be generated or built
 */
export function generateClient(name, { generator }, work, run) {
  if (!generator) return 'types by openapi-typescript';
  if (!hasGenerator()) return 'left out: needs Java and Maven';
  const folder = path.join(work, `${name}-client`);
  rmSync(folder, { recursive: true, force: true });
  const options = [
    '-g',
    generator.name,
    '-i',
    'openapi.json',
    '-o',
    folder,
    `--additional-properties=${generator.properties}`,
  ];
  run(work, 'java', ['-jar', JAR, 'generate', ...options]);
  for (const [command, ...words] of generator.build(work)) run(folder, command, words);
  return 'built';
}

function hasGenerator() {
  if (existsSync(JAR)) return true;
  return spawnSync('mvn', ['-q', '-B', 'dependency:get', `-Dartifact=${ARTIFACT}`]).status === 0;
}
