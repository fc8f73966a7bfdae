import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { confirm, conversation, DemoFailure, explain } from './conversation.mjs';
import { freshKey } from './keys.mjs';
import { startOwnServer } from './own-server.mjs';
import { walletLife } from './wallet-life.mjs';

/** @import { AddressInfo } from 'node:net' */

/**
 * @typedef {{ headers: Record<string, string>, body: string }} Post
 * @typedef {{ id: string, event: string, data: any }} StreamEvent
 */

const LONGEST_WAIT_MS = 15_000;

/** A receiver of webhooks on loopback; `next` resolves with what comes. */
async function startReceiver() {
  /** @type {Post[]} */
  const received = [];
  /** @type {((post: Post) => void)[]} */
  const waiting = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const post = {
      headers: /** @type {Record<string, string>} */ (request.headers),
      body: Buffer.concat(chunks).toString(),
    };
    response.writeHead(204).end();
    const resolve = waiting.shift();
    if (resolve) resolve(post);
    else received.push(post);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${/** @type {AddressInfo} */ (server.address()).port}/hook`,
    next: () =>
      within(
        'webhook',
        received.length > 0 ? Promise.resolve(received.shift()) : new Promise((resolve) => waiting.push(resolve)),
      ),
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))),
  };
}

/** @template Value @param {string} what @param {Promise<Value>} promise */
function within(what, promise) {
  /** @type {NodeJS.Timeout} */
  let timer;
  /** @type {Promise<never>} */
  const late = new Promise((_, reject) => {
    timer = setTimeout(
      () => reject(new DemoFailure(`No ${what} came in ${LONGEST_WAIT_MS / 1000} seconds.`)),
      LONGEST_WAIT_MS,
    );
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/**
 * Reads an event stream as a browser's EventSource does: blocks of `id`, `event` and `data`.
 * @param {string} url
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<StreamEvent, any>}
 */
async function* eventsOf(url, signal) {
  const response = await fetch(url, { headers: { Accept: 'text/event-stream' }, signal });
  let rest = '';
  if (!response.body) throw new Error(`${url} answered ${response.status} without a stream.`);
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s, 2)));
      if (fields.data) yield { id: fields.id, event: fields.event, data: JSON.parse(fields.data) };
    }
  }
}

/** Subscribes a receiver, binds a wallet, and shows the same event as a signed webhook and on the stream. */
export async function eventsLife() {
  const token = randomBytes(24).toString('hex');
  const receiver = await startReceiver();
  const server = await startOwnServer({ ADMIN_TOKEN: token, WEBHOOK_ALLOW_PRIVATE: 'true' });
  const abort = new AbortController();
  try {
    const avatar = freshKey();
    explain(
      'Subscribe',
      'An operator tells the service where to post; the secret is shown this once. (This receiver is on loopback, so WEBHOOK_ALLOW_PRIVATE is set.)',
    );
    const operator = conversation(server.baseUrl, { Authorization: `Bearer ${token}` });
    const types = ['proof.bound', 'proof.revoked'];
    const { secret } = await operator('POST', '/admin/v1/subscriptions', {
      body: { url: receiver.url, types },
      expected: 201,
    });

    explain(
      'Open the stream',
      'What a browser does with new EventSource(`/v1/events?avatar=…`): no account, no token.',
    );
    const stream = eventsOf(`${server.baseUrl}/v1/events?avatar=${avatar.publicKey}&types=${types}`, abort.signal);
    const first = await within('first message of the stream', stream.next());
    console.log(`\n    ${JSON.stringify(first.value)}`);

    await walletLife(conversation(server.baseUrl), avatar, freshKey());

    for (const type of types) {
      explain(
        `Hear of ${type}`,
        'Signed after the Standard Webhooks specification; checked here by its reference library.',
      );
      const { headers, body } = await receiver.next();
      console.log(
        `\n    webhook-id: ${headers['webhook-id']}\n    webhook-timestamp: ${headers['webhook-timestamp']}\n    webhook-signature: ${headers['webhook-signature']}\n    ${body}`,
      );
      const told = /** @type {{ type: string, data: any }} */ (new Webhook(secret).verify(body, headers));
      confirm(
        told.type === type && told.data.avatar === avatar.publicKey,
        'the signature of the webhook verifies, and it is about our Avatar',
      );
      /** @type {StreamEvent} */
      let message;
      do message = (await within('event on the stream', stream.next())).value;
      while (message.event !== type);
      console.log(`\n    ${JSON.stringify(message)}`);
      confirm(message.data.position === told.data.position, 'the stream tells the same event, at the same position');
    }
  } finally {
    abort.abort();
    await server.close();
    await receiver.close();
  }
}
