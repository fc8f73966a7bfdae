/**
 * Moves the database of a deployment into another one; see docs/scaling.md:
 *
 * npm run move -- --from <DATA_DIR | URL> --to <URL | DATA_DIR>
 *
 * Exit code 0: the target is in use from now on; 1: it is not, and the reason is printed; 2: nothing was decided. A run
 * that was cut short goes on when it is started again.
 */
import './ensure-built.mjs';
import { built } from './built.mjs';

const { moveCommand } = await built('move/move-command.js');
process.exitCode = await moveCommand(process.env, process.argv.slice(2), console.log);
