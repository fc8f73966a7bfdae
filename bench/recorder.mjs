/**
 * Records the statements that the service runs for a request: the built application in a process of its own, with hooks
 * in `pg`. So the limits and the check of the plans always use the current SQL of the service.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { built } from '../scripts/built.mjs';

/** @import { BenchRequest, RecordedStatement } from './types.d.ts' */

/** @type {AsyncLocalStorage<RecordedStatement[]>} */
const recording = new AsyncLocalStorage();
/** @type {(...given: any[]) => any} */
const plainQuery = pg.Client.prototype.query;

/** @this {pg.Client} @param {any} config @param {any} values @param {any} callback */
function query(config, values, callback) {
  const { name, text = config, values: given = Array.isArray(values) ? values : [] } = config;
  // The relay that announces events is woken by a submit and belongs to no request.
  if (typeof text === 'string') recording.getStore()?.push({ name, text, values: given.map(encode) });
  return plainQuery.call(this, config, values, callback);
}
Object.assign(pg.Client.prototype, { query });

/**
 * Times survive the way between processes as `{ date }`.
 * @param {unknown} value
 */
function encode(value) {
  return value instanceof Date ? { date: value.getTime() } : value;
}

const { loadEnvironment } = await built('config/environment.js');
const { openDatabase } = await built('database/database.js');
const { createApplication } = await built('application.js');
const environment = loadEnvironment(process.env);
const app = await createApplication(environment, await openDatabase(environment));
const fastify = app.getHttpAdapter().getInstance();
await fastify.ready();

/** @param {BenchRequest} request */
async function record({ method, path, body }) {
  /** @type {RecordedStatement[]} */
  const statements = [];
  const answer = await recording.run(
    statements,
    async () =>
      // The request starts when it is awaited, which has to be in here.
      await fastify.inject({
        method,
        url: path,
        ...(body !== undefined && { payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      }),
  );
  return { status: answer.statusCode, bytes: answer.rawPayload.length, statements: [...statements] };
}

process.on('message', async (requests) => {
  const records = [];
  for (const request of /** @type {BenchRequest[]} */ (requests)) records.push(await record(request));
  process.send?.(records);
});
process.on('SIGTERM', () => process.exit(0));
process.send?.('ready');
