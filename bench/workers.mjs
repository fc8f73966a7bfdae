/** Child processes that take one message and answer with one: the load generator and the recorder. */
import { fork } from 'node:child_process';
import { once } from 'node:events';

/**
 * @param {string} file
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<{ ask(message: unknown): Promise<any>, stop(): void, pid: number }>}
 */
export async function startWorker(file, env = process.env) {
  const child = fork(new URL(file, import.meta.url), { env, execArgv: [] });
  const failed = new Promise((_, reject) =>
    child.once('exit', (code) => reject(new Error(`${file} ended with code ${code}`))),
  );
  failed.catch(() => {});
  await Promise.race([once(child, 'message'), failed]);
  return {
    pid: Number(child.pid),
    ask: async (message) => {
      const answered = once(child, 'message');
      child.send(/** @type {object} */ (message));
      const [answer] = await Promise.race([answered, failed]);
      if (answer.failure) throw new Error(answer.failure);
      return answer;
    },
    stop: () => child.kill('SIGTERM'),
  };
}
