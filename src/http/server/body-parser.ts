import { outlineOf } from '../../crypto/json-outline.js';
import { InvalidRequestError } from '../../domain/domain-errors.js';

/** Far above every limit of ours, far below what overflows a recursive walk; a patch has a tighter one. */
const MAX_BODY_DEPTH = 600;
/** JSON values that the members of a body besides its patch may hold. */
const VALUES_BESIDE_PATCH = 1000;

/** The setting that decides the size of the largest body; see `config/environment.ts`. */
interface PatchLimit {
  KV_MAX_PATCH_BYTES: number;
}

/** Charset of a body, by Node's name. */
type Charset = 'utf8' | 'latin1';

interface StructureLimits {
  values: number;
  members: number;
}

/**
 * Returns a function that parses the bytes of a JSON body. A body that would cost too much is refused before it is
 * parsed.
 */
export function bodyParser(settings: PatchLimit): (body: Buffer, charset: Charset) => unknown {
  const limits = structureLimits(settings);
  return (body, charset) => parseBody(body, charset, limits);
}

/**
 * Limits somewhat above what a patch of the largest size can hold. The cost of parsing grows with values and members:
 * 1 MiB of members with a name each takes more than 50 ms.
 */
function structureLimits({ KV_MAX_PATCH_BYTES }: PatchLimit): StructureLimits {
  return {
    values: Math.ceil((KV_MAX_PATCH_BYTES * 2) / 3) + VALUES_BESIDE_PATCH, // `[],` is counted twice
    members: Math.ceil(KV_MAX_PATCH_BYTES / 6) + VALUES_BESIDE_PATCH, // `"a":0,`
  };
}

/**
 * @throws InvalidRequestError if the body is not JSON in its charset, is nested too deep to be walked safely, or holds
 *   too many values.
 */
function parseBody(body: Buffer, charset: Charset, limits: StructureLimits): unknown {
  const { depth, values, members } = outlineOf(body);
  if (depth > MAX_BODY_DEPTH) {
    throw new InvalidRequestError(`The body is nested more than ${MAX_BODY_DEPTH} levels deep.`, 'nesting_too_deep');
  }
  if (values > limits.values || members > limits.members) {
    throw new InvalidRequestError(
      `The body holds more than ${limits.values} values, or more than ${limits.members} members of objects.`,
      'too_many_values',
    );
  }
  try {
    // What is not UTF-8 is refused; as ISO-8859-1 every byte is a character.
    const text = charset === 'utf8' ? new TextDecoder('utf-8', { fatal: true }).decode(body) : body.toString(charset);
    return JSON.parse(text) as unknown;
  } catch {
    throw new InvalidRequestError('The body is not JSON in UTF-8.', 'malformed_json');
  }
}
