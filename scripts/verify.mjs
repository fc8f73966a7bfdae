/**
 * Checks all chains in a database against their signatures, with the settings of the service (DATABASE_URL, or
 * DATA_DIR):
 *
 * npm run verify        exit code 0: everything verifies; 1: something does not, and the first finding is printed; 2:
 * not everything could be checked
 */
import './ensure-built.mjs';
import { built } from './built.mjs';

const { verifyCommand } = await built('audit/verify-command.js');
process.exitCode = await verifyCommand(process.env, process.argv.slice(2), console.log);
