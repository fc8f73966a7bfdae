import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Environment } from '../config/environment.js';
import { AvatarKey } from '../domain/avatar-key.js';
import { servedAs } from '../http/server/served-as.js';
import { originOf } from '../http/server/origin.js';
import { PlatformService } from '../platform/platform.service.js';
import { atomText } from './atom.js';
import { cardJson, vcardText } from './cards.js';
import { KeyCards } from './key-cards.js';
import { NewsPages } from './news.js';

interface FeedRequest {
  Params: { platform?: string; file: string };
  Querystring: { before?: unknown };
}

const ROUTE = { config: servedAs('reads') };
const ATOM = /\.atom$/;
const ENDING = /\.(?:atom|json|vcf)$/;

/**
 * Serves feeds of news for readers of feeds (`/feed.atom`, `/a/<key>.atom`, `/p/<platform>/<identity>.atom`), cards of
 * keys to take along (`/a/<key>.vcf`, `/a/<key>.json`), and short addresses of names. What follows a name of a path is
 * part of it: no name ends in `.atom`, but for one of Discord, whose page has another address then.
 */
export function serveFeeds(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  const { PUBLIC_URL } = app.get(Environment);
  const platforms = app.get(PlatformService);
  const news = app.get(NewsPages);
  const cards = app.get(KeyCards);

  const sendFeed = async (request: FastifyRequest<FeedRequest>, reply: FastifyReply, ...page: FeedNames) => {
    const [of, address, shown] = page;
    const before = typeof request.query.before === 'string' ? request.query.before : undefined;
    const feed = await news.page(of, address, shown, before);
    return withHost(reply, PUBLIC_URL)
      .type('application/atom+xml; charset=utf-8')
      .header('Access-Control-Allow-Origin', '*')
      .send(atomText(feed, originOf(request, PUBLIC_URL) ?? ''));
  };

  fastify.get<FeedRequest>('/feed.atom', ROUTE, (request, reply) => sendFeed(request, reply, null, '/feed.atom', '/'));
  fastify.get<FeedRequest>('/a/:file(^.+\\.(?:atom|json|vcf)$)', ROUTE, async (request, reply) => {
    const { file } = request.params;
    const avatar = AvatarKey.find(file.replace(ENDING, ''));
    if (!avatar) return reply.callNotFound();
    const page = `/a/${avatar.compressed}`;
    if (file.endsWith('.atom')) return sendFeed(request, reply, { avatar: avatar.compressed }, `${page}.atom`, page);
    const card = await cards.of(avatar, originOf(request, PUBLIC_URL) ?? '');
    if (!card) return reply.callNotFound();
    void withHost(reply, PUBLIC_URL).header('Access-Control-Allow-Origin', '*');
    if (file.endsWith('.json')) return reply.send(cardJson(card));
    return reply.type('text/vcard; charset=utf-8').send(vcardText(card));
  });
  fastify.get<FeedRequest>('/p/:platform/:file(^.+\\.atom$)', ROUTE, (request, reply) => {
    const { platform = '', file } = request.params;
    const verifier = platforms.all().find((one) => one.platform === platform);
    const identity = verifier ? platforms.findIdentity(verifier, file.replace(ATOM, '')) : null;
    if (identity === null) return reply.callNotFound();
    const path = `/p/${encodeURIComponent(platform)}/${encodeURIComponent(identity)}`;
    return sendFeed(request, reply, { platform, identity }, `${path}.atom`, path);
  });
  // Only a DNS record or a post that proves the name leads anything here; all keys of it are shown.
  fastify.get<{ Params: { '*': string } }>('/@*', { config: servedAs('documents') }, (request, reply) => {
    const text = request.params['*'].replace(/\/$/, '');
    const verifier = platforms.all().find(({ platform }) => platform === (text.includes('@') ? 'activitypub' : 'dns'));
    const name = text.replace(ATOM, '');
    const identity = verifier && !text.includes('/') ? platforms.findIdentity(verifier, name) : null;
    if (identity === null) return reply.callNotFound();
    return reply.redirect(`/p/${verifier!.platform}/${encodeURIComponent(identity)}${text.slice(name.length)}`, 302);
  });
}

type FeedNames = [Parameters<NewsPages['page']>[0], address: string, page: string];

/** An answer with the host that one client named is for no cache of others. */
function withHost(reply: FastifyReply, publicUrl: string | undefined): FastifyReply {
  return publicUrl === undefined ? reply.header('Cache-Control', 'private, no-cache') : reply;
}
