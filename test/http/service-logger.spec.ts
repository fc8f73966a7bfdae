import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BUILT = new URL('../../scripts/built.mjs', import.meta.url).href;

/** Logs within one turn of the event loop, and ends the process before the next. */
const PROGRAM = `
  const { built } = await import(${JSON.stringify(BUILT)});
  const { ServiceLogger } = await built('http/service-logger.js');
  const logger = new ServiceLogger('info');
  logger.log({ message: 'GET /v1 200', status: 200, aborted: false }, 'Request');
  logger.log({ message: 'all forms', count: 2n, list: [1, null] }, 'Some');
  logger.debug('nothing', 'Some');
  process.stdout.write('{"first":true}\\n');
  process.exit(0);`;

it('the log writes the lines of one turn of the event loop together, also where the process ends in it', () => {
  const text = execFileSync(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    encoding: 'utf8',
  });

  const common = { level: 'info', time: expect.any(String), pid: expect.any(Number) };
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  ).toEqual([
    { first: true },
    { ...common, context: 'Request', message: 'GET /v1 200', status: 200, aborted: false },
    { ...common, context: 'Some', message: 'all forms', count: '2', list: [1, null] },
  ]);
});
