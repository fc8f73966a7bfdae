/**
 * Texts of the page in eight languages, chosen by the browser's language and a switch. Each language is one file of
 * its own that is loaded when it is needed; English is the list of keys, and a test holds the others against it.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useReducer } from 'preact/hooks';
import type { Dictionary, FirstTexts } from './languages/en/index.js';
import type { SaidWords } from './said-words.js';

/** Each by its own name, in the order of the switch. */
export const LANGUAGES = {
  en: 'English',
  zh: '中文',
  ja: '日本語',
  ko: '한국어',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  pt: 'Português',
} as const;
export type Language = keyof typeof LANGUAGES;

type Area = keyof Dictionary;
/** `area.name`, such as `look.search_label`. */
export type TextKey = { [A in Area]: `${A}.${string & keyof Dictionary[A]}` }[Area];
/** The names behind the start of a key: `Named<'look.state_'>` has `valid`. */
export type Named<Start extends string> = TextKey extends infer Key
  ? Key extends `${Start}${infer Name}`
    ? Name
    : never
  : never;
/** The keys of texts for words of a kind. */
type KeyFor<Start extends keyof SaidWords> = Extract<TextKey, `${Start}${SaidWords[Start]}`>;
/** A text, or one for each plural category that the language has, chosen by `count`. */
export type Text = string | Partial<Record<Intl.LDMLPluralRule, string>>;
type Values = Record<string, string | number>;

const STORED = 'signet-language';
const changed = new EventTarget();
let language: Language = 'en';
let texts: Record<string, Record<string, Text>> = {};

/** Areas that are loaded with the views that show them. */
export type LateArea = Exclude<Area, keyof FirstTexts>;
const lateAreas = new Set<LateArea>();
const FIRST_TEXTS = import.meta.glob<FirstTexts>('./languages/*/index.ts', { import: 'default' });
const LATE_TEXTS = import.meta.glob<Record<string, Text>>('./languages/*/{bind,console,kv,log,recovery,steps}.json', {
  import: 'default',
});

/** The language in which the page is shown. */
export function currentLanguage(): Language {
  return language;
}

/** Loads a language: the one given, else the one chosen before, else the first of the browser's that there is. */
export async function chooseLanguage(wanted?: Language): Promise<void> {
  const next = wanted ?? storedLanguage() ?? languageOf(navigator.languages);
  await speak(next);
  document.documentElement.lang = next;
  if (wanted) store(wanted);
  changed.dispatchEvent(new Event('change'));
}

/** Loads the texts of a language, in which all is written from then on. */
export async function speak(next: Language): Promise<void> {
  const [first, ...later] = await Promise.all([load(next), ...[...lateAreas].map((area) => loadLate(next, area))]);
  texts = Object.assign({}, first, ...later) as typeof texts;
  language = next;
}

/** Loads areas that only some views show, and from then on with each language that is chosen. */
export async function loadAreas(areas: readonly LateArea[]): Promise<void> {
  const missing = areas.filter((area) => !lateAreas.has(area));
  for (const area of missing) lateAreas.add(area);
  const loaded = await Promise.all(missing.map((area) => loadLate(language, area)));
  texts = Object.assign({}, texts, ...loaded) as typeof texts;
}

/** Shows the component again whenever the language changes. */
export function useLanguage(): Language {
  const [, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const listener = () => again(null as never);
    changed.addEventListener('change', listener);
    return () => changed.removeEventListener('change', listener);
  }, []);
  return language;
}

/** The text of a key with `{name}` replaced by values; numbers are written as the language writes them. */
export function t(key: TextKey, values: Values = {}): string {
  return partsOf(key, values).join('');
}

/** The text of a key with elements for its values, such as `{name}` as a `<bdi>`. */
export function rich(key: TextKey, values: Record<string, ComponentChildren>): ComponentChildren[] {
  return partsOf(key, values);
}

/** The key of the text for a word, by the start of such keys; null where this page has none. */
export function keyFor<Start extends keyof SaidWords>(start: Start, word: string): KeyFor<Start> | null {
  const key = `${start}${word}`;
  return isThere<KeyFor<Start>>(key) ? key : null;
}

function isThere<Key extends TextKey>(key: string): key is Key {
  const [area = '', name = ''] = split(key);
  return Object.hasOwn(texts[area] ?? {}, name);
}

function partsOf<Value>(key: TextKey, values: Record<string, Value>): (Value | string)[] {
  const words = textOf(key, values['count']).split(/\{(\w+)\}/);
  return words.map((word, index) => {
    if (index % 2 === 0) return word;
    const value = values[word];
    return typeof value === 'number' ? value.toLocaleString(language) : (value ?? `{${word}}`);
  });
}

function textOf(key: string, count: unknown): string {
  const [area = '', name = ''] = split(key);
  const text = texts[area]?.[name];
  if (typeof text !== 'object') return text ?? key;
  return text[new Intl.PluralRules(language).select(Number(count))] ?? text.other ?? key;
}

function split(key: string): string[] {
  const dot = key.indexOf('.');
  return [key.slice(0, dot), key.slice(dot + 1)];
}

async function loadLate(wanted: Language, area: LateArea): Promise<typeof texts> {
  return { [area]: await LATE_TEXTS[`./languages/${wanted}/${area}.json`]!() };
}

async function load(wanted: Language): Promise<FirstTexts> {
  return FIRST_TEXTS[`./languages/${wanted}/index.ts`]!();
}

function languageOf(wanted: readonly string[]): Language {
  const found = wanted.map((tag) => tag.split('-')[0]!.toLowerCase()).find((tag) => Object.hasOwn(LANGUAGES, tag));
  return (found as Language | undefined) ?? 'en';
}

/** A browser may forbid storage; then the switch holds until the page is left. */
function storedLanguage(): Language | null {
  try {
    const stored = localStorage.getItem(STORED);
    return stored !== null && Object.hasOwn(LANGUAGES, stored) ? (stored as Language) : null;
  } catch {
    return null;
  }
}

function store(wanted: Language): void {
  try {
    localStorage.setItem(STORED, wanted);
  } catch {
    // Nothing is lost but the choice.
  }
}
