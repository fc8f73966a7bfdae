import { startApp } from '../support/app.js';

it('RATE_BUDGETS may name the budget for servers that are looked at', async () => {
  const env = { LOOK_AT: 'http://127.0.0.1:1', RATE_BUDGETS: 'signet=1/1' };
  const server = await startApp({ env });
  try {
    expect((await server.get('/healthz')).status).toBe(200);
  } finally {
    await server.close();
  }
});
