/**
 * The transparency log of the database that the settings name (DATABASE_URL, or DATA_DIR); see docs/log.md:
 *
 * npm run log -- check                     exit code 0: all is as it was signed; 1: something is not, and the first
 *                                          finding is printed; 2: the log could not be checked
 * npm run log -- new-origin "<reason>"     ends the log and begins another, after a restore
 */
import 'reflect-metadata';
import './ensure-built.mjs';

const { logCommand } = await import('../dist/src/transparency-log/log-command.js');
process.exitCode = await logCommand(process.env, process.argv.slice(2), console.log);
