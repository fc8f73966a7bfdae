import { copyFile, lstat, mkdir, readdir, rename, rm, utimes } from 'node:fs/promises';
import path from 'node:path';

/**
 * Brings the folder `to` to what `from` is, as `rsync -a from/ to/` does: a file of another size or time is written
 * beside its place and moved there, one of the same size and time is left as it is.
 * @param options deletes: what `from` does not have goes, as with `--delete`.
 *   keeps: names that are passed over, as with `--exclude`
 */
export async function copyLikeRsync(
  from: string,
  to: string,
  { deletes = false, keeps = () => false }: { deletes?: boolean; keeps?: (name: string) => boolean } = {},
): Promise<void> {
  await mkdir(to, { recursive: true });
  const names = (await readdir(from)).filter((name) => !keeps(name));
  for (const name of await readdir(to)) {
    if (deletes && !keeps(name) && !names.includes(name)) await rm(path.join(to, name), { recursive: true });
  }
  for (const name of names) {
    const [source, target] = [path.join(from, name), path.join(to, name)];
    const found = await lstat(source);
    if (found.isDirectory()) {
      await copyLikeRsync(source, target, { deletes, keeps });
      continue;
    }
    const there = await lstat(target).catch(() => null);
    const seconds = (ms: number) => Math.floor(ms / 1000);
    if (there && there.size === found.size && seconds(there.mtimeMs) === seconds(found.mtimeMs)) continue;
    await copyFile(source, `${target}.draft`);
    await utimes(`${target}.draft`, found.atime, found.mtime);
    await rename(`${target}.draft`, target);
  }
}
