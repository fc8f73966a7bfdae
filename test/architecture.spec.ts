import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The arrows between modules: which one may import which. Any module may also use `domain`, `crypto`, `config`,
 * `concurrency` (shapes of waiting, which know nothing of ours) and `bounds` (who may use how much); `http`
 * speaks for controllers and DTOs, and `database` lends column types, the append lock and the names of its errors.
 * Nobody imports `admin` or the top.
 */
const EVERYWHERE = ['domain', 'crypto', 'config', 'concurrency', 'bounds', 'database', 'http', 'measures'];
const ARROWS: Record<string, string[]> = {
  crypto: [],
  config: [],
  concurrency: [],
  files: [],
  measures: [],
  bounds: ['config', 'concurrency'],
  domain: ['crypto'],
  database: ['time-sql', 'config', 'concurrency', 'bounds', 'files'],
  http: ['domain', 'crypto', 'config', 'bounds', 'database', 'api-description'],
  'api-description': ['domain', 'crypto', 'config', 'database', 'http'],
  events: EVERYWHERE,
  jobs: EVERYWHERE,
  holds: EVERYWHERE,
  ledger: [...EVERYWHERE, 'events', 'holds'],
  outbound: EVERYWHERE,
  actor: [...EVERYWHERE, 'outbound'],
  platform: [...EVERYWHERE, 'outbound'],
  'proof-chain': [...EVERYWHERE, 'ledger'],
  proof: [...EVERYWHERE, 'proof-chain', 'platform', 'ledger', 'events', 'holds'],
  kv: [...EVERYWHERE, 'ledger', 'events', 'proof', 'platform', 'holds'],
  keys: [...EVERYWHERE, 'ledger', 'events', 'proof-chain', 'kv', 'holds', 'jobs'],
  records: [...EVERYWHERE, 'ledger', 'proof', 'kv', 'keys'],
  hiding: [...EVERYWHERE, 'platform'],
  badge: [...EVERYWHERE, 'proof', 'platform', 'kv', 'hiding'],
  'transparency-log': [...EVERYWHERE, 'files', 'platform', 'records', 'ledger', 'keys', 'events', 'outbound'],
  resolve: [...EVERYWHERE, 'proof', 'proof-chain', 'platform', 'kv', 'transparency-log'],
  rechecks: [...EVERYWHERE, 'proof', 'platform', 'events'],
  'event-stream': [...EVERYWHERE, 'platform', 'events'],
  deliveries: [...EVERYWHERE, 'jobs'],
  webhooks: [...EVERYWHERE, 'platform', 'events', 'jobs', 'outbound', 'deliveries'],
  push: [...EVERYWHERE, 'proof', 'events', 'jobs', 'outbound', 'deliveries'],
  page: [...EVERYWHERE, 'proof', 'platform', 'kv', 'hiding', 'feeds', 'push'],
  feeds: [...EVERYWHERE, 'proof', 'platform', 'kv', 'ledger', 'records', 'hiding'],
  witness: EVERYWHERE,
  observer: [...EVERYWHERE, 'proof-chain', 'platform', 'jobs', 'outbound'],
  upgrade: [...EVERYWHERE, 'jobs', 'records'],
  nextid: [...EVERYWHERE, 'ledger', 'platform', 'proof-chain', 'proof', 'kv'],
  archive: [...EVERYWHERE, 'ledger', 'events', 'jobs', 'outbound'],
  erasure: [
    ...EVERYWHERE,
    'ledger',
    'proof',
    'records',
    'transparency-log',
    'events',
    'webhooks',
    'push',
    'archive',
    'observer',
  ],
};
/** Modules that wire or watch the others; no other module imports them. */
const TOP = ['admin', 'operations', 'audit', 'move', 'process', ''];
/**
 * The folder that owns each table. SQL of another folder gets its conditions and selects from there, so that a change
 * of a table has one place.
 */
