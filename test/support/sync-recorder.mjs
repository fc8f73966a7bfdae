/**
 * Given to Node with `--import`: appends the path of each file or folder that the process syncs through a descriptor to
 * the file SYNC_RECORD, after the sync. While there is a file `<SYNC_RECORD>.fail`, syncs fail with the code in it.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { SYNC_RECORD: record = '' } = process.env;
const { openSync } = fs;
const paths = new Map();

fs.openSync = (path, ...rest) => {
  const descriptor = openSync(path, ...rest);
  paths.set(descriptor, path);
  return descriptor;
};
for (const name of /** @type {const} */ (['fsyncSync', 'fdatasyncSync'])) {
  const sync = fs[name];
  fs[name] = (descriptor) => {
    if (fs.existsSync(`${record}.fail`)) {
      const code = fs.readFileSync(`${record}.fail`, 'utf8');
      throw Object.assign(new Error(`${code}: ${name}`), { code });
    }
    sync(descriptor);
    fs.appendFileSync(record, `${paths.get(descriptor)}\n`);
  };
}
syncBuiltinESMExports();
