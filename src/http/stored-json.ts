import { randomUUID } from 'node:crypto';

/** Stands for a stored text while an answer is written. Random and never sent, so no text of a client holds it. */
const MARK = randomUUID();
const WRITTEN_MARK = JSON.stringify(MARK);

/**
 * JSON that is answered as it is stored: reading it into objects, only to write them again, would take most of the
 * time of an answer.
 */
export class StoredJson {
  constructor(readonly text: string) {}

  /** Called by `JSON.stringify`. */
  toJSON(): string {
    return MARK;
  }
}

/** An answer with a member that is JSON already. */
export type Written<Answer, Name extends keyof Answer> = Omit<Answer, Name> & Record<Name, StoredJson>;

/**
 * The JSON text of an answer, with each `StoredJson` in it as it is. Only an answer that has one is walked a second
 * time, with a function that finds the texts: that takes twice as long as writing alone.
 */
export function writeJson(answer: unknown): string {
  const written = JSON.stringify(answer) as string | undefined;
  if (!written?.includes(WRITTEN_MARK)) return written!;
  const texts: string[] = [];
  JSON.stringify(answer, function (this: Record<string, unknown>, name: string, value: unknown) {
    const member = this[name];
    if (member instanceof StoredJson) texts.push(member.text);
    return value;
  });
  return written
    .split(WRITTEN_MARK)
    .map((part, index) => (index === 0 ? part : texts[index - 1]! + part))
    .join('');
}
