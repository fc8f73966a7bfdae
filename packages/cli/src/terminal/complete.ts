/** By what an answer is complete: what commands print of it. */
import type { Completeness, Resting } from '@signet/sdk';
import { RefusedError } from '../exit.js';
import { jsonLine, printable, type Printer, timeText } from './printer.js';

/** The line for people; with `--json` an object on standard error, beside those of the answer. */
export function showComplete(printer: Printer, resting: Resting | null): void {
  if (!resting?.map) return;
  if (printer.isJson) printer.note(jsonLine({ resting }));
  else printer.line(sentence(resting.map));
}

/** A "no": nothing was found. */
export function notFound(message: string, resting: Resting | null): RefusedError {
  const map = resting?.map ?? null;
  return new RefusedError(map ? `${message} ${sentence(map)}` : message, 'not_found', map && resting);
}

function sentence({ origin, size, cosignedAt, newer, erased }: Completeness): string {
  const seen = cosignedAt === null ? '' : `, which witnesses had signed at ${timeText(cosignedAt)}`;
  const more = newer === 0 ? '' : ` ${newer} of it is newer: of that, more may be left out.`;
  const gone = erased === 0 ? '' : ` The text of ${erased} of it was erased: what that said is not known any more.`;
  return `Nothing is left out: so says the map of ${size} entries of the log ${printable(origin)}${seen}.${more}${gone}`;
}
