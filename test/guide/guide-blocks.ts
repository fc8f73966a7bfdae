import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../docs/guide/', import.meta.url));

/** A fenced block of a guide: its language, the file name behind it if there is one, and the text. */
export interface Block {
  page: string;
  language: string;
  name: string;
  text: string;
}

export const PAGES = readdirSync(FOLDER).filter((name) => name.endsWith('.md'));

export const BLOCKS: Block[] = PAGES.flatMap((page) =>
  [...readFileSync(path.join(FOLDER, page), 'utf8').matchAll(/^```(\w*) ?(\S*)\n([^]*?)^```$/gm)].map(
    ([, language, name, text]) => ({ page, language: language!, name: name!, text: text! }),
  ),
);

/** The text of the block with that file name. */
export function blockNamed(name: string): string {
  const block = BLOCKS.find((candidate) => candidate.name === name);
  if (!block) throw new Error(`No guide has a block named ${name}.`);
  return block.text;
}
