/** By what an answer is complete: what commands print of it. */
import type { Completeness } from '@signet/sdk';
import { RefusedError } from '../exit.js';
import { jsonLine, printable, type Printer, timeText } from './printer.js';

/** The member `complete` of a JSON object; none where an answer was not asked to be complete. */
export function completeMembers(complete: Completeness | null): object {
  if (!complete) return {};
  const { origin, size, cosignedAt, newer, erased } = complete;
  return { complete: { origin, size, cosigned_at: cosignedAt, newer, erased } };
}

/** The line for people; with `--json` an object on standard error, beside those of the answer. */
export function showComplete(printer: Printer, complete: Completeness | null): void {
  if (!complete) return;
  if (printer.isJson) printer.note(jsonLine(completeMembers(complete)));
  else printer.line(sentence(complete));
}

/** A "no": nothing was found. */
export function notFound(message: string, complete: Completeness | null): RefusedError {
  return new RefusedError(complete ? `${message} ${sentence(complete)}` : message, 'not_found', complete);
}

function sentence({ origin, size, cosignedAt, newer, erased }: Completeness): string {
  const seen = cosignedAt === null ? '' : `, which witnesses had signed at ${timeText(cosignedAt)}`;
  const more = newer === 0 ? '' : ` ${newer} of it is newer: of that, more may be left out.`;
  const gone = erased === 0 ? '' : ` The text of ${erased} of it was erased: what that said is not known any more.`;
  return `Nothing is left out: so says the map of ${size} entries of the log ${printable(origin)}${seen}.${more}${gone}`;
}
