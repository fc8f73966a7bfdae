import { readdir, readFile } from 'node:fs/promises';

/** The pids of the processes of this machine whose command line holds `word`. */
export async function processesWith(word: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return pids.filter((_, index) => lines[index]!.includes(word));
}
