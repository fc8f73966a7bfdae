import { MethodNotAllowedException } from '@nestjs/common';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import type { FastifyInstance } from 'fastify';

/**
 * How Fastify reads a path; a path is found here exactly if a request for it is. A part of a path holds the longest
 * identity (256 characters, of which some count as two) with its suffix, or a public key of any form: more than the 100
 * characters of the router's default.
 */
export const PATH_OPTIONS = { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 520 };

/** Any method would do: the router is used to find the pattern that matches a path. */
const ANY: HTTPMethod = 'GET';

/**
 * Answers which methods a path has (RFC 9110, 9.3.7 and 15.5.6). A request by another method is refused with 405,
 * `method_not_allowed` and the header `Allow`, which OPTIONS answers too. A path without a route stays 404. Has to be
 * called before the first route is declared.
 */
export function answerOtherMethods(fastify: FastifyInstance): void {
  const methodsOf = watchRoutes(fastify);
  // Other origins may read the answer by now, and the body has not been read yet.
  fastify.addHook('preParsing', (request, reply, _payload, done) => {
    const methods = request.is404 ? methodsOf(request.raw.url) : [];
    if (methods.length === 0) return done();
    void reply.header('Allow', methods.join(', '));
    const message = `This path has no ${request.method}; it has ${methods.join(', ')}.`;
    done(new MethodNotAllowedException(message));
  });
  fastify.addHook('onSend', (request, reply, payload: unknown, done) => {
    const methods = request.method === 'OPTIONS' ? methodsOf(request.raw.url) : [];
    if (methods.length > 0) void reply.header('Allow', methods.join(', '));
    done(null, payload);
  });
}

/** Keeps the methods of every route that is declared from now on, by the same matching as the server's own. */
function watchRoutes(fastify: FastifyInstance): (url: string | undefined) => string[] {
  const router = findMyWay(PATH_OPTIONS);
  const known = new Map<string, Set<string>>();
  fastify.addHook('onRoute', ({ url, method }) => {
    // Wildcard routes match any path: preflights, and the fallback for a page that does not exist.
    if (['*', '/*'].includes(url)) return;
    let methods = known.get(url);
    if (!methods) {
      methods = new Set(['OPTIONS']);
      known.set(url, methods);
      router.on(ANY, url, () => {}, methods);
    }
    for (const name of [method].flat()) methods.add(name);
  });
  return (url = '') => {
    const found = router.find(ANY, url.split('?', 1)[0]!);
    return found ? [...(found.store as Set<string>)].sort() : [];
  };
}
