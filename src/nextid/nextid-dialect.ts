import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { onRequestHookHandler, preSerializationHookHandler, preValidationHookHandler } from 'fastify';
import { Environment } from '../config/environment.js';
import addedMembers from './added-members.json' with { type: 'json' };
import { type AnswerChange, ANSWERS, type Dialect } from './answer-members.js';
import { ALIASES, applyAliases } from './request-aliases.js';
import { PlatformService } from '../platform/platform.service.js';

/**
 * Lets the clients of NextID's proof_server and kv_server use this service (DIALECT=nextid): their requests are changed
 * into the form of the contract before any other code reads them, and members that they read are added to the answers.
 * Each difference is a line of a table in `request-aliases` or `answer-members`; controllers do not know of the
 * dialect. Lookups do: they always read the columns that only its answers show (`account_id`, `activated_at`), so that
 * there is one query. Has to be called before the first route is declared.
 */
export function installNextIdDialect(app: NestFastifyApplication): void {
  const { DIALECT, SERVICE_NAME } = app.get(Environment);
  if (DIALECT !== 'nextid') return;
  const platforms = app.get(PlatformService);
  const dialect: Dialect = { serviceName: SERVICE_NAME, knows: (platform) => platforms.has(platform) };
  const fastify = app.getHttpAdapter().getInstance();
  // For the routes of the tables alone: the others cost nothing more.
  fastify.addHook('onRoute', (route) => {
    const name = `${route.method === 'HEAD' ? 'GET' : String(route.method)} ${route.url}`;
    const aliases = ALIASES[name];
    const changed =
      (part: 'body' | 'query'): preValidationHookHandler & onRequestHookHandler =>
      (request, _reply, done) => {
        applyAliases(aliases!, request[part], SERVICE_NAME);
        done();
      };
    if (aliases && route.method === 'POST') route.preValidation = [route.preValidation ?? [], changed('body')].flat();
    // Rate limits and load shedding read the query, at `preParsing` and later.
    else if (aliases) route.onRequest = [route.onRequest ?? [], changed('query')].flat();
    const change = ANSWERS[name];
    if (change) route.preSerialization = [route.preSerialization ?? [], changedAnswer(change, dialect)].flat();
  });
}

/** Changes an answer before it is sent. A failure of the change is answered as an error. */
function changedAnswer(change: AnswerChange, dialect: Dialect): preSerializationHookHandler<unknown> {
  return (_request, reply, answer, done) => {
    try {
      done(null, reply.statusCode < 300 ? change(answer as never, dialect) : answer);
    } catch (error) {
      done(error as Error);
    }
  };
}

/** Adds the members of the dialect to the schemas in the description of the API if DIALECT is `nextid`. */
export function describeDialect(description: OpenAPIObject, { DIALECT }: Pick<Environment, 'DIALECT'>): OpenAPIObject {
  if (DIALECT !== 'nextid') return description;
  for (const [name, members] of Object.entries(addedMembers)) {
    const schema = description.components?.schemas?.[name];
    if (!schema || !('properties' in schema)) throw new Error(`The description of the API has no schema ${name}.`);
    Object.assign(schema.properties!, members);
  }
  return description;
}
