import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { escaped } from '../http/markup.js';
import { pageHeaders } from './page-headers.js';

/** One view as it was rendered at build time; web/src/render.tsx. */
interface RenderedView {
  title: string;
  description: string;
  html: string;
  noScript: string;
}

/** What web/render-views.mjs writes: by language, then by the first word of the address. */
interface BuiltViews {
  views: Record<string, Record<string, RenderedView>>;
  /** Addresses of the scripts that a view and its texts need beyond those that the document names anyway. */
  scripts: Record<string, Record<string, string[]>>;
}

/** Beside the folder of the page's files, because no browser asks for it. */
const FILE = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/web-views.json' : '../../web-views.json', import.meta.url),
);
/** What tells the page that its visitors may look, and what stands there instead. */
const LOOKS_AFTER_ASKING = ['name="signet-look" content=""', 'name="signet-look" content="ask"'] as const;
/** Where the document has room for a view. */
const ROOM = '<div id="page"></div>';
/** Where the document says that it needs JavaScript. */
const NO_SCRIPT = /(<p class="no-script">)[^<]*/;
const DEFAULT_LANGUAGE = 'en';
/** The page without a view, and the view that says that there is none at this address. */
const FRAME = 'frame';
export const UNKNOWN_VIEW: ShownView = { word: '-', isFixed: true };
/** What a search found, at the address of the start page. */
export const SEARCH_VIEW: ShownView = { word: '?', isFixed: false };

/** Which view a document shows. */
export interface ShownView {
  /** The first part of the address; `-` for an address that is none, `?` for what a search found. */
  word: string;
  /** Whether it looks the same for everybody, so that it can stand in the document. */
  isFixed: boolean;
  /** The one platform that the address names, where it does. */
  platform?: string | null;
}

/**
 * The documents of the page: each holds its view in the language that the browser asks for, where that view looks the
 * same for everybody, and names the scripts that it is going to need.
 */
export class PageViews {
  /** The headers with which each document is sent. */
  readonly headers: Record<string, string>;
  private readonly document: string;
  private readonly documents = new Map<string, string>();
  private readonly built = readBuiltViews();

  /**
   * @param document as the build made it, without a view
   * @param mayLook whether visitors may look at posts by themselves
   * @param platforms those that can be bound now; others are left out of the choices
   */
  constructor(
    document: string,
    mayLook: boolean,
    private readonly platforms: () => string[],
  ) {
    this.document = mayLook ? document.replace(...LOOKS_AFTER_ASKING) : document;
    this.headers = pageHeaders(document, mayLook);
  }

  /** The document for a view, in the first language of `Accept-Language` that there is. */
  documentOf(view: ShownView, acceptLanguage: string | undefined): string {
    const document = this.anyDocumentOf(view, acceptLanguage);
    if (!document.includes(CHOICE_MARK)) return document;
    const usable = this.platforms();
    const platforms = usable.filter((name) => name === view.platform);
    if (platforms.length === 0) platforms.push(...usable);
    return document.replace(CHOICE, (choice, platform: string) => (platforms.includes(platform) ? choice : ''));
  }

  private anyDocumentOf({ word, isFixed }: ShownView, acceptLanguage: string | undefined): string {
    if (!this.built) return this.document;
    const language = this.languageOf(acceptLanguage);
    const name = `${language} ${word} ${isFixed}`;
    const known = this.documents.get(name);
    if (known !== undefined) return known;
    const made = this.compose(language, word, isFixed ? word : FRAME, this.built);
    // Words are those of routes, so there are a few for each language.
    this.documents.set(name, made);
    return made;
  }

  private compose(language: string, word: string, shown: string, { views, scripts }: BuiltViews): string {
    const view = views[language]?.[shown] ?? views[language]?.[FRAME];
    if (!view) return this.document;
    const preloads = (scripts[language]?.[word] ?? []).map(
      (file) => `<link rel="modulepreload" crossorigin href="${file}" />`,
    );
    return this.document
      .replace('<html lang="en">', `<html lang="${language}">`)
      .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(view.title)}</title>`)
      .replace(
        /<meta\s+name="description"[^>]*>/,
        () => `<meta name="description" content="${escaped(view.description)}" />`,
      )
      .replace('</head>', () => `${preloads.map((line) => `  ${line}\n  `).join('')}</head>`)
      .replace(NO_SCRIPT, (_, begin: string) => begin + escaped(view.noScript))
      .replace(ROOM, () => `<div id="page">${view.html}</div>`);
  }

  /** The first of the languages that a browser asks for, in its order, that the page has (RFC 9110, 12.5.4). */
  private languageOf(acceptLanguage = ''): string {
    const asked = acceptLanguage
      .slice(0, MAX_HEADER)
      .split(',')
      .map((part) => {
        const [tag = '', weight = ''] = part.split(';');
        return { tag: tag.trim().toLowerCase().split('-')[0]!, q: Number(/q=([\d.]+)/.exec(weight)?.[1] ?? 1) };
      })
      .sort((one, other) => other.q - one.q);
    const found = asked.find(({ tag, q }) => q > 0 && Object.hasOwn(this.built?.views ?? {}, tag));
    return found?.tag ?? DEFAULT_LANGUAGE;
  }
}

/** A platform to choose, which web/src/bind/account-step.tsx marks for this. */
const CHOICE_MARK = '<li data-platform="';
const CHOICE = /<li data-platform="([^"]*)">.*?<\/li>/gs;
/** Characters of `Accept-Language` that are read; browsers send less than a hundred. */
const MAX_HEADER = 500;

function readBuiltViews(): BuiltViews | null {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as BuiltViews) : null;
}
