import { isWebhookSecret } from '@signet/verify';
import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, webhookHeaders } from '../../src/webhooks/webhook-message.js';

describe('a webhook signature', () => {
  it('is the one of the example of the specification', () => {
    // Standard Webhooks, specification, "Signature scheme", and the README of its reference libraries: the same values.
    const headers = webhookHeaders(
      { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', sentAt: new Date(1_614_265_330_000), body: '{"test": 2432232314}' },
      ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    );

    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('is accepted by another implementation, with either of two secrets, and with no third', () => {
    const [current, previous, other] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
    const body = '{"type":"kv.patched","data":{"identity":"ünïcödé 🔑"}}';
    const headers = webhookHeaders({ id: 'a', sentAt: new Date(), body }, [current, previous]);

    for (const secret of [current, previous])
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(other).verify(body, headers)).toThrow('No matching signature');
    expect(() => new Webhook(current).verify(`${body} `, headers)).toThrow('No matching signature');
    expect(() => new Webhook(current).verify(body, { ...headers, 'webhook-id': 'b' })).toThrow('No matching signature');
  });
});

describe('a webhook secret', () => {
  const ofBytes = (count: number) => `whsec_${Buffer.alloc(count, 7).toString('base64')}`;

  it('is made of 32 bytes, another one each time', () => {
    const secrets = Array.from({ length: 20 }, newWebhookSecret);

    expect(new Set(secrets).size).toBe(20);
    for (const secret of secrets) expect(secret).toHaveLength(ofBytes(32).length);
    expect(secrets.every(isWebhookSecret)).toBe(true);
  });

  it('has 24 to 64 bytes', () => {
    expect([24, 32, 64].map((count) => isWebhookSecret(ofBytes(count)))).toEqual([true, true, true]);
    expect([0, 23, 65].map((count) => isWebhookSecret(ofBytes(count)))).toEqual([false, false, false]);
  });

  it.each(['', 'secret', Buffer.alloc(32).toString('base64'), `${ofBytes(32)} `, 'whsec_***', 'whsk_AAAA'])(
    'is not %p',
    (text) => {
      expect(isWebhookSecret(text)).toBe(false);
    },
  );
});
