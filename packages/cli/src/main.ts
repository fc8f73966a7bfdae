/** The process of the command. */
import { EXIT } from './exit.js';
import { run } from './program.js';

/** Runs the arguments of this process and sets its exit code. */
export async function runProcess(): Promise<void> {
  const { stdin, stdout, stderr, env } = process;
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  const endBySystem = () => void process.off('SIGINT', stop).off('SIGTERM', stop);
  process.once('SIGINT', stop).once('SIGTERM', stop);
  // A reader of the output, such as `head`, may close it early.
  let isReadNoMore = false;
  // A full disk behind a redirection, for example.
  let isFull = false;
  // What cannot be said is not said: the exit code stays.
  stderr.on('error', () => {});
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    isReadNoMore ||= error.code === 'EPIPE';
    if (error.code !== 'EPIPE' && !isFull) {
      isFull = true;
      process.exitCode = EXIT.usage;
      stderr.write(`signet: The output cannot be written (${error.code}).\n`);
    }
    stopped.abort();
  });
  const code = await run(process.argv.slice(2), { stdin, stdout, stderr, env, signal: stopped.signal, endBySystem });
  if (!isFull) process.exitCode = isReadNoMore ? EXIT.done : code;
  // An open standard input keeps the process alive, also when it is not read any more.
  stdin.unref?.();
}
