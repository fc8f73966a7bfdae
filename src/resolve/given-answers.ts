import { SignetError } from '@signet/verify/errors';
import { NotFoundError } from '../domain/domain-errors.js';
import { StoredJson, writeJson } from '../http/stored-json.js';
import type { GivenAnswerDto } from './resolve.dto.js';

/** Bytes of answers behind which no further one is begun: pages of links have a few KB. */
const ENOUGH_BYTES = 256 * 1024;
/** Bytes of all answers together. */
const MOST_BYTES = 1024 * 1024;

/** Requests that are answered in one; a person with a few accounts has fewer. */
const MOST_ANSWERS = 24;

/** Collects the answers to several requests in one, as many as fit. */
export class GivenAnswers {
  readonly answers: GivenAnswerDto[] = [];
  private bytes = 0;

  /** Whether no further answer is begun. */
  get isFull(): boolean {
    return this.bytes >= ENOUGH_BYTES || this.answers.length >= MOST_ANSWERS;
  }

  /**
   * Makes the answer to a request and keeps it where it fits.
   * @param query in the order in which a client writes it
   * @param read a text, an object for JSON, or the bytes of JSON; null where there is too much to answer it here
   * @returns what `read` returns; null where nothing is kept: there is enough, it is too long, or `read` refused
   * @throws what `read` throws unless it is a refusal
   */
  async add<Answer extends object | string>(
    path: string,
    query: Record<string, string | number | boolean>,
    read: () => Promise<Answer | null>,
  ): Promise<Answer | null> {
    if (this.isFull) return null;
    const request = requestTo(path, query);
    try {
      const answer = await read();
      if (answer === null) return null;
      const isKept =
        typeof answer === 'string'
          ? this.keep({ request, status: 200, text: answer }, answer)
          : this.keepJson({ request, status: 200 }, answer);
      return isKept ? answer : null;
    } catch (error) {
      if (!(error instanceof SignetError)) throw error;
      // Who has none says so at once; all other refusals are for the one who asks for that alone.
      if (error instanceof NotFoundError && error.code === 'kv_not_found') {
        this.keepJson({ request, status: 404 }, { message: error.message, code: error.code });
      }
      return null;
    }
  }

  private keepJson(answer: GivenAnswerDto, body: object): boolean {
    const text = Buffer.isBuffer(body) ? body.toString() : writeJson(body);
    return this.keep({ ...answer, json: new StoredJson(text) }, text);
  }

  private keep(answer: GivenAnswerDto, body: string): boolean {
    const bytes = Buffer.byteLength(body);
    if (this.bytes + bytes > MOST_BYTES) return false;
    this.bytes += bytes;
    this.answers.push(answer);
    return true;
  }
}

function requestTo(path: string, query: Record<string, string | number | boolean>): string {
  const words = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return words.length === 0 ? path : `${path}?${new URLSearchParams(words).toString()}`;
}
