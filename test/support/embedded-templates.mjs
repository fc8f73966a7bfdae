import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, rename, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);
/** @param {string} file */
const built = (file) => new URL(`dist/src/database/${file}`, root);

/**
 * Two folders of embedded clusters that no process has open, for tests to copy: `fresh` is empty, and `migrated` has
 * the tables of the service. They take seconds of the processor to make, so they are kept in `.cache` from one run to
 * the next: the first as long as the version of PGlite stays, the second as long as the migrations do as well.
 * @returns {Promise<{ fresh: string, migrated: string }>}
 */
export async function embeddedTemplates() {
  const { version } = JSON.parse(readFileSync(new URL('node_modules/@electric-sql/pglite/package.json', root), 'utf8'));
  const fresh = inCache(`pglite-${version}`);
  await made(fresh, async () => {});
  const migrated = inCache(`pglite-migrated-${version}-${schemaHash()}`);
  await made(migrated, async (dataDir, open) => {
    await removeOthers(migrated);
    await cp(fresh, `${dataDir}/pglite`, { recursive: true });
    const { url, close } = await open();
    const { migrate } = await import(built('schema/migrator.js').href);
    await migrate(url).finally(close);
  });
  return { fresh, migrated };
}

const REMOVAL = { recursive: true, force: true };
/** @param {string} name */
const inCache = (name) => fileURLToPath(new URL(`.cache/${name}`, root));

/**
 * Removes the migrated clusters of other migrations, but none that another run is making.
 * @param {string} migrated
 */
async function removeOthers(migrated) {
  for (const name of readdirSync(inCache(''))) {
    const isMigrated = /^pglite-migrated-.*-[0-9a-f]{16}$/.test(name);
    if (isMigrated && inCache(name) !== migrated) await rm(inCache(name), REMOVAL);
  }
}

/** The beginning of the hash of all built files that make the schema. */
function schemaHash() {
  const folder = fileURLToPath(built('schema'));
  const hash = createHash('sha256');
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (file.endsWith('.js')) hash.update(`${file}\n`).update(readFileSync(`${folder}/${file}`));
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * Makes the folder `template` unless it is there: a closed cluster, on which `work` was done before.
 * @param {string} template
 * @param {(folder: string, open: () => Promise<{ url: string, close(): Promise<void> }>) => Promise<void>} work
 */
async function made(template, work) {
  if (existsSync(template)) return;
  const unfinished = `${template}-${process.pid}`;
  /** @param {Error} error */
  const fail = (error) => {
    throw error;
  };
  const { openEmbeddedDatabase } = await import(built('embedded/embedded-database.js').href);
  const open = () => openEmbeddedDatabase(unfinished, { onCrash: fail });
  await work(unfinished, open);
  if (!existsSync(`${unfinished}/pglite`)) await (await open()).close();
  // Another run may have been faster; then its folder is as good as ours.
  await rename(`${unfinished}/pglite`, template).catch((error) => existsSync(template) || fail(error));
  await rm(unfinished, REMOVAL);
}
