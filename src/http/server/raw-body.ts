import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

const CONFIG = { hasRawBody: true };

/** Marks a route whose body is not JSON: it is handed over as the bytes that arrived. */
export const RawBody = () => RouteConfig(CONFIG);

/** Whether the route of the request is marked with `RawBody`. */
export function wantsRawBody({ routeOptions }: FastifyRequest): boolean {
  return (routeOptions.config as Partial<typeof CONFIG>).hasRawBody === true;
}
