import { InvalidEnvironmentError, loadEnvironment } from '../../src/config/environment.js';
import { ADMIN_TOKEN, adminOf } from '../support/admin.js';
import { type Answer, type RunningApp, startApp } from '../support/app.js';
import { expectRefusal } from '../support/refusals.js';
import { watchRoutes } from '../support/watched-routes.js';

let open: RunningApp;
let closed: RunningApp;
/** Method and path of each admin route that is declared where there is an admin token. */
let routes: [method: string, path: string][];
beforeAll(async () => {
  const { classes, end } = watchRoutes();
  open = await startApp({ env: { ADMIN_TOKEN } });
  end();
  closed = await startApp();
  routes = [...classes.keys()].flatMap((route): typeof routes => {
    const [, method, path] = /^(\w+) \/admin\/v1(\/.+)$/.exec(route) ?? [];
    return method && path ? [[method, path.replace(/:\w+/g, 'x')]] : [];
  });
});
afterAll(async () => {
  await open?.close();
  await closed?.close();
});

async function call(
  app: RunningApp,
  method: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${app.baseUrl}/admin/v1${path}`, { method, headers });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

describe('without an admin token', () => {
  it('there are no admin routes, whatever token is sent', async () => {
    const unknown = await call(closed, 'GET', '/no-such-route');
    expectRefusal(unknown, { status: 404, code: 'not_found', message: '' });

    for (const [method, path] of routes) {
      const answer = await call(closed, method, path, { Authorization: `Bearer ${ADMIN_TOKEN}` });
      expect({ path, status: answer.status, code: answer.body.code }).toEqual({ path, status: 404, code: 'not_found' });
    }
  });

  it('the API page does not speak of them', async () => {
    const { body } = await closed.get('/openapi.json');

    expect(Object.keys(body.paths).filter((path) => path.startsWith('/admin'))).toEqual([]);
    expect(JSON.stringify(body.tags)).not.toContain('Admin');
  });

  it.each(['x'.repeat(23), 'short'])('a token of fewer than 24 characters stops the start', (token) => {
    const load = () => loadEnvironment({ ADMIN_TOKEN: token });

    expect(load).toThrow(InvalidEnvironmentError);
    expect(load).toThrow('ADMIN_TOKEN must be at least 24 characters');
    expect(load).not.toThrow(token);
  });
});

describe('with an admin token', () => {
  it('every admin route gives a missing and a wrong token the same 401', async () => {
    const message = 'This needs the admin token, as Authorization: Bearer <token>.';
    const wrong = [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      `Bearer ${ADMIN_TOKEN}x`,
      `Bearer ${ADMIN_TOKEN.slice(1)}`,
      `Basic ${ADMIN_TOKEN}`,
      ADMIN_TOKEN,
      `Bearer ${ADMIN_TOKEN} ${ADMIN_TOKEN}`,
    ];

    for (const [method, path] of routes) {
      const { status, body } = await call(open, method, path);
      expect({ path, status, body }).toEqual({ path, status: 401, body: { message, code: 'unauthorized' } });
    }
    for (const authorization of wrong) {
      const answer = await call(open, 'GET', '/jobs', authorization === undefined ? {} : { authorization });
      expect({ authorization, status: answer.status, body: answer.body }).toEqual({
        authorization,
        status: 401,
        body: { message, code: 'unauthorized' },
      });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('the right one is accepted, and the scheme ignores letter case', async () => {
    expect((await adminOf(open).get('/jobs')).status).toBe(200);
    expect((await call(open, 'GET', '/jobs', { authorization: `bearer ${ADMIN_TOKEN}` })).status).toBe(200);
  });

  it('an unknown admin route is 404', async () => {
    expectRefusal(await adminOf(open).get('/no-such-route'), { status: 404, code: 'not_found', message: '' });
  });

  it('the API page describes the admin routes under their own tag, behind a bearer token', async () => {
    const { body } = await open.get('/openapi.json');

    const operations = Object.entries(body.paths as Record<string, Record<string, Record<string, unknown>>>)
      .filter(([path]) => path.startsWith('/admin/v1/'))
      .flatMap(([, methods]) => Object.values(methods));
    expect(operations.length).toBeGreaterThan(25);
    expect(operations).toHaveLength(routes.length);
    for (const { tags, security, responses, summary } of operations) {
      expect(summary).toEqual(expect.stringMatching(/\w+/));
      expect(tags).toEqual(['Admin']);
      expect(security).toEqual([{ bearer: [] }]);
      expect(Object.keys(responses as object)).toEqual(expect.arrayContaining(['401', '429']));
    }
    expect(body.components.securitySchemes.bearer).toMatchObject({ type: 'http', scheme: 'bearer' });
    expect(body.tags.map(({ name }: { name: string }) => name)).toContain('Admin');
  });
});

describe('somebody who tries tokens', () => {
  it('is counted for the network of a client, whichever address and port of it a proxy names', async () => {
    const app = await startApp({ env: { ADMIN_TOKEN, RATE_LIMIT: 'on', TRUST_PROXY: '1' } });
    const guess = async (address: string) =>
      (await call(app, 'GET', '/jobs', { Authorization: 'Bearer guess', 'X-Forwarded-For': address })).status;
    try {
      const guesses: number[] = [];
      for (let index = 1; index <= 5; index += 1) {
        guesses.push(await guess(`2001:db8:1:2::${index}`), await guess(`[2001:db8:1:2::${index}]:5000${index}`));
      }

      expect(guesses).toEqual(Array(10).fill(401));
      expect(await guess('2001:db8:1:2:ffff::1')).toBe(429);
      expect(await guess('2001:db8:1:3::1')).toBe(401);
    } finally {
      await app.close();
    }
  });

  it('is made to wait after ten wrong ones, whatever comes next', async () => {
    const app = await startApp({ env: { ADMIN_TOKEN, RATE_LIMIT: 'on' } });
    try {
      const paths = ['/jobs', '/subscriptions', '/deliveries', '/parked-events', '/circuits'];
      const guesses = await Promise.all(
        [...paths, ...paths].map(async (path, index) => (await adminOf(app, `guess ${index}`).get(path)).status),
      );
      expect(guesses).toEqual(Array(10).fill(401));

      for (const token of ['guess 11', ADMIN_TOKEN]) {
        const answer = await adminOf(app, token).get('/jobs');
        expectRefusal(answer, { status: 429, code: 'too_many_requests', message: 'wrong admin token' });
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
      }
      expect((await app.get('/healthz')).status).toBe(200);
    } finally {
      await app.close();
    }
  });

  it('does not disturb who has the right one', async () => {
    const app = await startApp({ env: { ADMIN_TOKEN, RATE_LIMIT: 'on' } });
    try {
      for (let call = 0; call < 30; call += 1) expect((await adminOf(app).get('/jobs')).status).toBe(200);
    } finally {
      await app.close();
    }
  });
});
