import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { onRequestHookHandler, preSerializationHookHandler, preValidationHookHandler } from 'fastify';
import { Environment } from '../config/environment.js';
import { ADDED_MEMBERS, type AnswerChange, answerChange } from './answer-members.js';
import { applyAliases, hasAliases } from './request-aliases.js';

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
  const fastify = app.getHttpAdapter().getInstance();
  // For the routes of the tables alone: the others cost nothing more.
  fastify.addHook('onRoute', (route) => {
    const name = `${route.method === 'HEAD' ? 'GET' : String(route.method)} ${route.url}`;
    if (hasAliases(name)) {
      if (route.method === 'POST') {
        route.preValidation = [route.preValidation ?? [], bodyAliases(name, SERVICE_NAME)].flat();
      } else {
        // Rate limits and load shedding read the query, at `preParsing` and later.
        route.onRequest = [route.onRequest ?? [], queryAliases(name, SERVICE_NAME)].flat();
      }
    }
    const change = answerChange(name);
    if (change) route.preSerialization = [route.preSerialization ?? [], changedAnswer(change, SERVICE_NAME)].flat();
  });
}

function queryAliases(route: string, serviceName: string): onRequestHookHandler {
  return (request, _reply, done) => {
    applyAliases(route, request.query, serviceName);
    done();
  };
}

function bodyAliases(route: string, serviceName: string): preValidationHookHandler {
  return (request, _reply, done) => {
    applyAliases(route, request.body, serviceName);
    done();
  };
}

/** Changes an answer before it is sent. A failure of the change is answered as an error. */
function changedAnswer(change: AnswerChange, serviceName: string): preSerializationHookHandler<unknown> {
  return (_request, reply, answer, done) => {
    let changed = answer;
    try {
      if (reply.statusCode < 300) changed = change(answer as never, serviceName);
    } catch (error) {
      done(error as Error);
      return;
    }
    done(null, changed);
  };
}

/** Adds the members of the dialect to the description of the API if DIALECT is `nextid`. */
export function describeDialect(description: OpenAPIObject, { DIALECT }: Pick<Environment, 'DIALECT'>): OpenAPIObject {
  if (DIALECT !== 'nextid') return description;
  for (const [name, members] of Object.entries(ADDED_MEMBERS)) {
    const schema = description.components?.schemas?.[name];
    if (!schema || !('properties' in schema)) throw new Error(`The description of the API has no schema ${name}.`);
    Object.assign(schema.properties!, members);
  }
  return description;
}
