import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Environment } from '../config/environment.js';
import { ADDED_MEMBERS, withMembers } from './answer-members.js';
import { applyAliases } from './request-aliases.js';

/**
 * Lets the clients of NextID's proof_server and kv_server use this service (DIALECT=nextid): what they send is changed
 * into what the contract asks for before anything else looks at it, and members that they read are added to the
 * answers. Controllers and services know nothing of it; each difference is a line of a table in `request-aliases` or
 * `answer-members`. Has to be called before other hooks that look at the query.
 */
export function speakDialect(app: NestFastifyApplication): void {
  const { DIALECT, SERVICE_NAME } = app.get(Environment);
  if (DIALECT !== 'nextid') return;
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (request.method !== 'POST') applyAliases(routeOf(request), request.query, SERVICE_NAME);
    done();
  });
  fastify.addHook('preValidation', (request, _reply, done) => {
    if (request.method === 'POST') applyAliases(routeOf(request), request.body, SERVICE_NAME);
    done();
  });
  // Asynchronous, so that whatever fails in it is answered as an error.
  fastify.addHook('preSerialization', async (request, reply, answer) =>
    reply.statusCode < 300 ? withMembers(routeOf(request), answer, SERVICE_NAME) : answer,
  );
}

/** Adds the members of the dialect to the description of the API, where it is spoken. */
export function describeDialect(description: OpenAPIObject, { DIALECT }: Pick<Environment, 'DIALECT'>): OpenAPIObject {
  if (DIALECT !== 'nextid') return description;
  for (const [name, members] of Object.entries(ADDED_MEMBERS)) {
    const schema = description.components?.schemas?.[name];
    if (!schema || !('properties' in schema)) throw new Error(`The description of the API has no schema ${name}.`);
    Object.assign(schema.properties!, members);
  }
  return description;
}

/** Method and route of a request; HEAD is that of GET. */
function routeOf({ method, routeOptions }: FastifyRequest): string {
  return `${method === 'HEAD' ? 'GET' : method} ${routeOptions.url ?? ''}`;
}
