import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The arrows of the house: which room may import which. Any room may also use `domain`, `crypto`, `config` and
 * `concurrency` (shapes of waiting, which know nothing of ours); `http`
 * speaks for controllers and DTOs, and `database` lends column types, the append lock and the names of its errors.
 * Nobody imports `admin` or the top.
 */
const EVERYWHERE = ['domain', 'crypto', 'config', 'concurrency', 'database', 'http'];
const ARROWS: Record<string, string[]> = {
  crypto: [],
  config: [],
  concurrency: [],
  domain: ['crypto'],
  database: ['config', 'concurrency'],
  http: ['domain', 'crypto', 'config', 'database'],
  events: EVERYWHERE,
  jobs: EVERYWHERE,
  payload: EVERYWHERE,
  web: EVERYWHERE,
  platform: [...EVERYWHERE, 'web'],
  'proof-chain': [...EVERYWHERE, 'payload', 'events'],
  proof: [...EVERYWHERE, 'proof-chain', 'platform', 'payload', 'events'],
  kv: [...EVERYWHERE, 'payload', 'events', 'proof', 'platform'],
  rechecks: [...EVERYWHERE, 'proof', 'platform', 'events'],
  'event-stream': [...EVERYWHERE, 'platform', 'events'],
  webhooks: [...EVERYWHERE, 'platform', 'events', 'jobs', 'web'],
  archive: [...EVERYWHERE, 'proof-chain', 'events', 'jobs', 'web'],
};
/** They wire or watch the other rooms, and no room knows them. */
const TOP = ['admin', 'operations', 'verify', ''];
/** Nest, TypeORM and the like stay out of the lowest folders. */
const PURE: Record<string, RegExp> = {
  crypto: /^(node:|@noble\/|@scure\/|secp256k1|elliptic|@signet\/verify$)/,
  domain: /^(node:|@signet\/verify$)/,
  concurrency: /^node:/,
};
/** Curves, hashes and encodings. */
const CRYPTOGRAPHY = /^(@noble\/|@scure\/|secp256k1|elliptic|canonicalize)/;
/** What the packages may import: nothing of the service, and the rules nothing that only Node has. */
const PACKAGES: Record<string, RegExp> = {
  verify: /^(\.\/|@noble\/(curves|hashes)\/|@noble\/secp256k1$|@scure\/base$|canonicalize$)/,
};

const SRC = fileURLToPath(new URL('../src/', import.meta.url));
const PACKAGES_FOLDER = fileURLToPath(new URL('../packages/', import.meta.url));

interface Import {
  file: string;
  room: string;
  /** A package, or the room that a relative import leads to. */
  target: string;
  isPackage: boolean;
}

function roomOf(file: string): string {
  const [first, ...rest] = path.relative(SRC, file).split(path.sep);
  return rest.length === 0 ? '' : first!;
}

function targetsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^(?:import|export)\s(?:[^'";]*?\sfrom\s)?'([^']+)'/gm)].map((match) => match[1]!);
}

function importsOf(file: string): Import[] {
  return targetsOf(file).map((target) => {
    const isPackage = !target.startsWith('.');
    return {
      file: path.relative(SRC, file),
      room: roomOf(file),
      target: isPackage ? target : roomOf(path.resolve(path.dirname(file), target)),
      isPackage,
    };
  });
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => path.join(folder, name));
}

const files = filesBelow(SRC);
const imports = files.flatMap(importsOf);

describe('the arrows of the house', () => {
  it('reads imports at all', () => {
    expect(imports.some(({ room, target }) => room === 'proof' && target === 'proof-chain')).toBe(true);
    expect(imports.some(({ room, target }) => room === 'crypto' && target === '@signet/verify')).toBe(true);
  });

  it('has a line for every room', () => {
    const rooms = new Set(files.map(roomOf));

    expect([...rooms].filter((room) => !(room in ARROWS) && !TOP.includes(room))).toEqual([]);
  });

  it('only lets doors open downwards', () => {
    const forbidden = imports.filter(
      ({ room, target, isPackage }) =>
        !isPackage && room !== target && !TOP.includes(room) && !ARROWS[room]?.includes(target),
    );

    expect(forbidden.map(({ file, target }) => `${file} imports ${target || 'the top'}`)).toEqual([]);
  });

  it('keeps frameworks out of the lowest rooms', () => {
    const foreign = imports.filter(
      ({ room, target, isPackage }) => isPackage && PURE[room] && !PURE[room].test(target),
    );

    expect(foreign.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  it('keeps curve and hash packages in the crypto room', () => {
    const outside = imports.filter(({ room, target }) => room !== 'crypto' && CRYPTOGRAPHY.test(target));

    expect(outside.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  it('never lets two entities import each other', () => {
    const between = imports.filter(
      ({ file, target, isPackage }) =>
        file.endsWith('.entity.ts') &&
        !isPackage &&
        target !== 'database' &&
        readFileSync(path.join(SRC, file), 'utf8').match(/from '[^']*\.entity\.js'/),
    );

    expect(between.map(({ file }) => file)).toEqual([]);
  });

  it.each(readdirSync(PACKAGES_FOLDER))('lets packages/%s import nothing but what it is allowed', (name) => {
    const sources = path.join(PACKAGES_FOLDER, name, 'src');
    const foreign = filesBelow(sources).flatMap((file) =>
      targetsOf(file)
        .filter((target) => !PACKAGES[name]?.test(target))
        .map((target) => `${path.relative(sources, file)} imports ${target}`),
    );

    expect(foreign).toEqual([]);
  });

  it('reads the environment of the process in one place only', () => {
    const readers = files
      .filter((file) => /^[^*]*process\.env\b/m.test(readFileSync(file, 'utf8')))
      .map((file) => path.relative(SRC, file));

    expect(readers).toEqual(['main.ts']);
  });
});
