import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { InvalidRequestError } from '@signet/look';
import { Environment } from '../config/environment.js';
import { AvatarKey } from '../domain/avatar-key.js';
import type { IdentityName } from '../domain/identity-name.js';
import { acceptedCodings } from '../http/accepted-codings.js';
import { originOf } from '../http/server/origin.js';
import { servedAs } from '../http/server/served-as.js';
import { HiddenItems } from '../hiding/hidden-items.js';
import { KvQueries } from '../kv/kv.queries.js';
import { ProfileNames } from '../kv/profile-names.js';
import { PlatformService } from '../platform/platform.service.js';
import { PushSender } from '../push/push.sender.js';
import { ShownBindings } from '../proof/look-up/shown-bindings.js';
import { FRAME_HEADERS, frameDocument } from './embed-frame.js';
import { FRONT_PAGE_POLICY, frontPageHtml, frontPageJson } from './front-page.js';
import { HASHED_FILES, type PageFile, pageFiles } from './page-files.js';
import { lookFrameHeaders, PICTURE_HEADERS, WORKER_HEADERS } from './page-headers.js';
import { feedLink, type PageHead, PageHeads, withFoundNames, withHead } from './page-heads.js';
import { abuseLinkOf, type PageDocument, PageViews, SEARCH_VIEW, type ShownView, UNKNOWN_VIEW } from './page-views.js';
import { sealPicture } from './seal-picture.js';

/**
 * Addresses of views. Each answers one document, and the page distinguishes them by the words in
 * web/src/shell/views.ts.
 */
const VIEWS = [
  '/bind',
  '/bind/*',
  '/revoke/*',
  '/kv',
  '/kv/*',
  '/lost',
  '/lost/*',
  '/recovery/*',
  '/verify',
  '/transparency',
  '/example',
];
/** What people type for views that have another address. Programs get the answer of an unknown address. */
const OTHER_NAMES = new Map([
  ['/log', '/transparency'],
  ['/content', '/kv'],
  ['/profile', '/kv'],
]);
/** The page for operators, which asks for ADMIN_TOKEN and does not exist without that setting. */
const CONSOLE = '/console';
/** The built documents of the page, and of the frame in which looks are made. */
const DOCUMENT = '/index.html';
const LOOK_FRAME_DOCUMENT = '/look-frame.html';
/** The service worker, at the root, whose place says which addresses it serves. */
const WORKER = '/worker.js';
/** The one file that other sites load. */
const SHARED_FILE = '/embed.js';
const SEAL_SUFFIX = '.png';

const DOCUMENT_ROUTE = servedAs('documents');
const FILE_ROUTE = servedAs('files');

/** Control characters and others that hide or turn the text beside them. No identity has one. */
const UNSHOWABLE = /[\p{Cc}\p{Bidi_Control}\p{Noncharacter_Code_Point}]/u;

/** A year, which is for ever in caches: the name of the file changes with its content. */
const HASHED_CACHING = 'public, max-age=31536000, immutable';
/** Files whose name stays, such as the icon. */
const NAMED_CACHING = 'public, max-age=300';

/**
 * Serves the page for people at `/` and at the addresses of its views, and its files (setting WEB). `/` answers JSON to
 * requests that do not accept HTML.
 */
export function servePage(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  const { ABUSE_CONTACT, ADMIN_TOKEN, ENVIRONMENT, PUBLIC_URL, SERVICE_NAME, WEB, WEB_LOOK } = app.get(Environment);
  const platforms = app.get(PlatformService);
  const mayLook = WEB_LOOK === 'ask';
  const files = WEB ? pageFiles() : null;
  const views =
    files &&
    new PageViews(textOf(files, DOCUMENT), mayLook, app.get(PushSender).isOn, ABUSE_CONTACT, () =>
      platforms.available(),
    );
  const abuseLink = ABUSE_CONTACT === undefined ? null : abuseLinkOf(ABUSE_CONTACT);
  const own = { serviceName: SERVICE_NAME, environment: ENVIRONMENT, abuseLink };
  const facts = () => ({ ...own, platforms: platforms.available() });
  fastify.get('/', { config: DOCUMENT_ROUTE }, (request, reply) => {
    void reply.header('Vary', 'Accept');
    if (!acceptsHtml(request)) return reply.send(frontPageJson(facts()));
    if (views) return sendView(request, reply, views);
    void reply.type('text/html; charset=utf-8').header('Content-Security-Policy', FRONT_PAGE_POLICY);
    return reply.send(frontPageHtml(facts()));
  });
  if (!views) return;
  for (const view of ADMIN_TOKEN === undefined ? VIEWS : [...VIEWS, CONSOLE])
    fastify.get(view, { config: DOCUMENT_ROUTE }, (request, reply) => sendView(request, reply, views));
  serveUnknownAddresses(fastify, views);
  serveSeals(fastify);
  serveEmbedFrame(fastify);
  const [hidden, names] = [app.get(HiddenItems), app.get(ProfileNames)];
  servePictures(fastify, hidden, names);
  const heads = new PageHeads(app.get(ShownBindings), app.get(KvQueries), platforms, hidden, names, SERVICE_NAME);
  serveDocumentsWithHeads(fastify, views, heads, PUBLIC_URL);
  if (mayLook && files.has(LOOK_FRAME_DOCUMENT)) {
    const html = textOf(files, LOOK_FRAME_DOCUMENT);
    fastify.get('/look-frame', { config: DOCUMENT_ROUTE }, (_request, reply) => {
      const headers = lookFrameHeaders(PUBLIC_URL);
      return reply.type('text/html; charset=utf-8').removeHeader('X-Frame-Options').headers(headers).send(html);
    });
  }
  serveFiles(fastify, files);
}

