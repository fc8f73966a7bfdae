import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { servedAs } from '../http/server/served-as.js';
import { ActorIdentity } from './actor-identity.js';

const ROUTE = { config: servedAs('documents') };
const ACTOR_TYPE = 'application/activity+json; charset=utf-8';
const WEBFINGER_TYPE = 'application/jrd+json; charset=utf-8';

/** Serves the actor of this server and its webfinger, where there is one. Both are texts that are kept. */
export function serveActor(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  const identity = app.get(ActorIdentity);
  fastify.get('/actor', ROUTE, (_request, reply) => {
    const { documents } = identity;
    return documents ? reply.type(ACTOR_TYPE).send(documents.actor) : reply.callNotFound();
  });
  fastify.get<{ Querystring: { resource?: unknown } }>('/.well-known/webfinger', ROUTE, (request, reply) => {
    const { documents } = identity;
    const { resource } = request.query;
    if (!documents || typeof resource !== 'string' || !documents.resources.includes(resource)) {
      return reply.callNotFound();
    }
    return reply.type(WEBFINGER_TYPE).header('Access-Control-Allow-Origin', '*').send(documents.webfinger);
  });
}
