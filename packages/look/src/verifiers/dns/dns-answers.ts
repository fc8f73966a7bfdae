/** What a reply of a resolver shows of one name, in whichever format it came. */
import { PlatformUnavailableError } from '../../errors.js';

/** Records of all sections of one reply; the busiest names have about a hundred. */
export const MAX_RECORDS = 512;
const MAX_ALIASES = 16; // resolvers follow about as many CNAMEs

/** One record of the answer section. */
export interface AnswerRecord {
  /** Owner, without a final dot. */
  name: string;
  /** Records of other types do not count. */
  type: 'TXT' | 'CNAME';
  /** The text of a TXT record, its strings joined, bytes as Latin-1; the name that a CNAME leads to. */
  data: string;
}

/**
 * The texts at the end of the chain of aliases that starts at `domain`; records of other names in the reply do not
 * count.
 * @throws PlatformUnavailableError if the aliases have no end
 */
export function textsOf(answers: AnswerRecord[], domain: string): string[] {
  let owner = domain;
  for (let hops = 0; hops <= MAX_ALIASES; hops += 1) {
    const alias = answers.find((record) => record.type === 'CNAME' && record.name.toLowerCase() === owner);
    if (!alias) {
      return answers.flatMap((record) =>
        record.type === 'TXT' && record.name.toLowerCase() === owner ? [record.data] : [],
      );
    }
    owner = alias.data.toLowerCase();
  }
  throw noAnswer();
}

/** The failure of a resolver whose reply proves nothing. */
export function noAnswer(cause?: unknown): PlatformUnavailableError {
  return new PlatformUnavailableError('A DNS resolver gave no usable answer: it has not the form that is documented.', {
    cause,
  });
}
