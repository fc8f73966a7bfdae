/**
 * Upgrades of the database that the settings name (DATABASE_URL, or DATA_DIR); see docs/host/upgrades.md:
 *
 * npm run upgrade -- --check [--free <GiB>]    exit code 0: it can be upgraded; 1: it cannot; 2: it
 *                                              could not be checked
 */
import './ensure-built.mjs';
import { built } from './built.mjs';

const { upgradeCommand } = await built('upgrade/upgrade-command.js');
process.exitCode = await upgradeCommand(process.env, process.argv.slice(2), console.log);
