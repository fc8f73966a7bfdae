import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { BrowserFetcher } from '../../packages/look/src/browser.js';
import { createVerifiers } from '../../packages/look/src/index.js';
import { WORDINGS } from '../../packages/look/src/posts/wordings.js';
import { glossaryOf, glossaryProblems } from '../../scripts/translations/glossary.mjs';
import { formsOf, languagesOf, staleTexts, STORE, type Text, textsOf } from '../../scripts/translations/store.mjs';
import { unusedTexts } from '../../scripts/translations/unused.mjs';
import { BUILT, builtFile } from './built-page.js';

const COMMAND = fileURLToPath(new URL('../../scripts/translations.mjs', import.meta.url));
const TRANSLATIONS = ['de', 'es', 'fr', 'ja', 'ko', 'pt', 'zh'];

describe('the texts of the page', () => {
  it('are the same in all languages, with the same values', () => {
    const keysOf = (language: string) =>
      [...textsOf(language)].map(([key, text]) => `${key} ${placeholders(text)}`).sort();

    expect(languagesOf()).toEqual(['en', ...TRANSLATIONS]);
    for (const language of TRANSLATIONS) expect([language, keysOf(language)]).toEqual([language, keysOf('en')]);
  });

  it('have each form that a language needs for counts from 1 to 200', () => {
    for (const language of languagesOf()) {
      const rules = new Intl.PluralRules(language);
      const needed = new Set(Array.from({ length: 200 }, (_, index) => rules.select(index + 1)));
      const lacking = [...textsOf(language)]
        .filter(([, text]) => typeof text === 'object' && [...needed].some((form) => !(form in text)))
        .map(([key]) => key);

      expect([language, lacking]).toEqual([language, []]);
    }
  });

  it.each([
    ['en', 'connect', /\b(bind|binds|bound|bindings?)\b/i],
    ['de', 'verknüpfen', /\bbind(en|ung)|gebunden|\bhält diesen/i],
    ['de', 'Sie', /\b(du|dich|dir|deine?[nrs]?|öffne|entsperre|gib)\b/i],
    ['ja', 'ブラウザー and ：', /ブラウザ(?!ー)|[ぁ-んァ-ヶー一-龠}]: /],
    ['pt', 'ficheiro', /\barquivo (de chave|não)|salv[aeo]/i],
    ['zh', '账号, and wide punctuation', /帐号|[一-龥）][;:,]/],
  ])('have one word, or one spelling, for one thing in %s: %s', (language, _word, other) => {
    const wrong = [...textsOf(language)].filter(([, text]) => formsOf(text).some((form) => other.test(form)));

    expect(wrong).toEqual([]);
  });

  it('were made from the English texts that are there now; `npm run translations` shows those that were not', () => {
    expect(staleTexts().map(({ language, key }) => `${language}:${key}`)).toEqual([]);
  });

  it('keep to the glossary in all languages', () => {
    const terms = Object.values(glossaryOf());

    expect(terms.length).toBeGreaterThanOrEqual(30);
    for (const term of terms) {
      for (const language of TRANSLATIONS)
        expect(term).toHaveProperty(language, expect.arrayContaining([expect.any(String)]));
    }
    expect(glossaryProblems()).toEqual([]);
  });

  it('for single platforms are for platforms that there are', () => {
    const platforms = createVerifiers(new BrowserFetcher()).map(({ platform }) => platform);
    const named = [...textsOf('en').keys()].flatMap((key) => /^bind\.(?:how|hint)_(.+)$/.exec(key)?.[1] ?? []);

    expect(named.length).toBeGreaterThan(8);
    expect(platforms).toEqual(expect.arrayContaining(named));
  });

  it('that people post are in @signet/look as they are in the store', () => {
    for (const language of languagesOf()) {
      const posted = Object.entries(WORDINGS[language as keyof typeof WORDINGS]);
      const stored = [...textsOf(language)].filter(([key]) => key.startsWith('post.'));

      expect(stored).toEqual(posted.map(([name, text]) => [`post.${name}`, text]));
    }
  });

  it('bring nothing into the built page that only translators need', () => {
    const hashes = Object.values(JSON.parse(readFileSync(path.join(STORE, 'made-from/de.json'), 'utf8')) as object);
    const scripts = readdirSync(path.join(BUILT, 'assets')).filter((name) => name.endsWith('.js'));

    expect(hashes.length).toBeGreaterThan(500);
    for (const name of scripts) {
      const code = builtFile(`assets/${name}`);
      expect([name, hashes.filter((hash) => code.includes(`"${hash}"`) || code.includes(`\`${hash}\``))]).toEqual([
        name,
        [],
      ]);
    }
  });
});

