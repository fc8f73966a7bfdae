import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { ROUTE_CLASSES, type RouteClass } from '../../bounds/bounds.js';

/** The class of a request, and the points with which it is counted before it is served. */
export interface Charge {
  name: RouteClass;
  points: number;
}

/** What a route says of itself, beside how it is called. */
export interface RouteTraits {
  class: RouteClass;
  /**
   * The charge of one request, where the query decides it before the body is read.
   * @param serviceName the platform value that stands for the key itself
   */
  chargeOf?: (query: unknown, serviceName: string) => Charge;
  /** What a request records that is accepted: the `item` of a kind of records. */
  submits?: string;
  /** Whether it makes this server ask a platform, or what its sender names: it is counted with submits that do. */
  asksPlatform?: boolean;
  /** Whether the body is no JSON, and is handed over as the bytes that arrived. */
  hasRawBody?: boolean;
}

/** For a route that is declared without a controller: `fastify.get(path, { config: servedAs('documents') }, …)`. */
export function servedAs(name: RouteClass, traits: Omit<RouteTraits, 'class'> = {}): RouteTraits {
  return { class: name, ...traits };
}

/** Says of which class the requests of a route are, and what else the server has to know of it. */
export const ServedAs = (name: RouteClass, traits: Omit<RouteTraits, 'class'> = {}) =>
  RouteConfig(servedAs(name, traits));

/** Gives all routes of a controller one class. */
export const AllServedAs =
  (name: RouteClass): ClassDecorator =>
  (controller) => {
    const prototype = controller.prototype as object;
    for (const [key, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (key !== 'constructor' && typeof descriptor.value === 'function') ServedAs(name)(prototype, key, descriptor);
    }
  };

type Asked = Pick<FastifyRequest, 'method' | 'query' | 'routeOptions'>;

/** What the route of a request says of itself; nothing where no route matches. */
export function traitsOf({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): Partial<RouteTraits> {
  return routeOptions.config as Partial<RouteTraits>;
}

/** The class of a request and its points. Where no route matches the method decides. */
export function chargeOf(request: Asked, serviceName: string): Charge {
  const { class: named, chargeOf: ofQuery } = traitsOf(request);
  if (ofQuery) return ofQuery(request.query, serviceName);
  const name = named ?? (['GET', 'HEAD'].includes(request.method) ? 'reads' : 'payloads');
  return { name, points: ROUTE_CLASSES[name].points ?? 1 };
}
