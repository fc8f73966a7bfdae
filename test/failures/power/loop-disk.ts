import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { CuttableDisk } from './cuttable-disk.js';

const run = promisify(execFile);
const IMAGE_BYTES = 768 << 20; // sparse
/** The default writes back what was not synced every 5 seconds; the other leaves it all to the syncs. */
const MOUNT_OPTIONS = ['loop', 'loop,commit=600'];

/** Why this machine cannot mount a file system of its own in a file; null if it can. */
export function whyNoLoopDisk(): string | null {
  if (process.platform !== 'linux') return 'loop devices are a part of Linux';
  if (process.geteuid?.() !== 0) return 'only root may mount a file system';
  const script = `
    set -e; cd "$(mktemp -d)"; truncate -s 8M image; mkfs.ext4 -q -F image; mkdir disk
    mount -o loop image disk; umount disk; rm -r "$PWD"`;
  const { status, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
  return status === 0 ? null : `no loop device can be mounted: ${stderr.trim()}`;
}

/**
 * An ext4 file system on a loop device. At a cut the service is stopped, what the device holds is copied, and the copy
 * takes its place: what was only in the cache of the system is lost, and the journal is replayed.
 */
export async function makeLoopDisk(): Promise<CuttableDisk> {
  const folder = await mkdtemp(path.join(tmpdir(), 'signet-power-'));
  const image = path.join(folder, 'image');
  const copy = path.join(folder, 'copy');
  const disk = path.join(folder, 'disk');
  await writeFile(image, '');
  await truncate(image, IMAGE_BYTES);
  await run('mkfs.ext4', ['-q', '-F', image]);
  await mkdir(disk);
  let mounts = 0;
  const mount = () => run('mount', ['-o', MOUNT_OPTIONS[mounts++ % MOUNT_OPTIONS.length]!, image, disk]);
  await mount();
  return {
    dataDir: path.join(disk, 'data'),
    env: {},
    cut: async (service) => {
      service.signal('SIGSTOP');
      await copyStill(image, copy);
      await service.kill9();
      await unmount(disk);
      await rename(copy, image);
      await mount();
    },
    remove: async () => {
      await unmount(disk);
      await rm(folder, { recursive: true });
    },
  };
}

/** Copies `image` as it was in one moment: again, if the system wrote to it meanwhile. */
async function copyStill(image: string, copy: string): Promise<void> {
  for (;;) {
    await run('cp', ['--sparse=always', image, copy]);
    const isSame = await run('cmp', ['--silent', image, copy]).then(
      () => true,
      () => false,
    );
    if (isSame) return;
  }
}

/** A process that was killed a moment ago may hold it still. */
async function unmount(disk: string): Promise<void> {
  await run('sh', [
    '-c',
    'for try in $(seq 100); do umount "$0" && exit; sleep 0.1; done 2>/dev/null; umount "$0"',
    disk,
  ]);
}
