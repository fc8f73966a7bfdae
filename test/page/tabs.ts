import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';

/** What a tab is opened with, beside the size and the theme, which can be changed later. */
export interface TabOptions {
  /** Of the browser. */
  language: string;
  /** Runs in each page before its own scripts. */
  before: string;
  /** Whether it is a phone, which is used with fingers. */
  isPhone: boolean;
  /** Whether the service worker of the page may run. */
  hasWorker: boolean;
}

/** Who hears what happens in a tab, for one visit. */
export interface Listener {
  complain(text: string): void;
  /** The only one that the tab may ask. */
  origin: string;
}

/** A tab with cookies, storage and a cache that no other tab sees. */
export interface Tab {
  page: Page;
  listener: Listener | null;
}

interface OwnTab extends Tab {
  context: BrowserContext;
  debug: CDPSession;
  options: TabOptions;
  /** All that were shown. */
  origins: Set<string>;
  /** What runs in its pages for this visit. */
  script: { dispose(): Promise<void> } | null;
  /** Whether a test has spoken to the debugger, which can change what nothing undoes, such as authenticators. */
  isChanged: boolean;
}

/** The events that tests listen to. */
const HEARD = ['console', 'dialog', 'download', 'filechooser', 'request', 'requestfailed', 'response'] as const;

/**
 * The tabs of a browser. One that is closed is emptied and used again, as a new one costs three times the processor
 * time of leading an empty one to an address.
 */
export class Tabs {
  private readonly idle: OwnTab[] = [];
  private readonly opened = new Set<BrowserContext>();

  constructor(
    private readonly browser: Browser,
    private readonly ignoreHTTPSErrors: boolean,
  ) {}

  /** A tab that knows nothing of any site. */
  async open(options: TabOptions, listener: Listener): Promise<Tab> {
    const place = this.idle.findIndex((tab) => isAlike(tab.options, options));
    const tab = place >= 0 ? this.idle.splice(place, 1)[0]! : await this.openNew(options);
    tab.listener = listener;
    tab.script = options.before === '' ? null : await tab.context.addInitScript({ content: options.before });
    return tab;
  }

  async close(tab: Tab): Promise<void> {
    const own = tab as OwnTab;
    if (await emptied(own)) this.idle.push(own);
    else await own.context.close();
  }

  /** Closes all of them; the browser stays. */
  async end(): Promise<void> {
    await Promise.all([...this.opened].map((context) => context.close()));
  }

  private async openNew(options: TabOptions): Promise<OwnTab> {
    const context = await this.browser.newContext({
      ...{ locale: options.language, reducedMotion: 'reduce' },
      ignoreHTTPSErrors: this.ignoreHTTPSErrors,
      serviceWorkers: options.hasWorker ? 'allow' : 'block',
      ...(options.isPhone && { hasTouch: true, isMobile: true, deviceScaleFactor: 2 }),
    });
    // A busy machine takes its time: a test fails by the state that it waits for.
    context.setDefaultTimeout(300_000);
    this.opened.add(context.once('close', () => this.opened.delete(context)));
    const page = await context.newPage();
    const debug = await context.newCDPSession(page);
    const tab: OwnTab = {
      ...{ page, listener: null, context, debug, options },
      ...{ origins: new Set(), script: null, isChanged: false },
    };
    const { newCDPSession } = context;
    context.newCDPSession = (of) => {
      tab.isChanged = true;
      return newCDPSession.call(context, of);
    };
    page.on('framenavigated', (frame) => tab.origins.add(new URL(frame.url()).origin));
    await listen(tab);
    return tab;
  }
}

/** Whether a tab that was opened for one visit is good for another. */
function isAlike(one: TabOptions, other: TabOptions): boolean {
  return one.language === other.language && one.isPhone === other.isPhone && one.hasWorker === other.hasWorker;
}

async function listen(tab: OwnTab): Promise<void> {
  const { context } = tab;
  const complain = (text: string) => tab.listener?.complain(text);
  await context.exposeFunction('reportViolation', complain);
  await context.addInitScript(
    `addEventListener('securitypolicyviolation', (event) => {
      reportViolation('CSP: ' + event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sample);
    });`,
  );
  context.on('console', (message) => {
    if (message.type() === 'error') complain(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => complain(`uncaught: ${error.error().stack ?? error.error().message}`));
  context.on('request', (request) => {
    const isOwn = request.url().startsWith(`${tab.listener?.origin}/`) || /^(data|blob|about):/.test(request.url());
    if (!isOwn) complain(`request: ${request.url()}`);
  });
}

/** Removes all that sites and tests left in a tab. @returns false where that cannot be done, as after a second tab */
async function emptied(tab: OwnTab): Promise<boolean> {
  const { page, context, debug, options, origins, isChanged } = tab;
  if (options.hasWorker || isChanged || page.isClosed() || context.pages().length > 1) return false;
  try {
    // What was reported until now has arrived when this is answered.
    await page.evaluate('sessionStorage.clear()');
    tab.listener = null;
    for (const event of HEARD) page.removeAllListeners(event);
    await tab.script?.dispose();
    tab.script = null;
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    // By the page itself, which keeps the process of its site; the browser would begin another.
    await Promise.all([page.waitForURL('about:blank'), page.evaluate('location.replace("about:blank")')]);
    for (const origin of origins) {
      if (origin !== 'null') await debug.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
    }
    origins.clear();
    await debug.send('Network.clearBrowserCache');
    await context.clearCookies();
    await context.clearPermissions();
    return true;
  } catch {
    return false;
  }
}
