/**
 * Writes tree heads of ever more entries into the file of a log, in turns with another process, and reads after each
 * write: what a process has written must be there, or more.
 */
import { built } from '../../scripts/built.mjs';
import { messageOf } from '../../scripts/message-of.mjs';

const { HeadFile } = await built('transparency-log/signing/heads/head-files.js');
const [folder, origin, place, writes] = process.argv.slice(2);
const file = new HeadFile(folder, origin);
for (let turn = 0, seen = 0; turn < Number(writes); turn++) {
  const size = 2 * turn + Number(place) + 1;
  try {
    await file.write({ size, root: Buffer.alloc(32, 1) });
    const found = (await file.read())?.size ?? 0;
    if (found < Math.max(size, seen)) process.send?.(`${found} entries after ${Math.max(size, seen)}`);
    seen = Math.max(size, seen, found);
  } catch (error) {
    process.send?.(messageOf(error));
  }
}
process.disconnect();
