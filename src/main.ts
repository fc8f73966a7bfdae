import cluster from 'node:cluster';
import { statSync } from 'node:fs';
import { isOutOfFiles, openFilesLimit } from './config/open-files-limit.js';
import { logProcess, logProcessFailure } from './config/process-log.js';

/** With a lower limit of open files, Node reports a module that it could not open as missing. */
const FEW_FILES = 256;

/** The rest of the service with its packages, in a few files that scripts/bundle.mjs makes of `process/service.ts`. */
const BUNDLE = new URL('../service/service.js', import.meta.url);
/** Written whenever the compiler has written a module. */
const COMPILED = new URL('../.tsbuildinfo', import.meta.url);

/** Starts the service. Imports next to nothing itself, so that it can explain why the rest could not be loaded. */
try {
  const { startService } = await service();
  await startService();
} catch (error) {
  const { code = '' } = error as NodeJS.ErrnoException;
  const limit = openFilesLimit();
  const hasTooFew = isOutOfFiles(error) || (code === 'ERR_MODULE_NOT_FOUND' && limit < FEW_FILES);
  const sentence =
    `This process may have only ${limit} files open, which is too few to start. ` +
    'Raise the limit to 1024 or more (ulimit -n 1024; LimitNOFILE= in a systemd unit; --ulimit nofile= of Docker).';
  if (hasTooFew) logProcess('error', sentence);
  else logProcessFailure(error);
  process.exit(1);
}

/** The bundle; where a compiler ran alone since it was made, as that of `nest start` does, the modules themselves. */
async function service(): Promise<typeof import('./process/service.js')> {
  if (writtenAt(BUNDLE, -1) >= writtenAt(COMPILED, 0))
    return (await import(BUNDLE.href)) as typeof import('./process/service.js');
  if (!cluster.isWorker) {
    logProcess('warn', 'dist/service is missing or older than dist/src, so the start takes longer: run npm run build.');
  }
  return import('./process/service.js');
}

function writtenAt(file: URL, ifMissing: number): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? ifMissing;
}
