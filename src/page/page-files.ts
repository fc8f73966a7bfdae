import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUILT_FOLDER } from '../config/service-folder.js';

/** One file of the page as it is sent, in each encoding that the build wrote. */
export interface PageFile {
  /** Content-Type. */
  type: string;
  /** Whether its name holds a hash of its content, so that it never changes under this name. */
  isHashed: boolean;
  /** As it is, and by `Content-Encoding`. */
  content: { identity: Buffer; br?: Buffer; gzip?: Buffer };
}

const FOLDER = fileURLToPath(new URL('web/', BUILT_FOLDER));

/** Where the files are whose names hold a hash of their content. */
export const HASHED_FILES = '/assets/';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
};

/** What a process has read, for all applications that it starts. */
let kept: ReadonlyMap<string, PageFile> | null = null;

/**
 * The files of the built page by their address, such as `/assets/index-1a2b3c4d.js`. They are a few hundred KiB, and
 * are read once and kept.
 * @returns null if there is no built page
 */
export function pageFiles(): ReadonlyMap<string, PageFile> | null {
  return (kept ??= readFiles());
}

function readFiles(): ReadonlyMap<string, PageFile> | null {
  if (!existsSync(path.join(FOLDER, 'index.html'))) return null;
  const names = new Set(readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }));
  const read = (name: string) => readFileSync(path.join(FOLDER, name));
  const files = [...names].flatMap((name): [string, PageFile][] => {
    const type = TYPES[path.extname(name)];
    if (type === undefined) return [];
    const address = `/${name.split(path.sep).join('/')}`;
    const content = {
      identity: read(name),
      ...(names.has(`${name}.br`) && { br: read(`${name}.br`) }),
      ...(names.has(`${name}.gz`) && { gzip: read(`${name}.gz`) }),
    };
    return [[address, { type, isHashed: address.startsWith(HASHED_FILES), content }]];
  });
  return new Map(files);
}
