import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import { anyChromium, type Program, wholeChromium } from '../../packages/verify/test/support/chromium.js';
import { describeUnless } from '../../packages/verify/test/support/unless.js';
import type { OfWorker } from '../support/of-worker.mjs';
import { Tabs } from './tabs.js';

const OF_WORKER = Symbol.for('signet tests: what files of a worker share');
const state = globalThis as unknown as { [OF_WORKER]: OfWorker };

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** How a page is looked at. */
export interface Look {
  /** CSS pixels; 1280 when absent. */
  width?: number;
  height?: number;
  theme?: 'light' | 'dark';
  /** Whether it is a phone: used with fingers, and with the layout of one. */
  isPhone?: boolean;
  /** Whether the service worker of the page may run, which loads all that it keeps; not when absent. */
  hasWorker?: boolean;
  /** Of the browser; `en` when absent. */
  language?: string;
  /** Console errors that the test is about, such as those of a server that is gone. */
  expected?: RegExp[];
  /** Runs in the page before its own scripts. */
  before?: string;
}

/** A page of the service in a real browser, watched from its first request on. */
export interface Visit {
  page: Page;
  /** Console errors, CSP violations, uncaught errors and requests to other origins so far. */
  complaints: string[];
  /** What axe-core says against the page as it is now: rule and element, of any impact but minor. */
  seriousProblems(): Promise<string[]>;
  /** Whether something is wider than the window. */
  scrollsSideways(): Promise<boolean>;
  /** Closes the page. @throws Error with all complaints if there are any */
  close(): Promise<void>;
}

/**
 * What a browser says of a link that was recorded a moment ago, and is not in the log yet: the page asks again. Over
 * HTTP/2 a status has no words.
 */
const NOT_YET_LOGGED = /404 \((?:Not Found)?\) \(\S+\/v1\/log\/proof/;

/**
 * A document of the service without scripts, for a visit that prepares the tab before the page itself is loaded, which
 * takes ten times the processor time.
 */
export const NO_PAGE = '/healthz';

/** What the browser is given at its start. */
export interface Surroundings {
  /** Names of hosts, by https, that lead the browser to a port of this machine, with whatever certificate. */
  outside?: Record<string, number>;
  /**
   * The one certificate (PEM) that the browser trusts; all when absent. A browser that ignores errors of certificates
   * begins a request anew with each new connection, and gives up after 32 (ERR_TOO_MANY_RETRIES): nobody else's does.
   */
  certificate?: string;
}

/** A test suite in a real browser, skipped where there is no such `program`. */
export function describePage(
  name: string,
  suite: (visit: (url: string, look?: Look) => Promise<Visit>) => void,
  surroundings: () => Surroundings = () => ({}),
  program = anyChromium,
): void {
  describeUnless(program.lack, name, () => {
    let own: Browser | undefined;
    let tabs: Tabs | undefined;
    beforeAll(async () => {
      const { outside = {}, certificate } = surroundings();
      const rules = Object.entries(outside).map(([host, port]) => `MAP ${host} 127.0.0.1:${port}`);
      const words: string[] = [];
      if (rules.length > 0) words.push(`--host-resolver-rules=${rules.join(',')}`);
      if (certificate) words.push(`--ignore-certificate-errors-spki-list=${hashOfKey(certificate)}`);
      if (words.length > 0) own = await launch(program, words);
      tabs = new Tabs(own ?? (await sharedBrowser(program)), certificate === undefined);
    });
    afterAll(async () => {
      await tabs?.end();
      await own?.close();
    });
    suite((url, look) => visit(tabs!, url, look));
  });
}

function launch({ executablePath }: Program, words: string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox', ...words] });
}

/** The one that all files of this worker share: each has tabs of its own, and no tab knows of another one. */
async function sharedBrowser(program: Program): Promise<Browser> {
  const shared = state[OF_WORKER];
  const known = shared.get(program.executablePath)?.value as Browser | undefined;
  if (known?.isConnected()) return known;
  const browser = await launch(program);
  shared.set(program.executablePath, { value: browser, end: () => browser.close() });
  return browser;
}

/** A suite in a browser that shows notifications. */
export function describeNotified(name: string, suite: Parameters<typeof describePage>[1]): void {
  describePage(name, suite, undefined, wholeChromium);
}

/** Base64 of the SHA-256 of the key of a certificate in PEM, as Chromium names the keys that it trusts. */
function hashOfKey(certificate: string): string {
  const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64');
}

async function visit(tabs: Tabs, url: string, look: Look = {}): Promise<Visit> {
  const { width = 1280, height = 900, theme = 'light', language = 'en', expected = [], before = '' } = look;
  const { isPhone = false, hasWorker = false } = look;
  const complaints: string[] = [];
  const complain = (text: string) => {
    if (![...expected, NOT_YET_LOGGED].some((pattern) => pattern.test(text))) complaints.push(text);
  };
  const tab = await tabs.open({ language, before, isPhone, hasWorker }, { complain, origin: new URL(url).origin });
  const { page } = tab;
  await page.setViewportSize({ width, height });
  // A tab that was used before has what its last test left.
  await page.emulateMedia({ colorScheme: theme, forcedColors: 'none', reducedMotion: 'reduce', media: 'screen' });
  await page.goto(url);
  return {
    page,
    complaints,
    seriousProblems: () => seriousProblems(page),
    scrollsSideways: () =>
      page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth'),
    close: async () => {
      await tabs.close(tab);
      if (complaints.length > 0) throw new Error(`The page complained:\n${complaints.join('\n')}`);
    },
  };
}

async function seriousProblems(page: Page): Promise<string[]> {
  // Through the debugger, which no policy of the page stops; once for each document.
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResult> } };
    // Nothing is told of the rules that are kept, which is most of the work.
    const { violations } = await axe.run({ resultTypes: ['violations'] });
    return violations
      .filter(({ impact }) => impact !== 'minor')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}

interface AxeResult {
  violations: { id: string; impact: string; nodes: { html: string }[] }[];
}
