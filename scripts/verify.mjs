/**
 * Checks all chains in a database against their signatures, with the settings of the service (DATABASE_URL, or
 * DATA_DIR):
 *
 * npm run verify        exit code 0: everything verifies; 1: something does not, and the first finding is printed; 2:
 * not everything could be checked
 */
import 'reflect-metadata';
import './ensure-built.mjs';

const { verifyCommand } = await import('../dist/src/audit/verify-command.js');
process.exitCode = await verifyCommand(process.env, process.argv.slice(2), console.log);
