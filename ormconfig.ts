import { DataSource } from 'typeorm';
import { loadEnvironment } from './src/config/environment.js';
import { migrationOptions } from './src/database/data-source.js';
import { MIGRATIONS } from './src/database/schema/migrations/index.js';

/**
 * For the TypeORM command line: `npx typeorm migration:show -d dist/ormconfig.js` with DATABASE_URL (or
 * DATABASE_DIRECT_URL) set.
 */
const { DATABASE_URL, DATABASE_DIRECT_URL } = loadEnvironment(process.env);
const url = DATABASE_DIRECT_URL ?? DATABASE_URL;
if (!url) throw new Error('Set DATABASE_URL: the command line works on PostgreSQL only.');

export default new DataSource(migrationOptions(url, MIGRATIONS));
