import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';
import type { RouteClass } from '../../src/bounds/bounds.js';
import type { RouteTraits } from '../../src/http/server/served-as.js';

/** The routes of each application that starts meanwhile, such as `GET /v1/proof/exists`, with the classes they name. */
export interface WatchedRoutes {
  classes: Map<string, RouteClass | undefined>;
  end(): void;
}

/** Sees each route when it is declared. Wildcards match any path: preflights, and what no route serves. */
export function watchRoutes(): WatchedRoutes {
  const classes = new Map<string, RouteClass | undefined>();
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url, config }: RouteOptions) => {
      if (['*', '/*'].includes(url)) return;
      for (const name of [method].flat()) {
        const { class: named } = (config ?? {}) as Partial<RouteTraits>;
        if (name !== 'HEAD') classes.set(`${name} ${url}`, named);
      }
    });
  };
  subscribe('fastify.initialization', watch);
  return { classes, end: () => unsubscribe('fastify.initialization', watch) };
}
