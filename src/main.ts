import { openFilesLimit } from './config/open-files-limit.js';
import { logProcess, logProcessFailure } from './config/process-log.js';

/** With a lower limit of open files, Node reports a module that it could not open as missing. */
const FEW_FILES = 256;

/** Starts the service. Imports next to nothing itself, so that it can explain why the rest could not be loaded. */
try {
  await import('./process/service.js');
} catch (error) {
  const { code = '' } = error as NodeJS.ErrnoException;
  const limit = openFilesLimit();
  const isOutOfFiles = ['EMFILE', 'ENFILE'].includes(code) || (code === 'ERR_MODULE_NOT_FOUND' && limit < FEW_FILES);
  const sentence =
    `This process may have only ${limit} files open, which is too few to start. ` +
    'Raise the limit to 1024 or more (ulimit -n 1024; LimitNOFILE= in a systemd unit; --ulimit nofile= of Docker).';
  if (isOutOfFiles) logProcess('error', sentence);
  else logProcessFailure(error);
  process.exit(1);
}
