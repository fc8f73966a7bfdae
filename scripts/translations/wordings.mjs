/**
 * Writes texts that are used without the page, and so cannot be read from its store: what people publish on social
 * networks into @signet/look, and what the service tells browsers into its own source.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { languagesOf, textsOf } from './store.mjs';

const MADE = '// Written by `npm run translations` from web/src/i18n. Do not change it by hand.';

const FILES = [
  {
    file: 'packages/look/src/posts/wordings.ts',
    area: 'post.',
    name: 'WORDINGS',
    comment: `/**
 * What a person reads first in a post: that this account on this network belongs to the holder of a key (\`claim_the\`
 * where the name of the network takes an article); then the name of the time line. No claim begins with the account: X
 * takes a post that begins with \`@name\` for a reply, which followers do not see.
 */`,
  },
  {
    file: 'src/push/wordings.ts',
    area: 'notice.',
    name: 'PUSH_WORDINGS',
    comment: '/** What a browser is told, by language: the title, and a sentence for each kind of news. */',
  },
];

/** Writes the files as the store has them. */
export async function writeWordings() {
  for (const { file, area, name, comment } of FILES) {
    const texts = languagesOf().map((language) => {
      const own = [...textsOf(language)].filter(([key]) => key.startsWith(area));
      return [language, Object.fromEntries(own.map(([key, text]) => [key.slice(area.length), text]))];
    });
    const place = fileURLToPath(new URL(`../../${file}`, import.meta.url));
    const source = `${MADE}\n${comment}\nexport const ${name} = ${JSON.stringify(Object.fromEntries(texts))};\n`;
    writeFileSync(place, await format(source, { ...(await resolveConfig(place)), parser: 'typescript' }));
  }
}
