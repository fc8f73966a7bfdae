import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';

/**
 * An embedded engine of an earlier major version, on a socket. Its arguments are the folder in which its package is
 * installed, the folder of the cluster, and the path of the socket. In a process of its own, which ends with the one
 * that started it, because two engines of different versions in one process have never been tried by anybody.
 */
const [engineFolder, cluster, socketPath] = process.argv.slice(2) as [string, string, string];

/** The parts of an engine of any version that are used here. */
interface Engine {
  execProtocolRaw(message: Uint8Array): Promise<Uint8Array>;
  execProtocolRawStream?: (message: Uint8Array, options: { onRawData: (data: Uint8Array) => void }) => Promise<void>;
  isInTransaction?: () => boolean;
  close(): Promise<void>;
}

const resolve = createRequire(path.join(engineFolder, 'package.json')).resolve;
const load = (name: string): Promise<Record<string, unknown>> =>
  import(pathToFileURL(resolve(name)).href.replace(/\.cjs$/, '.js')) as Promise<Record<string, unknown>>;

const { PGlite } = (await load('@electric-sql/pglite')) as {
  PGlite: { create(options: object): Promise<Engine> };
};
const { pg_trgm } = await load('@electric-sql/pglite/contrib/pg_trgm');
const engine = await PGlite.create({ dataDir: cluster, extensions: { pg_trgm } });
// Before 0.4 an engine gives its answer in one piece.
engine.execProtocolRawStream ??= async (message, { onRawData }) => onRawData(await engine.execProtocolRaw(message));
engine.isInTransaction ??= () => false;

const server = new PGLiteSocketServer({ db: engine as never, path: socketPath, maxConnections: 2 });
await server.start();
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.once('message', () => {
  void server
    .stop()
    .then(() => engine.close())
    .then(() => process.exit(0));
});
process.send!('ready');
