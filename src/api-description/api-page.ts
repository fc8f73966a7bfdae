import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { servedAs } from '../http/server/served-as.js';
import { describeEvents } from './asyncapi.js';
import { describeApi } from './openapi.js';

/** Folder of the package whose files are served: nothing on the page comes from another host. */
const UI = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const ASSETS: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Signet API</title>
    <link rel="icon" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="api"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#api', deepLinking: true, displayRequestDuration: true });\n`;

/** Swagger UI sets styles on elements and draws icons from data URLs; everything else comes from this server. */
const CONTENT_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/**
 * `/docs` for people, `/openapi.json` and `/asyncapi.json` for programs. The page is Swagger UI from the package that
 * `@nestjs/swagger` brings; the routes are ours, because its own way of serving them needs a static file server that
 * the service has no other use for. Texts and files are made or read once and kept.
 * @param complete adds what is known of the description elsewhere
 */
export function serveApiPage(
  app: NestFastifyApplication,
  complete: (description: OpenAPIObject) => OpenAPIObject,
): void {
  const fastify = app.getHttpAdapter().getInstance();
  let description: string | undefined;
  const options = { config: servedAs('documents') };
  fastify.get('/openapi.json', options, (_request, reply) =>
    reply.type('application/json; charset=utf-8').send((description ??= JSON.stringify(complete(describeApi(app))))),
  );
  const events = JSON.stringify(describeEvents());
  fastify.get('/asyncapi.json', options, (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(events),
  );
  fastify.get('/docs', options, (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('Content-Security-Policy', CONTENT_POLICY).send(PAGE),
  );
  fastify.get('/docs/start.js', options, (_request, reply) => reply.type('text/javascript; charset=utf-8').send(START));
  for (const [name, type] of Object.entries(ASSETS)) {
    let content: Promise<Buffer> | undefined;
    fastify.get(`/docs/${name}`, options, async (_request, reply) =>
      reply.type(type).send(await (content ??= readFile(path.join(UI, name)))),
    );
  }
}
