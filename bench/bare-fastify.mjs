/**
 * Limit (b): Fastify alone, which answers a body of `?bytes=` bytes. Runs as a process of its own.
 */
import Fastify from 'fastify';

/**
 * @import { FastifyRequest } from 'fastify'
 * @import { AddressInfo } from 'node:net'
 */

const bodies = new Map();

/** @param {number} bytes */
function bodyOf(bytes) {
  if (!bodies.has(bytes)) bodies.set(bytes, { text: 'x'.repeat(Math.max(0, bytes - '{"text":""}'.length)) });
  return bodies.get(bytes);
}

const files = new Map();

/**
 * An answer of bytes. Each file has its own bytes, so that they are not in a cache of the processor.
 * @param {{ file: string, bytes: string }} query
 */
function fileOf({ file, bytes }) {
  if (!files.has(file)) files.set(file, Buffer.alloc(Number(bytes), 'x'));
  return files.get(file);
}

const fastify = Fastify();
/** @param {FastifyRequest<{ Querystring: { bytes: string } }>} request */
const answer = async (request) => bodyOf(Number(request.query.bytes));
fastify.get('/', answer);
fastify.post('/', answer);
fastify.get('/bytes', async (request, reply) => {
  void reply.type('application/octet-stream');
  return fileOf(/** @type {{ file: string, bytes: string }} */ (request.query));
});
await fastify.listen({ port: 0, host: '127.0.0.1' });
process.send?.({ port: /** @type {AddressInfo} */ (fastify.server.address()).port });
process.on('SIGTERM', () => process.exit(0));
