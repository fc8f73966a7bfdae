/** `node lint-package.mjs FOLDER TARBALL`: says what publint and arethetypeswrong find; nothing where all is well. */
import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';

const [folder, tarball] = process.argv.slice(2);
/** Choice: ES modules only; every Node that we support can `require` them. */
const ACCEPTED = ['CJSResolvesToESM'];

const { messages } = await publint({ pkgDir: folder, strict: true });
for (const { code, path } of messages) console.log(`publint: ${code} at ${path.join('.')}`);

const checked = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball))));
const problems = checked.types ? checked.problems : [];
for (const problem of problems) {
  const { kind } = problem;
  const [entrypoint, resolutionKind] = 'entrypoint' in problem ? [problem.entrypoint, problem.resolutionKind] : [];
  // The resolution of Node 10 knows no sub-paths.
  if (!ACCEPTED.includes(kind) && resolutionKind !== 'node10')
    console.log(`types: ${kind} ${entrypoint} ${resolutionKind}`);
}
