import { personalDigest, webhookSecret, webhookSignature } from '@signet/verify';
import { fromPrivateKey } from '../../src/index.js';
import {
  type EventFact,
  expressHandler,
  fetchHandler,
  MemoryWebhookStore,
  nodeHandler,
  Webhook,
} from '../../src/webhook.js';

const { avatar } = fromPrivateKey('11'.repeat(32));
/** What a server of Signet sends, signed with this secret. */
const secret = webhookSecret(personalDigest('a secret'));
function delivered(): Request {
  const body = JSON.stringify({
    type: 'proof.revoked',
    timestamp: new Date().toISOString(),
    data: { avatar, platform: 'github', identity: 'alice', position: 7 },
  });
  const message = { id: 'msg_7', timestamp: Math.floor(Date.now() / 1000), body };
  const headers = {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': webhookSignature(message as never, [secret]),
  };
  return new Request('https://app.example/signet', { method: 'POST', headers, body });
}

describe('@signet/sdk/webhook', () => {
  it('Webhook', async () => {
    const request = delivered();
    const fact = await new Webhook(secret).verify(request);
    expect(fact.type).toBe('proof.revoked');
  });

  it('fetchHandler', async () => {
    const facts: EventFact[] = [];
    const POST = fetchHandler(new Webhook(secret), (fact) => void facts.push(fact));
    const response = await POST(delivered());
    expect(response.status).toBe(204);
  });

  it('nodeHandler', () => {
    const listener = nodeHandler(new Webhook(secret), (fact) => console.log(fact.type));
    // createServer(listener).listen(3000);
    expect(listener.length).toBe(2);
  });

  it('expressHandler', () => {
    const handler = expressHandler(new Webhook(secret), (fact) => console.log(fact.type));
    // app.post('/signet', handler);
    expect(handler.length).toBe(3);
  });

  it('MemoryWebhookStore', () => {
    const POST = fetchHandler(new Webhook(secret), () => {}, { store: new MemoryWebhookStore() });
    expect(POST.length).toBe(1);
  });
});
