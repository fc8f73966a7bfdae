/**
 * Given to Node with `--import`: what a process writes below VOLATILE_ROOT stays readable for it, as in the cache of
 * an operating system, and only what it syncs gets into the folder VOLATILE_STORE, as onto a disk. `volatile-disk.ts`
 * makes of that folder what a power cut leaves. The sync of a file takes its content, and its name if it never had one
 * on the disk; any other change of a name (made, renamed, removed) needs a sync of its folder, as POSIX has it.
 *
 * The store holds `ids/<inode>`: the identity of a file, because a file system uses its inode numbers again;
 * `data/<id>`: content; `names/<id>`: what a folder holds, as JSON. All threads and forked processes share it; each
 * file is the work of one of them at a time.
 */
import childProcess from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';

const { VOLATILE_ROOT: root, VOLATILE_STORE: store, NODE_OPTIONS } = process.env;
const real = { ...fs, promises: { ...fs.promises } };
/** @param {unknown} place */
const isOurs = (place) => path.resolve(String(place)).startsWith(`${root}${path.sep}`);

/** @typedef {(...given: any[]) => any} Real a function of Node */

/** Paths of the open files below the root, by descriptor. */
const paths = new Map();
/** What was written since the last sync, by inode: pairs of beginning and end; null for all of it. */
const unsynced = new Map();

/**
 * Makes a file of the store at once, because the process may be killed at any moment.
 * @param {string} file
 * @param {(draft: string) => void} make
 */
function replace(file, make) {
  const draft = `${file}.${randomUUID()}`;
  make(draft);
  real.renameSync(draft, file);
}

/** @param {number} inode */
function idOf(inode) {
  const file = `${store}/ids/${inode}`;
  try {
    return real.readFileSync(file, 'utf8');
  } catch {
    const id = randomUUID();
    replace(file, (draft) => real.writeFileSync(draft, id));
    return id;
  }
}

/**
 * The inode of what was removed may be that of another file soon.
 * @param {string} place
 */
function forget(place) {
  if (!isOurs(place)) return;
  const stat = real.lstatSync(place, { throwIfNoEntry: false });
  if (!stat) return;
  if (stat.isDirectory()) for (const name of real.readdirSync(place)) forget(path.join(place, name));
  real.rmSync(`${store}/ids/${stat.ino}`, { force: true });
  unsynced.delete(stat.ino);
}

/** @param {number} descriptor @param {number | null} from @param {number} bytes */
function noteWrite(descriptor, from, bytes) {
  if (!paths.has(descriptor)) return;
  const { ino } = real.fstatSync(descriptor);
  const pieces = unsynced.has(ino) ? unsynced.get(ino) : [];
  if (pieces === null || typeof from !== 'number') return void unsynced.set(ino, null);
  const last = pieces.at(-1);
  if (last && last[1] === from) last[1] += bytes;
  else pieces.push([from, from + bytes]);
  unsynced.set(ino, pieces);
}

/** @param {string} place */
function noteAll(place) {
  if (isOurs(place)) unsynced.set(real.statSync(place).ino, null);
}

/**
 * Does the sync of a file or folder: takes it into the store.
 * @param {number} descriptor
 * @param {string} place
 * @param {boolean} isWhole
 */
function keep(descriptor, place, isWhole) {
  const stat = real.fstatSync(descriptor);
  if (stat.isDirectory()) return keepNames(place);
  if (real.statSync(place).ino !== stat.ino) throw new Error(`${place} is another file than the one that is synced`);
  const id = idOf(stat.ino);
  const copy = `${store}/data/${id}`;
  const pieces = unsynced.get(stat.ino) ?? null;
  if (isWhole || !real.existsSync(copy) || (unsynced.has(stat.ino) && pieces === null)) {
    replace(copy, (draft) => real.copyFileSync(place, draft));
  } else copyPieces(place, copy, pieces ?? [], stat.size);
  unsynced.set(stat.ino, []);
  keepNewName(place, id);
}

