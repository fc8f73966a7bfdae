import Fastify from 'fastify';
import { loadEnvironment } from '../../src/config/environment.js';
import { clientNetwork, trustedProxies } from '../../src/http/server/client-address.js';

describe('the client that limits are counted for', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['192.0.2.1:50123', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['::1', '::/64'],
    ['[2001:db8:1:2::1]:50123', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
    ['[::ffff:192.0.2.1]:443', '192.0.2.1'],
    ['[fe80::1%eth0]:443', 'fe80::/64'],
  ])('of %s is %s', (address, client) => {
    expect(clientNetwork(address)).toBe(client);
  });

  it.each([
    undefined,
    '',
    'unknown',
    '_hidden',
    '192.0.2',
    '0x7f.1',
    '1.2.3.4.5',
    '[]:1',
    '[::1',
    '[::1]x',
    '[1.2.3.4.5]',
    'a'.repeat(10_000),
  ])('is one for all who have no address: %.20s', (address) => {
    expect(clientNetwork(address)).toBe('unknown');
  });
});

describe('TRUST_PROXY', () => {
  it.each(['off', '1', '10', '10.0.0.1', '10.0.0.0/8', 'fd00::/8', '::1, 127.0.0.0/8,2001:db8::1'])(
    'may be %s',
    (value) => {
      expect(loadEnvironment({ TRUST_PROXY: value }).TRUST_PROXY).toBe(value);
    },
  );

  it.each([
    'on',
    'true',
    '0',
    '11',
    '-1',
    '10.0.0.0/33',
    '10.0.0.0/',
    'fd00::/129',
    '10.0.0/8',
    'proxy.example',
    '1,2',
    '10.0.0.1,',
  ])('may not be %s', (value) => {
    expect(() => loadEnvironment({ TRUST_PROXY: value })).toThrow('TRUST_PROXY must be off, a number from 1 to 10');
  });

  it.each([
    ['off', '127.0.0.1'],
    ['1', '192.0.2.2'],
    ['2', '192.0.2.1'],
    ['127.0.0.0/8', '192.0.2.2'],
    ['127.0.0.1, 192.0.2.0/24', '203.0.113.9'],
    ['10.0.0.0/8', '127.0.0.1'],
  ])('of %s makes %s the client', async (setting, client) => {
    const fastify = Fastify({ trustProxy: trustedProxies(setting) });
    fastify.get('/', ({ ip }) => [ip]);
    const baseUrl = await fastify.listen({ port: 0, host: '127.0.0.1' });

    const headers = { 'X-Forwarded-For': '203.0.113.9, 192.0.2.1, 192.0.2.2' };
    const answer = await fetch(baseUrl, { headers });

    expect(await answer.json()).toEqual([client]);
    await fastify.close();
  });
});
