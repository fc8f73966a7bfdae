/** The process of the command. */
import { EXIT } from './exit.js';
import { run } from './program.js';

/** Runs the arguments of this process and sets its exit code. */
export async function runProcess(): Promise<void> {
  const words = process.argv.slice(2);
  const stopped = new AbortController();
  // A check of a file leaves no turn in which a signal would be heard, and has nothing to end: the system ends it.
  if (!words.includes('verify')) {
    process.once('SIGINT', () => stopped.abort());
    process.once('SIGTERM', () => stopped.abort());
  }
  // A reader of the output, such as `head`, may close it early.
  let isReadNoMore = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    isReadNoMore = true;
    stopped.abort();
  });
  const { stdin, stdout, stderr, env } = process;
  const code = await run(words, { stdin, stdout, stderr, env, signal: stopped.signal });
  process.exitCode = isReadNoMore ? EXIT.done : code;
  // An open standard input keeps the process alive, also when it is not read any more.
  stdin.unref?.();
}
