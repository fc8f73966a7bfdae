import { ROUTE_CLASSES, type RouteClass } from '../../src/bounds/bounds.js';
import { ADMIN_TOKEN } from '../support/admin.js';
import { type RunningApp, startApp } from '../support/app.js';
import { watchRoutes } from '../support/watched-routes.js';
import { TestLog } from '../witness/test-log.js';

/** The routes that are no `GET` for `reads`, no other method for `payloads` and none below `/admin/`. */
const OTHERS: Record<string, RouteClass> = {
  'GET /healthz': 'probes',
  'GET /livez': 'probes',
  'GET /readyz': 'probes',
  'GET /metrics': 'metrics',
  'GET /v1/events': 'streams',
  'GET /v1/proof': 'searches',
  'GET /v1/push': 'documents',
  'GET /seal/:file': 'pictures',
  'GET /picture/:key': 'pictures',
  'GET /embed.js': 'files',
  'GET /example.json': 'files',
  'GET /favicon.svg': 'files',
  'GET /platform-icons.svg': 'files',
  'GET /further-platform-icons.svg': 'files',
  'GET /icon-192.png': 'files',
  'GET /icon-512.png': 'files',
  'GET /manifest.webmanifest': 'files',
  'GET /worker.js': 'files',
  'GET /': 'documents',
  'GET /@*': 'documents',
  'GET /lost': 'documents',
  'GET /lost/*': 'documents',
  'GET /recovery/*': 'documents',
  'GET /a/*': 'documents',
  'GET /p/*': 'documents',
  'GET /bind': 'documents',
  'GET /bind/*': 'documents',
  'GET /revoke/*': 'documents',
  'GET /kv': 'documents',
  'GET /kv/*': 'documents',
  'GET /verify': 'documents',
  'GET /transparency': 'documents',
  'GET /example': 'documents',
  'GET /console': 'documents',
  'GET /look-frame': 'documents',
  'GET /actor': 'documents',
  'GET /.well-known/webfinger': 'documents',
  'GET /embed/:platform/:identity': 'documents',
  'GET /openapi.json': 'documents',
  'GET /asyncapi.json': 'documents',
  'GET /docs': 'documents',
  'GET /docs/start.js': 'documents',
  'GET /docs/swagger-ui.css': 'documents',
  'GET /docs/swagger-ui-bundle.js': 'documents',
  'GET /docs/favicon-32x32.png': 'documents',
};

const watched = new TestLog('watched.example/log', 5, ['one', 'two']);
const { classes, end } = watchRoutes();
let running: RunningApp;

beforeAll(async () => {
  running = await startApp({
    env: {
      ADMIN_TOKEN,
      DIALECT: 'nextid',
      WITNESS: 'on',
      WITNESS_LOGS: `log ${watched.verifierKey}`,
      LOOK_AT: 'http://127.0.0.1:9',
      REVALIDATION: 'off',
    },
  });
});
afterAll(async () => {
  end();
  await running.close();
});

describe('the class of a route', () => {
  it('is named by each route of the application', () => {
    const unnamed = [...classes].filter(([, named]) => named === undefined || !(named in ROUTE_CLASSES));

    expect(classes.size).toBeGreaterThan(90);
    expect(unnamed).toEqual([]);
  });

  it('is that of what a request costs', () => {
    const usual = ([route]: [string, unknown]): RouteClass => {
      if (/^\w+ \/admin\//.test(route)) return 'admin';
      if (route.startsWith('GET /assets/')) return 'files';
      return route.startsWith('GET ') ? 'reads' : 'payloads';
    };

    expect(Object.keys(OTHERS).filter((route) => !classes.has(route))).toEqual([]);
    expect(Object.fromEntries([...classes].filter(([route]) => !(route in OTHERS)))).toEqual(
      Object.fromEntries([...classes].filter(([route]) => !(route in OTHERS)).map((route) => [route[0], usual(route)])),
    );
    expect(Object.fromEntries([...classes].filter(([route]) => route in OTHERS))).toEqual(OTHERS);
  });
});
