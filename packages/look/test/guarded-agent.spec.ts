import { createGuardedAgent } from '../src/node/guarded-agent.js';
import { DEFAULT_LIMITS } from '../src/node/web-transport.js';
import { jsonReply, startStandIn } from './support/stand-in-server.js';

// The guard of URLs refuses addresses of users before; this is the second line behind it.
it.each(['127.0.0.1', '[::1]', '10.1.2.3', '169.254.169.254'])(
  'connects to no private address that stands in place of a name a user chose: %s',
  async (host) => {
    const agent = createGuardedAgent('user', 1, {}, DEFAULT_LIMITS);

    const asked = agent.request({ origin: `https://${host}`, path: '/', method: 'GET' });

    await expect(asked).rejects.toThrow(`no connection to ${host.replace(/[[\]]/g, '')}`);
    await agent.close();
  },
);

it('connects to any address that the operator set', async () => {
  const standIn = await startStandIn(() => jsonReply(1));
  const agent = createGuardedAgent('operator', 1, {}, DEFAULT_LIMITS);

  const { statusCode, body } = await agent.request({ origin: standIn.baseUrl, path: '/', method: 'GET' });
  await body.dump();

  expect(statusCode).toBe(200);
  await agent.close();
  await standIn.close();
});
