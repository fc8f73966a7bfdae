import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BUILT_FOLDER } from '../config/service-folder.js';
import { escaped } from '../http/markup.js';
import { pageHeaders } from './page-headers.js';
import { Template } from './template.js';

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
const FILE = fileURLToPath(new URL('web-views.json', BUILT_FOLDER));
/** The room in the document: its language, what the page may do, its title, what it loads, and its view. */
const SLOTS = ['html', 'look', 'head', 'scripts', 'answers', 'no-script', 'page'] as const;
export type PageDocument = Template<(typeof SLOTS)[number]>;
const DEFAULT_LANGUAGE = 'en';
/** The page without a view, and the view that says that there is none at this address. */
const FRAME = 'frame';
export const UNKNOWN_VIEW: ShownView = { word: '-', isFixed: true };
/** What a search found, at the address of the start page. */
export const SEARCH_VIEW: ShownView = { word: '?', isFixed: false };

/** A document that lacks only its view, and that view, with all platforms. */
interface ComposedView {
  document: PageDocument;
  html: string;
}

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
  private readonly empty: PageDocument;
  /** Where people report abuse, as a link; null where the operator names nothing. */
  private readonly abuseLink: string | null;
  private readonly composed = new Map<string, ComposedView>();
  private readonly built = readBuiltViews();

  /**
   * @param document as the build made it, without a view
   * @param mayLook whether visitors may look at posts by themselves
   * @param tellsBrowsers whether browsers can be told of changes
   * @param abuseContact where people report abuse, a mail address or a URL
   * @param platforms those that can be bound now; others are left out of the choices
   * @throws Error if the document is not of this build
   */
  constructor(
    document: string,
    mayLook: boolean,
    tellsBrowsers: boolean,
    abuseContact: string | undefined,
    private readonly platforms: () => string[],
  ) {
    const template = Template.parse(document, SLOTS);
    this.abuseLink = abuseContact === undefined ? null : abuseLinkOf(abuseContact);
    const said = [
      `<meta name="signet-look" content="${mayLook ? 'ask' : ''}" />`,
      ...(tellsBrowsers ? ['<meta name="signet-push" content="on" />'] : []),
      ...(this.abuseLink === null ? [] : [`<meta name="signet-abuse" content="${escaped(this.abuseLink)}" />`]),
    ];
    this.empty = template.fill({ look: said.join('\n    ') });
    this.headers = pageHeaders(document, mayLook);
  }

  /** The document for a view, in the first language of `Accept-Language` that there is. */
  documentOf(view: ShownView, acceptLanguage: string | undefined): PageDocument {
    const composed = this.built && this.composedView(view, this.languageOf(acceptLanguage), this.built);
    if (!composed) return this.empty;
    return composed.document.fill({ page: `<div id="page">${this.withUsableChoices(composed.html, view)}</div>` });
  }

  private withUsableChoices(html: string, view: ShownView): string {
    if (!html.includes(CHOICE_MARK)) return html;
    const usable = this.platforms();
    const platforms = usable.filter((name) => name === view.platform);
    if (platforms.length === 0) platforms.push(...usable);
    return html.replace(CHOICE, (choice, platform: string) => (platforms.includes(platform) ? choice : ''));
  }

  /** The view with the link for reports of abuse in its footer, or without that line. */
  private withAbuseLink(html: string): string {
    const link = this.abuseLink;
    const written = (line: string) =>
      link === null ? '' : line.replace(NO_ADDRESS, () => `<a href="${escaped(link)}">`);
    return html.replace(ABUSE_LINE, written);
  }

  /** Words are those of routes, so there are a few for each language. */
  private composedView({ word, isFixed }: ShownView, language: string, built: BuiltViews): ComposedView | null {
    const name = `${language} ${word} ${isFixed}`;
    const known = this.composed.get(name);
    if (known) return known;
    const views = built.views[language];
    const view = views?.[isFixed ? word : FRAME] ?? views?.[FRAME];
    if (!view) return null;
    const scripts = built.scripts[language]?.[word] ?? [];
    const document = this.empty.fill({
      html: `<html lang="${language}">`,
      head: headOf(view),
      scripts: scripts.map((file) => `<link rel="modulepreload" crossorigin href="${file}" />`).join('\n    '),
      'no-script': `<p class="no-script">${escaped(view.noScript)}</p>`,
    });
    const made = { document, html: this.withAbuseLink(view.html) };
    this.composed.set(name, made);
    return made;
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

/** The line of the footer that web/src/shell/frame.tsx leaves to this. */
const ABUSE_LINE = /<li data-abuse[^>]*>.*?<\/li>/s;
const NO_ADDRESS = /<a href(?:="")?>/;

/** @param contact a mail address, with or without `mailto:`, or a URL */
export function abuseLinkOf(contact: string): string {
  return /^(?:https?|mailto):/i.test(contact) ? contact : `mailto:${contact}`;
}

function headOf({ title, description }: RenderedView): string {
  return `<title>${escaped(title)}</title>\n    <meta name="description" content="${escaped(description)}" />`;
}

function readBuiltViews(): BuiltViews | null {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as BuiltViews) : null;
}
