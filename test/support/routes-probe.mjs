/**
 * Loaded into a service by `NODE_OPTIONS=--import`: says which routes it has, as a list of texts such as
 * `GET /v1/proof/exists`, once it is ready. HEAD, which Fastify adds to each GET, is left out.
 */
import { subscribe } from 'node:diagnostics_channel';

subscribe('fastify.initialization', ({ fastify }) => {
  const routes = new Set();
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) if (name !== 'HEAD') routes.add(`${name} ${url}`);
  });
  fastify.addHook('onReady', async () => {
    process.stdout.write(`routes-probe ${JSON.stringify([...routes])}\n`);
  });
});
