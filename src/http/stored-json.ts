import { randomUUID } from 'node:crypto';

/** Stands for a stored text while an answer is written. Random and never sent, so no text of a client holds it. */
const MARK = randomUUID();
const WRITTEN_MARK = JSON.stringify(MARK);

/** The texts of the answer that is being written; writing it is one call that nothing interrupts. */
const texts: string[] = [];

/**
 * JSON that is answered as it is stored: reading it into objects, only to write them again, would take most of the
 * time of an answer.
 */
export class StoredJson {
  constructor(readonly text: string) {}

  /** Called by `JSON.stringify`. */
  toJSON(): string {
    texts.push(this.text);
    return MARK;
  }
}

/** The JSON text of an answer, with each `StoredJson` in it as it is. */
export function writeJson(answer: unknown): string {
  texts.length = 0;
  const written = JSON.stringify(answer);
  if (texts.length === 0) return written;
  const parts = written.split(WRITTEN_MARK);
  return parts.map((part, index) => (index === 0 ? part : texts[index - 1]! + part)).join('');
}
