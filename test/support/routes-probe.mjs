/**
 * Loaded into a service by `NODE_OPTIONS=--import`: says which routes it has, by texts such as `GET /v1/proof/exists`,
 * each with its class, once it is ready. HEAD, which Fastify adds to each GET, is left out.
 */
import { subscribe } from 'node:diagnostics_channel';

subscribe('fastify.initialization', (message) => {
  const { fastify } = /** @type {{ fastify: import('fastify').FastifyInstance }} */ (message);
  const routes = new Map();
  fastify.addHook('onRoute', ({ method, url, config }) => {
    for (const name of [method].flat())
      if (name !== 'HEAD') routes.set(`${name} ${url}`, /** @type {{ class?: string } | undefined} */ (config)?.class);
  });
  fastify.addHook('onReady', async () => {
    process.stdout.write(`routes-probe ${JSON.stringify(Object.fromEntries(routes))}\n`);
  });
});