describe('npm run translations', () => {
  let store: string;
  beforeEach(() => {
    store = mkdtempSync(path.join(tmpdir(), 'signet-texts-'));
    for (const name of ['languages', 'made-from', 'glossary.json']) {
      cpSync(path.join(STORE, name), path.join(store, name), { recursive: true });
    }
  });
  afterEach(() => rmSync(store, { recursive: true }));

  const run = (...args: string[]) =>
    new Promise<{ code: number; out: string }>((done) => {
      execFile(process.execPath, [COMMAND, '--store', store, ...args], (error, out, trouble) =>
        done({ code: error ? Number(error.code) : 0, out: out + trouble }),
      );
    });
  const named = (out: string) => [...out.matchAll(/^[a-z]{2}:\S+$/gm)].map(([name]) => name);
  const readStored = (file: string) => JSON.parse(readFileSync(path.join(store, file), 'utf8')) as Record<string, Text>;
  const change = (file: string, name: string, text: Text) => {
    writeFileSync(path.join(store, file), JSON.stringify({ ...readStored(file), [name]: text }));
  };

  it('has nothing to say where each text is true', async () => {
    expect(await run()).toEqual({ code: 0, out: '' });
  });

  it('names exactly the translations of a text that was changed, until each is marked as true', async () => {
    change('languages/en/bind.json', 'title', 'Connect one of your accounts');
    const all = await run();
    const german = await run('--accept', 'de:bind.title');
    const rest = await run('--accept', 'bind.title');

    expect([all.code, named(all.out)]).toEqual([1, TRANSLATIONS.map((language) => `${language}:bind.title`)]);
    expect(all.out).toContain('  en: Connect one of your accounts\n  de: Ein Konto verknüpfen\n');
    expect([german.code, named(german.out)]).toEqual([1, named(all.out).filter((name) => !name.startsWith('de:'))]);
    expect(rest).toEqual({ code: 0, out: 'Marked as true: 6 texts.\n' });
  });

  it('names a text with a plural form that was changed, and none whose forms only moved', async () => {
    change('languages/en/log.json', 'maps', {
      one: '{count} state of all',
      other: '{count} states of all keys and names',
    });
    change(
      'languages/en/log.json',
      'ok',
      Object.fromEntries(Object.entries(readStored('languages/en/log.json')['ok']!).reverse()),
    );

    expect(named((await run()).out)).toEqual(TRANSLATIONS.map((language) => `${language}:log.maps`));
  });

  it('names a new text in each language, and refuses to mark one that is not translated', async () => {
    change('languages/en/kv.json', 'new_one', 'Something new');
    change('languages/de/kv.json', 'new_one', 'Etwas Neues');

    expect(named((await run()).out)).toEqual(TRANSLATIONS.map((language) => `${language}:kv.new_one`));
    expect((await run('--accept', 'de:kv.*')).out).toContain('Marked as true: 1 texts.');
    expect(await run('--accept', 'kv.new_one')).toEqual({ code: 1, out: 'There is no text kv.new_one in es.\n' });
  });

  it.each(['bind.titel', 'xx:bind.title', 'nothing.*'])('refuses to mark %s, which is no text', async (name) => {
    const { code, out } = await run('--accept', name);

    expect([code, out]).toEqual([1, expect.stringMatching(/^(No text is named|There are no texts in) \S+\.\n$/)]);
  });

  it('names a translation that does not use the glossary, and an exception that is not needed', async () => {
    change('languages/de/look.json', 'key_itself', 'Der Key selbst');
    const glossary = glossaryOf(store);
    writeFileSync(
      path.join(store, 'glossary.json'),
      JSON.stringify({ ...glossary, wallet: { ...glossary['wallet'], otherwise: { fr: ['bind.wallets'] } } }),
    );
    const { code, out } = await run();

    expect(code).toBe(1);
    expect(out.trim().split('\n').sort()).toEqual([
      'de:look.key_itself does not say “key” (Schlüssel): Der Key selbst',
      '“wallet”.otherwise.fr names bind.wallets without need.',
    ]);
  });

  it('finds each text that no source of the page shows', () => {
    change('languages/en/look.json', 'state_unheard_of', 'Unheard of');
    change('languages/en/shell.json', 'advice_of_no_code', 'Do nothing.');
    change('languages/en/own_look.json', 'never_shown', 'Never');

    expect(unusedTexts(store)).toEqual(['look.state_unheard_of', 'own_look.never_shown', 'shell.advice_of_no_code']);
  });
});

/** Names in braces; of a text with plural forms, those of its general one. */
function placeholders(text: Text): string {
  const form = typeof text === 'string' ? text : text['other']!;
  return [...form.matchAll(/\{(\w+)\}/g)]
    .map((match) => match[1]!)
    .sort()
    .join();
}
