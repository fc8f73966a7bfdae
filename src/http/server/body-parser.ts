import { InvalidRequestError } from '@signet/look';
import type { Environment } from '../../config/environment.js';
import { outlineOf } from '../../crypto/json-outline.js';

/** Far above every limit of ours, far below what overflows a recursive walk; a patch has a tighter one. */
const MAX_BODY_DEPTH = 600;
/** JSON values that the members of a body besides its patch may hold. */
const VALUES_BESIDE_PATCH = 1000;

/**
 * Returns a function that parses the bytes of a JSON body. A body that would cost too much is refused before it is
 * parsed: the cost grows with values and members, and 1 MiB of members with a name each takes more than 50 ms. The
 * limits are somewhat above what a patch of the largest size (KV_MAX_PATCH_BYTES) can hold.
 *
 * That function throws InvalidRequestError if the body is not JSON in its charset, is nested too deep to be walked
 * safely, or holds too many values.
 */
export function bodyParser({ KV_MAX_PATCH_BYTES }: Pick<Environment, 'KV_MAX_PATCH_BYTES'>) {
  const mostValues = Math.ceil((KV_MAX_PATCH_BYTES * 2) / 3) + VALUES_BESIDE_PATCH; // `[],` is counted twice
  const mostMembers = Math.ceil(KV_MAX_PATCH_BYTES / 6) + VALUES_BESIDE_PATCH; // `"a":0,`
  return (body: Buffer, charset: 'utf8' | 'latin1'): unknown => {
    const { depth, values, members } = outlineOf(body);
    if (depth > MAX_BODY_DEPTH) {
      throw new InvalidRequestError(`The body is nested more than ${MAX_BODY_DEPTH} levels deep.`, 'nesting_too_deep');
    }
    if (values > mostValues || members > mostMembers) {
      throw new InvalidRequestError(
        `The body holds more than ${mostValues} values, or more than ${mostMembers} members of objects.`,
        'too_many_values',
      );
    }
    try {
      // What is not UTF-8 is refused; as ISO-8859-1 every byte is a character.
      const text = charset === 'utf8' ? new TextDecoder('utf-8', { fatal: true }).decode(body) : body.toString(charset);
      return JSON.parse(text) as unknown;
    } catch (error) {
      throw new InvalidRequestError(malformed(body, error), 'malformed_json');
    }
  };
}

/** RFC 1952, 2.3.1. */
const GZIP = Buffer.of(0x1f, 0x8b);
/** What V8 shows of a text that is no JSON. */
const SHOWN_TEXT = /, (\.{3})?".*"(\.{3})? is not valid JSON$/s;

/** Says what is wrong and where, and shows nothing of the body, which may hold a secret. */
function malformed(body: Buffer, error: unknown): string {
  if (body.subarray(0, GZIP.length).equals(GZIP)) return 'The body is compressed; send it as it is, as JSON in UTF-8.';
  const cause = error instanceof SyntaxError ? `: ${error.message.replace(SHOWN_TEXT, '')}` : '';
  return `The body is not JSON in UTF-8${cause}.`;
}
