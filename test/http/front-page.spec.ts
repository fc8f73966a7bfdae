import { type RunningApp, startApp } from '../support/app.js';

describe('GET /', () => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({ env: { SERVICE_NAME: 'acme-id', PLATFORMS: 'ethereum,dns' } });
  });
  afterAll(() => app.close());

  it('is the page for a browser', async () => {
    const response = await fetch(`${app.baseUrl}/`, {
      headers: { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
    });

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('vary')).toContain('Accept');
    expect(await response.text()).toContain('<title>Signet</title>');
  });

  it.each(['application/json', '*/*', ''])('is JSON of the same for a program that accepts "%s"', async (accept) => {
    const { status, headers, body } = await app.get('/', { Accept: accept });

    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('application/json');
    expect(headers.get('vary')).toContain('Accept');
    expect(body).toMatchObject({ name: 'Signet', service_name: 'acme-id', environment: 'production' });
    expect([...body.platforms].sort()).toEqual(['dns', 'ethereum']);
    expect(body.links).toMatchObject({ api_page: '/docs', openapi: '/openapi.json' });
  });
});
