import { type ChildProcess, fork } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPacked, type InstalledProject } from '../packages/installed.js';
import { startApp } from '../support/app.js';
import { anAvatar } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { type Gist, showGists } from '../rechecks/bound-gist.js';
import { until } from '../support/until.js';
import { startFaultProxy } from './fault-proxy.js';

const GIST = '0123456789abcdef0123456789abcdef';
const alice = anAvatar('alice');

/** One byte of each answer with signed links or patches. */
function lie(path: string, body: string): string {
  return path.startsWith('/v1/kv') ? body.replace('"Alice"', '"Alicf"') : body.replace('"identity":"', '"identity":"z');
}

describe('the packed SDK', () => {
  let project: InstalledProject;
  let database: TestDatabase;
  beforeAll(async () => {
    project = installPacked(['verify', 'sdk']);
    database = await createTestDatabase();
  });
  afterAll(async () => {
    project.remove();
    await database.drop();
  });

  it('binds, reads, patches, revokes, follows events through a restart, and catches a lying server', async () => {
    const gists = new Map<string, Gist>();
    const github = await startStandIn(showGists(gists));
    const env = { GITHUB_API_BASE: github.baseUrl, GITHUB_TOKEN: 'token', REVALIDATION: 'off' };
    const start = () => startApp({ databaseUrl: database.url, env });
    let app = await start();
    const proxy = await startFaultProxy(app.baseUrl);
    const liar = await startFaultProxy(app.baseUrl, undefined, lie);
    copyFileSync(fileURLToPath(new URL('journey.mjs', import.meta.url)), path.join(project.folder, 'journey.mjs'));
    const child = fork('journey.mjs', {
      cwd: project.folder,
      execArgv: [],
      env: {
        PATH: process.env.PATH,
        BASE_URL: proxy.baseUrl,
        LYING_URL: liar.baseUrl,
        AVATAR_KEY: Buffer.from(alice.privateKey).toString('hex'),
      },
    });
    try {
      const done = await journeyOf(child, {
        publish: (content) => {
          // Not at once: the first look of the server finds nothing.
          void until(() => github.requests.length > 0).then(() =>
            gists.set(GIST, { login: 'alice-demo', accountId: 7, avatar: alice, content }),
          );
        },
        restart: async () => {
          await app.close();
          proxy.cutAll();
          app = await start();
          proxy.target = liar.target = app.baseUrl;
        },
      });

      expect(done).toEqual({
        own: true,
        waits: [1000],
        location: GIST,
        group: expect.arrayContaining(['alice-demo']),
        many: [0, 1, 1, 1],
        isValid: true,
        account: '7',
        checks: true,
        content: { tags: [1] },
        isRead: true,
        patches: 2,
        after: null,
        actions: ['create solana', 'create github', 'delete github'],
        feed: 4,
        caught: { chain: 'caught', find: 'caught', feed: 'caught', kv: 'caught' },
        seen: [
          'proof.bound ethereum',
          'proof.bound solana',
          'proof.bound github',
          'kv.patched github',
          'kv.patched github',
          'proof.revoked github',
        ],
      });
    } finally {
      child.kill();
      await Promise.all([proxy.close(), liar.close(), github.close(), app.close()]);
    }
  });
});

interface Parent {
  publish(text: string): void;
  restart(): Promise<void>;
}

/** What the child says at its end. */
function journeyOf(child: ChildProcess, parent: Parent): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.on('exit', (code) => reject(new Error(`The journey ended with ${code}.`)));
    child.on('message', (message: { publish?: string; restart?: boolean; done?: unknown }) => {
      if (message.done) resolve(message.done);
      if (message.publish) parent.publish(message.publish);
      if (message.restart) parent.restart().then(() => child.send('go on'), reject);
    });
  });
}