/** Serves the files of the page. Those whose name holds a hash have one route: they are more than all other routes. */
function serveFiles(fastify: FastifyInstance, files: ReadonlyMap<string, PageFile>): void {
  for (const [address, file] of files) {
    if (![DOCUMENT, LOOK_FRAME_DOCUMENT].includes(address) && !file.isHashed)
      fastify.get(address, { config: FILE_ROUTE }, (request, reply) => sendFile(request, reply, file, address));
  }
  fastify.get<{ Params: { name: string } }>(`${HASHED_FILES}:name`, { config: FILE_ROUTE }, (request, reply) => {
    const address = HASHED_FILES + request.params.name;
    const file = files.get(address);
    return file ? sendFile(request, reply, file, address) : reply.callNotFound();
  });
}

function textOf(files: ReadonlyMap<string, PageFile>, address: string): string {
  return files.get(address)!.content.identity.toString();
}

/**
 * Leads people who typed an address that is none to a page with the menu. Programs get the JSON of any unknown address:
 * they do not name text/html in `Accept`, as browsers do for documents alone.
 */
function serveUnknownAddresses(fastify: FastifyInstance, views: PageViews): void {
  // Behind the hook that answers other methods (405), and before any body is read.
  fastify.addHook('preParsing', (request, reply, _payload, done) => {
    if (!request.is404 || !['GET', 'HEAD'].includes(request.method) || !acceptsHtml(request)) return done();
    void reply.header('Vary', 'Accept');
    const view = OTHER_NAMES.get(pathOf(request.url));
    if (view === undefined) sendView(request, reply.status(404), views, UNKNOWN_VIEW);
    else void reply.redirect(view, 302);
  });
}

/** The document of a frame that shows one binding, for other sites. */
function serveEmbedFrame(fastify: FastifyInstance): void {
  interface FrameRequest {
    Params: IdentityName;
    Querystring: { avatar?: unknown };
  }
  fastify.get<FrameRequest>('/embed/:platform/:identity', { config: DOCUMENT_ROUTE }, ({ params, query }, reply) => {
    const facts = { ...params, avatar: typeof query.avatar === 'string' ? query.avatar : '' };
    if (Object.values(facts).some((text) => UNSHOWABLE.test(text))) {
      throw new InvalidRequestError('The address holds a control character or one that changes the direction of text.');
    }
    return reply
      .type('text/html; charset=utf-8')
      .removeHeader('X-Frame-Options')
      .headers(FRAME_HEADERS)
      .send(frameDocument(facts));
  });
}

/** The seal of a key as the picture that social networks show of a link, which show no SVG. It never changes. */
function serveSeals(fastify: FastifyInstance): void {
  const config = servedAs('pictures');
  fastify.get<{ Params: { file: string } }>('/seal/:file', { config }, ({ params: { file } }, reply) => {
    const avatar = file.endsWith(SEAL_SUFFIX) ? AvatarKey.find(file.slice(0, -SEAL_SUFFIX.length)) : null;
    if (!avatar) return reply.callNotFound();
    return reply
      .type('image/png')
      .header('Cache-Control', HASHED_CACHING)
      .header('Cross-Origin-Resource-Policy', 'cross-origin')
      .send(sealPicture(avatar.compressed));
  });
}

/**
 * The picture that a key has chosen of itself, for previews of links, which show no `data:` URL. Bytes of a stranger:
 * their type is one of three kinds of pictures, and a browser takes them for nothing else and runs nothing in them.
 */
