import { isOutOfFiles, openFilesLimit } from './config/open-files-limit.js';
import { logProcess, logProcessFailure } from './config/process-log.js';

/** With a lower limit of open files, Node reports a module that it could not open as missing. */
const FEW_FILES = 256;

/** The rest of the service with its packages, in a few files that scripts/bundle.mjs makes of `process/service.ts`. */
const SERVICE = new URL('../service/service.js', import.meta.url).href;

/** Starts the service. Imports next to nothing itself, so that it can explain why the rest could not be loaded. */
try {
  const { startService } = (await import(SERVICE)) as typeof import('./process/service.js');
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
