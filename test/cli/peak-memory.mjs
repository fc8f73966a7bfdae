import { existsSync, readFileSync } from 'node:fs';

/**
 * Loaded by `node --import`: when the process ends, it says on standard error how much memory it had at most. Linux
 * counts that of the process which started this one into `maxRSS`, but not into `VmHWM`.
 */
process.on('exit', () => {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const most = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS;
  process.stderr.write(`peak-memory ${most} KiB\n`);
});