function servePictures(fastify: FastifyInstance, hidden: HiddenItems, names: ProfileNames): void {
  const config = servedAs('pictures');
  fastify.get<{ Params: { key: string } }>('/picture/:key', { config }, async ({ params: { key } }, reply) => {
    const avatar = AvatarKey.find(key)?.compressed;
    const isShown = avatar !== undefined && hidden.find({ kind: 'profile', avatar }) === null;
    const profile = isShown ? await names.profileOf(avatar) : null;
    const [, type, base64] = /^data:(image\/[a-z]+);base64,(.*)$/.exec(profile?.picture ?? '') ?? [];
    if (type === undefined) return reply.callNotFound();
    return reply
      .type(type)
      .headers(PICTURE_HEADERS)
      .header('Cache-Control', NAMED_CACHING)
      .header('Cross-Origin-Resource-Policy', 'cross-origin')
      .send(Buffer.from(base64!, 'base64'));
  });
}

/** Serves the documents of Avatars and bindings, whose heads describe them. */
function serveDocumentsWithHeads(
  fastify: FastifyInstance,
  views: PageViews,
  heads: PageHeads,
  publicUrl: string | undefined,
): void {
  const serve = (view: string, headOf: (rest: string) => Promise<PageHead | null>) =>
    fastify.get<{ Params: { '*': string } }>(view, { config: DOCUMENT_ROUTE }, async (request, reply) => {
      // A page that can show what it finds by itself must not depend on a description.
      const head = await headOf(restOf(request.url)).catch(() => null);
      const origin = originOf(request, publicUrl);
      const document = views.documentOf(viewOf(request.url), request.headers['accept-language']);
      // No cache may give others the host that one client named.
      if (head && publicUrl === undefined) void reply.header('Cache-Control', 'no-store');
      return sendDocument(request, reply, views, head ? withHead(document, head, origin) : document);
    });
  serve('/a/*', (rest) => heads.ofAvatar(rest));
  serve('/p/*', (rest) => heads.ofBinding(rest, new Date()));
}

/** The path after its first segment, still encoded. */
function restOf(url: string): string {
  return url.replace(/[?#].*$/, '').replace(/^\/+[^/]*\/+/, '');
}

function acceptsHtml({ headers }: FastifyRequest): boolean {
  return (headers.accept ?? '').toLowerCase().includes('text/html');
}

/** The path of an address, without a slash at its end. */
function pathOf(url: string): string {
  return url.replace(/[?#].*$/, '').replace(/\/+$/, '');
}

function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(url.split('?')[1] ?? '');
}

/** What an address of the start page searches for; empty where it does not. */
function searchedIn(url: string): string {
  return queryOf(url).get('q')?.trim() ?? '';
}

/** Which view an address shows: the first part of its path, and whether it is that view for everybody. */
function viewOf(url: string): ShownView {
  const [word = '', ...rest] = pathOf(url).split('/').filter(Boolean);
  if (word === '' && searchedIn(url) !== '') return SEARCH_VIEW;
  return { word, isFixed: rest.length === 0, platform: queryOf(url).get('platform') };
}

/** Sends a view in the language of the browser; the one of the address when absent. */
function sendView(request: FastifyRequest, reply: FastifyReply, views: PageViews, view = viewOf(request.url)) {
  const document = views.documentOf(view, request.headers['accept-language']);
  if (view === SEARCH_VIEW)
    return sendDocument(request, reply, views, withFoundNames(document, searchedIn(request.url)));
  const isStart = view.word === '';
  return sendDocument(request, reply, views, isStart ? document.fill({ answers: feedLink('/feed.atom') }) : document);
}

function sendDocument(request: FastifyRequest, reply: FastifyReply, { headers }: PageViews, document: PageDocument) {
  const html = document.toString();
  const vary = reply.getHeader('Vary');
  const varying = [...(typeof vary === 'string' ? [vary] : []), 'Accept-Language', 'Accept-Encoding'];
  void reply.type('text/html; charset=utf-8').headers(headers).header('Vary', varying.join(', '));
  // A document holds no secret that its length could betray.
  if (acceptedCodings(request.headers['accept-encoding'], ['gzip']).length === 0) return reply.send(html);
  return reply.header('Content-Encoding', 'gzip').send(gzipSync(html));
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: PageFile, address: string): FastifyReply {
  const { type, isHashed, content } = file;
  if (address === SHARED_FILE) void reply.header('Cross-Origin-Resource-Policy', 'cross-origin');
  void reply.type(type).header('Vary', 'Accept-Encoding');
  void reply.header('Cache-Control', isHashed ? HASHED_CACHING : NAMED_CACHING);
  if (address === WORKER) void reply.headers(WORKER_HEADERS);
  const stored = (['br', 'gzip'] as const).filter((name) => content[name]);
  const [encoding] = acceptedCodings(request.headers['accept-encoding'], stored);
  if (!encoding) return reply.send(content.identity);
  return reply.header('Content-Encoding', encoding).send(content[encoding]);
}
