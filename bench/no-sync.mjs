/** Given to Node with `--import`: the syncs of the embedded database do nothing. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

fs.fsyncSync = fs.fdatasyncSync = () => {};
syncBuiltinESMExports();