const TABLES: Record<string, string> = {
  deployment_setting: 'database',
  migrations: 'database',
  chain_link: 'proof-chain',
  proof: 'proof',
  proof_check: 'proof',
  proof_evidence: 'proof',
  proof_search: 'proof',
  proof_search_left: 'proof',
  kv_patch: 'kv',
  kv_entry: 'kv',
  key_event: 'keys',
  key_deadline: 'keys',
  avatar_hold: 'holds',
  kv_entry_then: 'holds',
  app_key: 'holds',
  hidden_item: 'hiding',
  domain_event: 'events',
  event_handler: 'events',
  parked_event: 'events',
  webhook_subscription: 'webhooks',
  webhook_delivery: 'webhooks',
  push_subscription: 'push',
  push_delivery: 'push',
  archive_batch: 'archive',
  archive_item: 'archive',
  platform_use: 'outbound',
  rate_limit: 'operations',
  witnessed_log: 'witness',
  followed_feed: 'observer',
  observed_chain: 'observer',
  observed_binding: 'observer',
  seen_statement: 'observer',
  log_witness: 'transparency-log',
  log_state: 'transparency-log',
  log_feed: 'transparency-log',
  map_past: 'transparency-log',
  map_tile: 'transparency-log',
  log_leaf: 'transparency-log',
  log_tile: 'transparency-log',
  log_checkpoint: 'transparency-log',
  log_cosignature: 'transparency-log',
  log_past_origin: 'transparency-log',
  erasure: 'transparency-log',
  erasure_rest: 'erasure',
  incomplete_entry: 'kv',
  subkey: 'nextid',
  upgrade_step: 'database',
};
/** Who reads tables of others all the same, and why. */
const TABLE_READERS: Record<string, string[]> = {
  audit: ['erasure'],
  // The audit checks rows as they are stored, so it must not read them through the code that wrote them.
  proof: ['chain_link'],
  // Reads the clock in the newest link, and whether the schema is complete.
  operations: ['chain_link', 'migrations'],
  // The schedule of rechecks stands in columns of the bindings themselves.
  rechecks: ['proof', 'chain_link'],
  // Counts what its Avatar had signed before, under the locks of both chains.
  keys: ['chain_link', 'kv_patch', 'avatar_hold', 'app_key'],
  // Says in the table of steps how far they are, and tells an operator what is to be done.
  upgrade: ['upgrade_step', 'migrations', 'deployment_setting'],
  // Moves settings as they are, and begins behind an upgrade.
  move: ['upgrade_step', 'deployment_setting'],
  // Tells by the newest link how far a replica lags.
  database: ['time-sql', 'chain_link'],
};

/**
 * The floors of the two big folders, from the ground up: folders, and files that stand beside these. Each may import
 * what is named before it; files that are not named stand above all.
 */
const FLOORS: Record<string, string[]> = {
  'transparency-log': [
    'tree/records',
    'tree/map',
    'tree',
    'signing/heads',
    'signing/witnesses',
    'signing',
    'check',
    'published',
  ],
  database: [
    'sql-source',
    'time-sql',
    'advisory-locks',
    'pg-errors',
    'connections',
    'embedded',
    'database',
    'data-source',
    'schema',
  ],
};
/** What the tree of the log does not know: keys, clocks, and what was signed. */
const UNKNOWN_TO_THE_TREE =
  /log-sign|signing|ed25519|new Date|Date\.now|performance\.now|clock_timestamp|\bnow\(\)|log_(checkpoint|cosignature|witness|past_origin)/;

/** Nest, TypeORM and the like stay out of the lowest folders. */
const PURE: Record<string, RegExp> = {
  crypto:
    /^(node:|@noble\/|@scure\/|secp256k1|elliptic|@signet\/verify(\/errors|\/internal|\/log|\/log-sign|\/signature-help)?$)/,
  domain: /^(node:|lru-cache$|@signet\/(look|verify(\/errors)?)$)/,
  concurrency: /^node:/,
  files: /^node:/,
};
/** Curves, hashes and encodings. */
const CRYPTOGRAPHY = /^(@noble\/|@scure\/|secp256k1|elliptic|canonicalize)/;
/** What the packages may import: nothing of the service, and the rules nothing that only Node has. */
const PACKAGES: Record<string, RegExp> = {
  cli: /^(\.{1,2}\/|node:|@signet\/(look|sdk|verify)(\/|$)|commander$)/,
  look: /^(\.{1,2}\/|node:|@signet\/verify(\/|$)|@noble\/hashes\/|dns-packet$|ipaddr\.js$|parse5$|undici$)/,
  react: /^(\.{1,2}\/|@signet\/sdk(\/element)?$|@tanstack\/react-query$|react$)/,
  sdk: /^(\.{1,2}\/|@signet\/verify(\/(atproto|bindings|dnssec|errors|internal(\/[a-z-]+)?|key-events|log|names|profile|seen|sign))?$|@signet\/look\/looker$|@wallet-standard\/app$|eventsource-parser$|mipd$)/,
  verify:
    /^(\.{1,2}\/|@atcute\/(car|cbor|cid|crypto|mst|multibase)$|@noble\/(curves|hashes)\/|@noble\/secp256k1$|@scure\/(base$|bip32$|bip39(\/|$))|canonicalize$)/,
};

