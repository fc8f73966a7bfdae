import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * The folder of package.json, with a slash at its end. The running code lies at different depths below it: in `src` in
 * tests, in `dist/src` in commands, and in `dist/service` in the service.
 */
export const SERVICE_FOLDER = pathToFileURL(`${folderOfPackage(import.meta.dirname)}/`);

/** What the build makes. */
export const BUILT_FOLDER = new URL('dist/', SERVICE_FOLDER);

/** Without a package.json, Node would not read this file as an ES module. */
function folderOfPackage(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : folderOfPackage(dirname(folder));
}
