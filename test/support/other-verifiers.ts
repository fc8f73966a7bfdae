import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Lack } from '../../packages/verify/test/support/unless.js';

const VERIFIERS = fileURLToPath(new URL('../../examples/verifiers/', import.meta.url));
const BUILT = fileURLToPath(new URL('../../.cache/clients/venv-verifier/bin/python3', import.meta.url));
/** No test needs the internet: modules of Go have to be there already. */
const OFFLINE = { ...process.env, GOPROXY: 'off', GOFLAGS: '-mod=mod' };

/** One of the verifiers of examples/verifiers. */
export interface OtherVerifier {
  language: string;
  /** Why it cannot be asked here. */
  lack: Lack;
  /** What it says of an export: each step on a line. `ok` where nothing failed. */
  verify(file: object): { ok: boolean; said: string };
}

/** The verifiers in Python and Go. A machine may lack what they need. */
export function otherVerifiers(): OtherVerifier[] {
  const python = [BUILT, 'python3'].find((name) => spawnSync(name, ['-c', 'import coincurve']).status === 0);
  const go = spawnSync('go', ['list', '-deps', '.'], { cwd: `${VERIFIERS}go`, env: OFFLINE }).status === 0;
  const folder = mkdtempSync(path.join(tmpdir(), 'signet-verifier-'));
  const program = path.join(folder, 'verifier');
  let isBuilt = false;
  const built = () => {
    if (!isBuilt) spawnSync('go', ['build', '-o', program, '.'], { cwd: `${VERIFIERS}go`, env: OFFLINE });
    isBuilt = true;
    return program;
  };
  const asking = (command: () => [string, ...string[]]) => (file: object) => {
    const name = path.join(folder, 'export.json');
    writeFileSync(name, JSON.stringify(file));
    const [first, ...words] = command();
    const { status, stdout, stderr } = spawnSync(first, [...words, 'verify', name], { encoding: 'utf8' });
    return { ok: status === 0, said: stdout + stderr };
  };
  return [
    {
      language: 'Python',
      lack: python === undefined ? 'there is no python3 with coincurve here' : null,
      verify: asking(() => [python!, `${VERIFIERS}python/verify.py`]),
    },
    {
      language: 'Go',
      lack: go ? null : 'there is no Go with the modules of the verifier here',
      verify: asking(() => [built()]),
    },
  ];
}