/**
 * The files that name links and patches together: where kinds are listed, and where a format or an interface of before
 * has a member for each. All else goes by the declaration of a kind. Rules of key events count both.
 */
const NAMING_BOTH = [
  'src/keys/key-recorder.ts',
  'src/keys/answers/key-events.dto.ts',
  'src/keys/judging/held-audit.ts',
  'src/keys/keys.service.ts',
  'src/records/record-kinds.ts',
  'src/resolve/resolve.service.ts',
  'packages/sdk/src/keys/applied-keys.ts',
  'packages/sdk/src/log/monitor/held-writes.ts',
  'packages/sdk/src/log/record-kinds.ts',
  'packages/verify/src/chains/export-file.ts',
  'packages/verify/src/chains/export-keys.ts',
  'packages/verify/src/chains/named-records.ts',
  'packages/verify/src/chains/record-kind.ts',
  'packages/verify/src/key-events/check-key-event.ts',
  'packages/verify/src/key-events/holds.ts',
  'packages/verify/src/key-events/rules.ts',
  'packages/verify/src/log.ts',
  'packages/verify/src/map/map-values.ts',
];
const BOTH = /\blink(s|_entries)?\b.*\bpatch(es|_entries)?\b|\bpatch(es|_entries)?\b.*\blink(s|_entries)?\b/i;

const MOST_FILES_OF_A_FOLDER = 15;

const SRC = fileURLToPath(new URL('../src/', import.meta.url));
const PACKAGES_FOLDER = fileURLToPath(new URL('../packages/', import.meta.url));

interface Import {
  file: string;
  module: string;
  /** A package, or the module that a relative import leads to. */
  target: string;
  isPackage: boolean;
}

function moduleOf(file: string): string {
  const [first, ...rest] = path.relative(SRC, file).split(path.sep);
  return rest.length === 0 ? '' : first!;
}

