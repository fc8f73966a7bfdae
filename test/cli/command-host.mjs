/**
 * A process that has loaded the installed command once, and runs it for each message `{ id, words, env, input }`, with
 * streams of its own: starting a process for each of some hundred runs is most of what they cost. Answers
 * `{ id, code, stdout, stderr }`. Its argument is the module of the command line.
 */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const { run } = await import(pathToFileURL(process.argv[2]).href);

process.on('message', async ({ id, words, env, input }) => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end(input);
  const written = Promise.all([text(stdout), text(stderr)]);
  const code = await run(words, { stdin, stdout, stderr, env, signal: new AbortController().signal });
  stdout.end();
  stderr.end();
  const [out, error] = await written;
  process.send?.({ id, code, stdout: out, stderr: error });
});
process.send?.('ready');
