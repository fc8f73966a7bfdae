import { type RunningApp, startApp } from '../support/app.js';
import { rawGet, rawPost, sendRaw } from '../support/raw-http.js';
import { openSse } from '../support/sse-client.js';

const EXPECTED = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

describe('every answer tells a browser to do nothing with it', () => {
  let running: RunningApp;
  beforeAll(async () => {
    running = await startApp();
  });
  afterAll(() => running.close());

  it.each([
    ['a success', rawGet('/healthz')],
    ['an error', rawGet('/v1/proof')],
    ['a body that is too large', rawPost('/v1/proof', Buffer.alloc(2 * 1024 * 1024, ' '))],
    ['an unknown route', rawGet('/nowhere')],
    ['a path that cannot be decoded', rawGet('/%zz')],
    ['a request that is not HTTP', 'nonsense\r\n\r\n'],
    ['headers that are too long', rawGet('/healthz', [`X-Long: ${'a'.repeat(32_000)}`])],
    ['a preflight', rawGet('/v1/proof', ['Origin: https://a.example']).replace('GET', 'OPTIONS')],
    ['the numbers', rawGet('/metrics')],
    ['the description of the API', rawGet('/openapi.json')],
  ])('%s', async (_what, request) => {
    const { headers } = await sendRaw(running.baseUrl, request);

    expect(headers).toMatchObject(EXPECTED);
  });

  it('an answer that has not changed', async () => {
    const { status, headers } = await sendRaw(running.baseUrl, rawGet('/healthz', ['If-None-Match: *']));

    expect(status).toBe(304);
    expect(headers).toMatchObject(EXPECTED);
  });

  it('an event stream', async () => {
    const stream = await openSse(running.baseUrl);

    expect(stream.headers).toMatchObject(EXPECTED);
    stream.close();
  });

  it('but lets the API page run its own scripts, and nobody frame it', async () => {
    const { headers } = await sendRaw(running.baseUrl, rawGet('/docs'));

    const policy = headers['content-security-policy']!.split('; ');
    expect(policy).toEqual(expect.arrayContaining(["default-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]));
    expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' });
  });
});