/** What a source imports or exports from, at its top, in a type, or when it runs. */
function importTargets(text: string): string[] {
  const statements = text.matchAll(/^(?:import|export)\s(?:[^'";]*?\sfrom\s)?'([^']+)'/gm);
  const calls = text.matchAll(/\bimport\(\s*'([^']+)'/g);
  return [...statements, ...calls].map((match) => match[1]!);
}

/** The tables that SQL in a source names. */
function tablesIn(text: string): string[] {
  const words = text.matchAll(/\b(?:from|join|into|update|table|using|references)\s+(?:only\s+)?"?([a-z_]+)\b/g);
  return [...new Set([...words].map((match) => match[1]!).filter((name) => name in TABLES))];
}

function targetsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return importTargets(text);
}

function importsOf(file: string): Import[] {
  return targetsOf(file).map((target) => {
    const isPackage = !target.startsWith('.');
    return {
      file: path.relative(SRC, file),
      module: moduleOf(file),
      target: isPackage ? target : moduleOf(path.resolve(path.dirname(file), target)),
      isPackage,
    };
  });
}

/** The floor of a file in its big folder: the longest name of `FLOORS` that fits; above all where none does. */
function floorOf(folder: string, file: string): number {
  const name = path.relative(path.join(SRC, folder), file).replace(/\.ts$/, '');
  const fitting = FLOORS[folder]!.filter((floor) => name === floor || name.startsWith(`${floor}/`));
  const longest = fitting.sort((one, other) => other.length - one.length)[0];
  return longest === undefined ? Infinity : FLOORS[folder]!.indexOf(longest);
}

/** Migrations and upgrade steps make and change the tables of all folders. */
function isSchema(file: string): boolean {
  return file.includes(`${path.sep}migrations${path.sep}`) || file.endsWith('upgrade-steps.ts');
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => path.join(folder, name));
}

const files = filesBelow(SRC);
const imports = files.flatMap(importsOf);

describe('the arrows between modules', () => {
  it('reads imports at all', () => {
    expect(imports.some(({ module, target }) => module === 'proof' && target === 'proof-chain')).toBe(true);
    expect(imports.some(({ module, target }) => module === 'crypto' && target === '@signet/verify')).toBe(true);
  });

  it('has a line for every module', () => {
    const modules = new Set(files.map(moduleOf));

    expect([...modules].filter((module) => !(module in ARROWS) && !TOP.includes(module))).toEqual([]);
  });

  it('has a row for every module in the table of CONTRIBUTING.md', () => {
    const table = readFileSync(path.join(SRC, '../CONTRIBUTING.md'), 'utf8');
    const modules = new Set(files.map(moduleOf).filter((module) => module !== ''));

    expect([...modules].filter((module) => !table.includes(`\`src/${module}\``))).toEqual([]);
  });

  it('only lets modules import lower ones', () => {
    const forbidden = imports.filter(
      ({ module, target, isPackage }) =>
        !isPackage && module !== target && !TOP.includes(module) && !ARROWS[module]?.includes(target),
    );

    expect(forbidden.map(({ file, target }) => `${file} imports ${target || 'the top'}`)).toEqual([]);
  });

  it('has no circle of files', () => {
    const importsByFile = new Map(
      files.map((file) => [
        file,
        targetsOf(file)
          .filter((target) => target.startsWith('.'))
          .map((target) => path.resolve(path.dirname(file), target.replace(/\.js$/, '.ts'))),
      ]),
    );
    const reachable = (start: string): Set<string> => {
      const seen = new Set<string>();
      const open = [start];
      for (let file = open.pop(); file !== undefined; file = open.pop()) {
        const next = (importsByFile.get(file) ?? []).filter((one) => !seen.has(one));
        next.forEach((one) => seen.add(one));
        open.push(...next);
      }
      return seen;
    };

    const inCircles = files.filter((file) => reachable(file).has(file));
    expect(inCircles.map((file) => path.relative(SRC, file))).toEqual([]);
  });

  it.each(Object.keys(FLOORS))('only lets the folders of %s import lower ones', (folder) => {
    const inside = files.filter((file) => moduleOf(file) === folder);
    const upwards = inside.flatMap((file) =>
      targetsOf(file)
        .filter((target) => target.startsWith('.'))
        .map((target) => path.resolve(path.dirname(file), target.replace(/\.js$/, '.ts')))
        .filter((target) => moduleOf(target) === folder && floorOf(folder, target) > floorOf(folder, file))
        .map((target) => `${path.relative(SRC, file)} imports ${path.relative(SRC, target)}`),
    );

    expect(inside.map((file) => floorOf(folder, file))).toEqual(
      expect.arrayContaining([...FLOORS[folder]!.keys(), Infinity]),
    );
    expect(upwards).toEqual([]);
  });

  it('lets the tree of the log grow without a key, a clock, and what was signed', () => {
    const tree = files.filter((file) => file.startsWith(path.join(SRC, 'transparency-log', 'tree')));
    const knowing = tree.flatMap((file) => {
      const [known] = UNKNOWN_TO_THE_TREE.exec(readFileSync(file, 'utf8')) ?? [];
      return known === undefined ? [] : [`${path.relative(SRC, file)} knows ${known}`];
    });

    expect(tree.length).toBeGreaterThan(10);
    expect(knowing).toEqual([]);
  });

  it('sees what is imported when the code runs, and what is only exported or a type', () => {
    const text = `import 'a';\nexport { b } from 'b';\nconst c = await import('c');\nlet d: import('d').D;`;

    expect(importTargets(text)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('lets SQL name the tables of its own folder only', () => {
    const foreign = files
      .filter((file) => !isSchema(file))
      .flatMap((file) =>
        tablesIn(readFileSync(file, 'utf8'))
          .filter((table) => TABLES[table] !== moduleOf(file) && !TABLE_READERS[moduleOf(file)]?.includes(table))
          .map((table) => `${path.relative(SRC, file)} names ${table} of ${TABLES[table]}`),
      );

    expect(foreign).toEqual([]);
  });

  it('names no route in operations, which knows routes by their class alone', () => {
    const paths = files
      .filter((file) => moduleOf(file) === 'operations')
      .flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(/'\/[a-z][^']*'|\/\^\\\/[^\n]*/g)].map(
          ([text]) => `${path.relative(SRC, file)} names ${text}`,
        ),
      );

    expect(paths).toEqual([]);
  });

  it('names links and patches together only where kinds are listed', () => {
    const sources = ['verify', 'sdk'].flatMap((name) => filesBelow(path.join(PACKAGES_FOLDER, name, 'src')));
    const naming = [...files.filter((file) => !isSchema(file)), ...sources]
      .filter((file) => !file.endsWith('api-types.ts') && BOTH.test(readFileSync(file, 'utf8')))
      .map((file) => path.relative(path.dirname(PACKAGES_FOLDER), file));

    expect(naming.sort()).toEqual(NAMING_BOTH.toSorted());
  });

  it('knows every table', () => {
    const made = files
      .filter((file) => file.includes(`${path.sep}migrations${path.sep}`))
      .flatMap((file) => [
        ...readFileSync(file, 'utf8').matchAll(/create (?:unlogged )?table (?:if not exists )?(\w+)/g),
      ])
      .map((match) => match[1]!);

    expect(made.length).toBeGreaterThan(10);
    expect(made.filter((table) => !(table in TABLES))).toEqual([]);
  });

  it('reads the tables of a statement', () => {
    expect(tablesIn('select 1 from proof join "kv_entry" on true; insert into chain_link').sort()).toEqual([
      'chain_link',
      'kv_entry',
      'proof',
    ]);
  });

  it('keeps frameworks out of the lowest modules', () => {
    const foreign = imports.filter(
      ({ module, target, isPackage }) => isPackage && PURE[module] && !PURE[module].test(target),
    );

    expect(foreign.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  it('keeps curve and hash packages in the crypto module', () => {
    const outside = imports.filter(({ module, target }) => module !== 'crypto' && CRYPTOGRAPHY.test(target));

    expect(outside.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  it('has class-transformer make objects of settings alone, never of what strangers send', () => {
    const users = imports.filter(({ target }) => target === 'class-transformer');

    expect(users.filter(({ module }) => module !== 'config').map(({ file }) => file)).toEqual([]);
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

  it('lets packages/look use Node in one folder alone', () => {
    const sources = path.join(PACKAGES_FOLDER, 'look/src');
    const foreign = filesBelow(sources)
      .filter((file) => !file.startsWith(path.join(sources, 'node')))
      .flatMap((file) =>
        targetsOf(file)
          .filter((target) => /^(node:|undici$)|\/node\//.test(target))
          .map((target) => `${path.relative(sources, file)} imports ${target}`),
      );

    expect(foreign).toEqual([]);
  });

  it.each(readdirSync(PACKAGES_FOLDER))('lets the tests of packages/%s use code of the packages alone', (name) => {
    const tests = path.join(PACKAGES_FOLDER, name, 'test');
    const foreign = filesBelow(tests).flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/ from '(\.[^']*)'/g)]
        .filter(([, target]) => !path.resolve(path.dirname(file), target!).startsWith(PACKAGES_FOLDER))
        .map(([, target]) => `${path.relative(tests, file)} imports ${target!}`),
    );

    expect(foreign).toEqual([]);
  });

  it('has at most fifteen files in a folder, so that a folder is one idea', () => {
    const sources = [SRC, ...readdirSync(PACKAGES_FOLDER).map((name) => path.join(PACKAGES_FOLDER, name, 'src'))];
    const folders = new Map<string, number>();
    for (const file of sources.flatMap(filesBelow)) {
      folders.set(path.dirname(file), (folders.get(path.dirname(file)) ?? 0) + 1);
    }

    const full = [...folders].filter(([, count]) => count > MOST_FILES_OF_A_FOLDER);
    expect(full.map(([folder, count]) => `${folder} has ${count} files`)).toEqual([]);
  });

  it('reads the environment of the process in one place only', () => {
    const readers = files
      .filter((file) => /^[^*]*process\.env\b/m.test(readFileSync(file, 'utf8')))
      .map((file) => path.relative(SRC, file));

    expect(readers).toEqual(['process/service.ts']);
  });
});