/** @param {string} from @param {string} to @param {[start: number, end: number][]} pieces @param {number} size */
function copyPieces(from, to, pieces, size) {
  const [source, target] = [real.openSync(from, 'r'), real.openSync(to, 'r+')];
  for (const [start, end] of pieces) {
    const buffer = Buffer.alloc(end - start);
    const length = real.readSync(source, buffer, 0, buffer.length, start);
    real.writeSync(target, buffer, 0, length, start);
  }
  real.ftruncateSync(target, size);
  real.closeSync(source);
  real.closeSync(target);
}

/** @param {string} folder */
const namesFile = (folder) => `${store}/names/${idOf(real.statSync(folder).ino)}`;

/** @param {string} file @param {object} names */
const writeNames = (file, names) => replace(file, (draft) => real.writeFileSync(draft, JSON.stringify(names)));

/** @param {string} folder */
function keepNames(folder) {
  const entries = real.readdirSync(folder, { withFileTypes: true }).map((entry) => {
    const { ino } = real.lstatSync(path.join(folder, entry.name));
    return [entry.name, { id: idOf(ino), isFolder: entry.isDirectory() }];
  });
  writeNames(namesFile(folder), Object.fromEntries(entries));
}

/** @param {string} place @param {string} id */
function keepNewName(place, id) {
  const file = namesFile(path.dirname(place));
  const names = real.existsSync(file) ? JSON.parse(real.readFileSync(file, 'utf8')) : {};
  if (Object.values(names).some((entry) => entry.id === id)) return;
  writeNames(file, { ...names, [path.basename(place)]: { id, isFolder: false } });
}

/**
 * Replaces `name` of `target` by a function that `make` makes of the real one.
 * @param {Record<string, any>} target
 * @param {string} name
 * @param {(real: Real) => Real} make
 */
const wrap = (target, name, make) => (target[name] = make(target[name]));

if (store) {
  wrap(fs, 'openSync', (open) => (place, ...rest) => {
    const descriptor = open(place, ...rest);
    if (isOurs(place)) paths.set(descriptor, path.resolve(place));
    return descriptor;
  });
  wrap(fs, 'closeSync', (close) => (descriptor) => {
    paths.delete(descriptor);
    close(descriptor);
  });
  wrap(fs, 'writeSync', (write) => (descriptor, data, offset, length, position) => {
    const bytes = write(descriptor, data, offset, length, position);
    noteWrite(descriptor, position, bytes);
    return bytes;
  });
  for (const name of ['truncateSync', 'writeFileSync']) {
    wrap(fs, name, (change) => (place, ...rest) => {
      change(place, ...rest);
      noteAll(place);
    });
  }
  wrap(fs, 'ftruncateSync', (truncate) => (descriptor, length) => {
    truncate(descriptor, length);
    noteWrite(descriptor, null, 0);
  });
  for (const name of ['fsyncSync', 'fdatasyncSync']) {
    wrap(fs, name, (sync) => (descriptor) => {
      const place = paths.get(descriptor);
      if (place === undefined) sync(descriptor);
      else keep(descriptor, place, false);
    });
  }
  for (const target of [fs, fs.promises]) {
    const ending = target === fs ? 'Sync' : '';
    for (const name of ['unlink', 'rm', 'rmdir']) {
      wrap(target, `${name}${ending}`, (remove) => (place, ...rest) => {
        forget(place);
        return remove(place, ...rest);
      });
    }
    wrap(target, `rename${ending}`, (rename) => (from, to) => {
      if (isOurs(to)) forget(to);
      return rename(from, to);
    });
  }
  wrap(fs.promises, 'open', (open) => async (place, ...rest) => {
    const handle = await open(place, ...rest);
    if (isOurs(place) || path.resolve(place) === root) {
      handle.sync = handle.datasync = async () => keep(handle.fd, path.resolve(place), true);
    }
    return handle;
  });
  wrap(childProcess, 'fork', (fork) => (program, words, options) => {
    const env = { ...options.env, NODE_OPTIONS, VOLATILE_ROOT: root, VOLATILE_STORE: store };
    return fork(program, words, { ...options, env });
  });
  syncBuiltinESMExports();
}
