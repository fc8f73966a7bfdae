/**
 * Writes the texts that people publish on social networks into @signet/look, which is used without the page and so
 * cannot read its store.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { languagesOf, textsOf } from './store.mjs';

const FILE = fileURLToPath(new URL('../../packages/look/src/posts/wordings.ts', import.meta.url));
const AREA = 'post.';
const HEAD = `// Written by \`npm run translations\` from web/src/i18n. Do not change it by hand.
/**
 * What a person reads first in a post: that this account on this network belongs to the holder of a key (\`claim_the\`
 * where the name of the network takes an article); then the name of the time line. No claim begins with the account: X
 * takes a post that begins with \`@name\` for a reply, which followers do not see.
 */
`;

/** Writes `wordings.ts` as the store has it. */
export async function writeWordings() {
  const texts = languagesOf().map((language) => {
    const own = [...textsOf(language)].filter(([key]) => key.startsWith(AREA));
    return [language, Object.fromEntries(own.map(([key, text]) => [key.slice(AREA.length), text]))];
  });
  const source = `${HEAD}export const WORDINGS = ${JSON.stringify(Object.fromEntries(texts))};\n`;
  writeFileSync(FILE, await format(source, { ...(await resolveConfig(FILE)), parser: 'typescript' }));
}
