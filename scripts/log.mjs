/**
 * The transparency log of the database that the settings name (DATABASE_URL, or DATA_DIR); see docs/log.md:
 *
 * npm run log -- check                     exit code 0: all is as it was signed; 1: something is not, and the first
 *                                          finding is printed; 2: the log could not be checked
 * npm run log -- rebuild-map               has a server compute the map anew, where its tiles are damaged
 * npm run log -- new-origin "<reason>"     ends the log and begins another, after a restore
 * npm run log -- erase --link <id>         erases the text of a link or patch for legal reasons, and says so in the log
 */
import './ensure-built.mjs';
import { built } from './built.mjs';

const words = process.argv.slice(2);
const { logCommand } = await built('transparency-log/log-command.js');
const { eraseCommand } = await built('erasure/erase-command.js');
const command = words[0] === 'erase' ? eraseCommand : logCommand;
process.exitCode = await command(process.env, words, console.log);
