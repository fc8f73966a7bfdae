/**
 * The documentation as a site with search: `npm run docs` builds it into `dist/docs`. All pages are the Markdown files
 * of the repository, read where they are, and the reference of the packages, which that command writes before.
 * `-- --base /path/` sets the path under which a host serves it.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const OUT = path.join(ROOT, 'dist/docs');

/**
 * What we use of a token of markdown-it.
 * @typedef {object} Token
 * @property {[string, string][] | null} attrs
 * @property {(name: string) => string | null} attrGet
 * @property {(name: string, value: string) => void} attrSet
 */

/** Pages beside those of `docs`. */
const OTHER_PAGES =
  /^((README|CHANGELOG|CONTRIBUTING|CODE_OF_CONDUCT|SECURITY|vectors\/README)\.md|(packages\/\w+|examples\/\w+)\/README\.md)$/;
/** The reference of the packages, which `scripts/api-pages.mjs` writes before. */
const API = 'api';
/** Files that pages link to and that are no pages; they are copied beside the pages. */
const linkedFiles = new Set();

/** @param {string} file */
const isPage = (file) => file.endsWith('.md') && (/^(docs|api)\//.test(file) || OTHER_PAGES.test(file));
/**
 * The place of a page on the site: that of a folder for its README.
 * @param {string} file
 */
const placeOf = (file) => file.replace(/(^|\/)README\.md$/, '$1index.md');

/**
 * Leads links between files of the repository to the places of the pages. A link to another file gets a copy of it; one
 * to a folder without a README stays as text, since a static host shows no folders.
 * @param {import('vitepress').MarkdownRenderer} md
 */
function leadLinks(md) {
  // Comments of files that a program writes; other HTML is shown as text.
  md.core.ruler.before('normalize', 'comments', (state) => {
    state.src = state.src.replace(/^<!--[^]*?-->$/gm, '');
  });
  md.core.ruler.push('repository_links', ({ tokens, env }) => {
    for (const { children } of tokens) {
      for (const token of children ?? []) {
        if (token.type === 'link_open') leadLink(token, env.path);
      }
    }
  });
}

/** @param {Token} token @param {string} page the file that it is in */
function leadLink(token, page) {
  const href = token.attrGet('href') ?? '';
  if (/^([a-z]+:|#|\/)/i.test(href)) return;
  const [, name = '', hash = ''] = /^([^#]*)(.*)$/.exec(href) ?? [];
  const from = path.relative(ROOT, page);
  const file = path.join(path.dirname(from), decodeURI(name)).replace(/\/$/, '');
  const readme = path.join(file, 'README.md');
  const target = isPage(readme) && existsSync(path.join(ROOT, readme)) ? readme : file;
  if (!existsSync(path.join(ROOT, target))) throw new Error(`${from} links to ${href}, which does not exist.`);
  if (isPage(target)) {
    const place = path.relative(path.dirname(placeOf(from)), placeOf(target));
    token.attrSet('href', `${place.startsWith('.') ? '' : './'}${place}${hash}`);
  } else if (statSync(path.join(ROOT, target)).isDirectory()) {
    token.attrs = [['class', 'folder']];
  } else {
    linkedFiles.add(target);
    token.attrSet('target', '_blank');
  }
}

/**
 * The anchor of a headline, as forges that show the files make it.
 * @param {string} headline
 */
const anchorOf = (headline) =>
  headline
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');

/**
 * Adds the scripts that documents ask for first: VitePress 1.6 adds them in a way that its bundler of today passes
 * over. Each is the script of its page, which has a text more that the document has already.
 */
function addLeanScripts() {
  const assets = path.join(OUT, 'assets');
  const names = readdirSync(assets).filter((name) => /\.md\.[\w-]+\.js$/.test(name));
  for (const name of names) copyFileSync(path.join(assets, name), path.join(assets, name.replace(/\.js$/, '.lean.js')));
}

/**
 * @param {string} base
 * @throws Error that names every link, script and style of the built site that leads to no file or anchor
 */
function checkLinks(base) {
  const pages = readdirSync(OUT, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));
  const texts = new Map(pages.map((name) => [name, readFileSync(path.join(OUT, name), 'utf8')]));
  const broken = [...texts].flatMap(([name, text]) =>
    [...text.matchAll(/<(?:a|link|script) [^>]*?(?:href|src)="(?![a-z]+:)([^"]*)"/g)].flatMap(([, href]) => {
      const { pathname, hash } = new URL(href, `http://site${base}${name.split(path.sep).join('/')}`);
      const place = decodeURIComponent(pathname.slice(base.length));
      const target = place === '' || place.endsWith('/') ? `${place}index.html` : place;
      const id = decodeURIComponent(hash.slice(1));
      const isThere = pathname.startsWith(base) && existsSync(path.join(OUT, target));
      return isThere && (id === '' || texts.get(target)?.includes(`id="${id}"`)) ? [] : [`${name}: ${href}`];
    }),
  );
  if (broken.length > 0) throw new Error(`Links of the site that lead nowhere:\n${broken.join('\n')}`);
}

/** @param {string} text @param {string} file */
const page = (text, file) => ({ text, link: `/${placeOf(file).replace(/(index)?\.md$/, '')}` });

/** The pages of the reference of the packages, in the order of their names; none where they were not written. */
function apiPages() {
  const folder = path.join(ROOT, API);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && name !== 'index.md')
    .map((name) => page(readFileSync(path.join(folder, name), 'utf8').split('\n', 1)[0].slice(2), `${API}/${name}`))
    .sort((one, other) => one.text.localeCompare(other.text));
}

export default defineConfig({
  title: 'Signet',
  description: 'Self-hosted service that binds accounts and wallets to one key',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  srcDir: ROOT,
  srcExclude: ['**/node_modules/**', 'dist/**', '.cache/**', 'test/**', 'web/**', '.github/**', 'release/**'],
  outDir: OUT,
  cacheDir: path.join(ROOT, '.cache/docs'),
  rewrites: (file) => placeOf(file),
  lastUpdated: false,
  ignoreDeadLinks: 'localhostLinks',
  markdown: {
    html: false,
    anchor: { slugify: anchorOf },
    config: leadLinks,
  },
  buildEnd({ site: { base } }) {
    for (const file of linkedFiles) {
      mkdirSync(path.join(OUT, path.dirname(file)), { recursive: true });
      copyFileSync(path.join(ROOT, file), path.join(OUT, file));
    }
    addLeanScripts();
    checkLinks(base);
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    nav: [
      page('Guide', 'docs/guide/README.md'),
      page('Packages', `${API}/index.md`),
      page('Host', 'docs/host/README.md'),
      page('Changes', 'CHANGELOG.md'),
    ],
    sidebar: [
      { text: 'Start', items: [page('What it is', 'README.md'), page('Changes', 'CHANGELOG.md')] },
      {
        text: 'Use the API',
        items: [
          page('Guide', 'docs/guide/README.md'),
          page('Avatar', 'docs/guide/avatar.md'),
          page('If you lose your key', 'docs/guide/lost-key.md'),
          page('Signing', 'docs/guide/signing.md'),
          page('Bindings', 'docs/guide/bindings.md'),
          page('Key-value content', 'docs/guide/key-value.md'),
          page('Apps that write often', 'docs/keys-for-apps.md'),
          page('Events', 'docs/guide/events.md'),
          page('On a phone', 'docs/guide/phone.md'),
          page('Following a key', 'docs/guide/following.md'),
          page('Programs in five languages', 'docs/guide/languages/README.md'),
          page('Clients of NextID', 'docs/guide/nextid.md'),
        ],
      },
      {
        text: 'Write an app',
        items: [
          page('Guide', 'docs/guide/app/README.md'),
          page('Who is this?', 'docs/guide/app/who.md'),
          page('Sign in', 'docs/guide/app/sign-in.md'),
          page('Bind a wallet', 'docs/guide/app/bind-wallet.md'),
          page('Bind with wagmi', 'docs/guide/app/wagmi.md'),
          page('Bind an account', 'docs/guide/app/bind-account.md'),
          page('Key-value content', 'docs/guide/app/key-value.md'),
          page('Write without the wallet', 'docs/guide/app/app-key.md'),
          page('Verify', 'docs/guide/app/verify.md'),
          page('Which check do I need?', 'docs/guide/app/checks.md'),
          page('What to show in grey', 'docs/guide/app/grey.md'),
          page('Errors, by example', 'docs/guide/app/errors.md'),
          page('Revoked bindings', 'docs/guide/app/revoked.md'),
          page('When a key moved', 'docs/guide/app/key-moved.md'),
          page('Webhooks', 'docs/guide/app/webhooks.md'),
          page('React', 'docs/guide/app/react.md'),
          page('Badges', 'docs/guide/app/badge.md'),
          page('From 0.1 to now', 'docs/guide/app/upgrade.md'),
          page('@signet/sdk', 'packages/sdk/README.md'),
          page('@signet/react', 'packages/react/README.md'),
          page('@signet/verify', 'packages/verify/README.md'),
          page('@signet/look', 'packages/look/README.md'),
          page('The command signet', 'packages/cli/README.md'),
        ],
      },
      {
        text: 'Host it',
        items: [
          page('Hosting', 'docs/host/README.md'),
          page('Operation', 'docs/operations.md'),
          page('Settings', 'docs/reference/settings.md'),
          page('Upgrades', 'docs/host/upgrades.md'),
          page('Personal data', 'docs/host/personal-data.md'),
          page('Scaling', 'docs/scaling.md'),
          page('High availability', 'docs/high-availability.md'),
          page('Archive', 'docs/archive.md'),
          page('Transparency log', 'docs/log.md'),
          page('Witnesses', 'docs/witnesses.md'),
          page('Observers', 'docs/observers.md'),
        ],
      },
      {
        text: 'Verify',
        items: [
          page('Complete answers', 'docs/completeness.md'),
          page('All rules', 'docs/verify.md'),
          page('Keys', 'docs/keys.md'),
          page('Exports', 'docs/export.md'),
          page('Vectors', 'vectors/README.md'),
          page('Offline verifiers', 'examples/verifiers/README.md'),
        ],
      },
      { text: 'Reference of the packages', collapsed: true, items: apiPages() },
      {
        text: 'Reference',
        items: [
          page('Error codes', 'docs/reference/errors.md'),
          page('Platforms', 'docs/reference/platforms.md'),
          page('Threat model', 'docs/threat-model.md'),
          page('Security', 'SECURITY.md'),
          page('Design decisions', 'docs/design/decisions.md'),
          page('Facts about platforms', 'docs/design/platforms.md'),
          page('Benchmarks', 'docs/benchmarks.md'),
          page('Long tests', 'docs/long-tests.md'),
          page('Contributing', 'CONTRIBUTING.md'),
          page('Translating', 'docs/translating.md'),
          page('Code of conduct', 'CODE_OF_CONDUCT.md'),
        ],
      },
    ],
  },
});
