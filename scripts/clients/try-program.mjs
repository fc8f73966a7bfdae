/** Runs a program of docs/guide/languages as its reader would: right, and with each kind of bad input. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';

/** An Avatar whose secret key is not known here. */
const STRANGER = '0x038318535b54105d4a7aae60c08fc45f9687181b4fdfc625bd1a753fa7397fed75';

const BAD_INPUTS = [
  { what: 'a server that is gone', env: { SIGNET: 'http://127.0.0.1:9' }, says: /cannot be reached/ },
  { what: 'a wrong key', env: { AVATAR_SECRET: '0x1234' }, says: /key/i },
  { what: 'a refused signature', env: { AVATAR: STRANGER }, says: /refused.*invalid_signature/ },
];

const SAID =
  /^0x[0-9a-f]{40} belongs to 0x0[23][0-9a-f]{64}\ncontent \{.*"name":"Alice".*\}\nlinks [1-9]\d*, then 0\n$/;

/**
 * @param {{ folder: string, command: string[], baseUrl: string }} program
 * @throws Error if the program does not do what it should
 */
export async function tryProgram({ folder, command: [command, ...words], baseUrl }) {
  rmSync(path.join(folder, 'cursor'), { force: true });
  // Not spawnSync: the server that it speaks to is in this process.
  /** @param {Record<string, string | undefined>} changes */
  const run = async (changes) => {
    const env = { ...process.env, SIGNET: baseUrl, ...changes };
    const child = spawn(command, words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { status, stdout, stderr };
  };
  const { status, stdout, stderr } = await run({});
  if (status !== 0 || !SAID.test(stdout)) throw new Error(`it ended with ${status} and said: ${stdout}${stderr}`);
  const refusals = BAD_INPUTS.map(async ({ what, env, says }) => {
    const { status: code, stderr: sentence } = await run(env);
    if (code === 0 || sentence.trim().includes('\n') || !says.test(sentence))
      throw new Error(`${what}: it ended with ${code} and said: ${sentence.slice(0, 300)}`);
  });
  await Promise.all(refusals);
}
