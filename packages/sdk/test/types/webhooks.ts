/** What webhooks say, and which servers take the handlers. Compiled, never run. */
import { createServer } from 'node:http';
import type { EventType, Hex } from '@signet/sdk';
import {
  type EventFact,
  expressHandler,
  fetchHandler,
  nodeHandler,
  Webhook,
  type WebhookFact,
} from '@signet/sdk/webhook';
import { expectTypeOf } from 'expect-type';
import express from 'express';

const webhook = new Webhook(process.env['WEBHOOK_SECRET']);

/** Each event that the stream has comes by webhook too. */
expectTypeOf<EventFact['type']>().toEqualTypeOf<EventType>();

/** `type` says what `data` has. */
export async function receive(request: Request): Promise<void> {
  const fact = await webhook.verify(request);
  expectTypeOf(fact).toEqualTypeOf<WebhookFact>();
  if (fact.type === 'proof.invalidated') expectTypeOf(fact.data.reason).toEqualTypeOf<string>();
  if (fact.type === 'proof.bound') expectTypeOf(fact.data.avatar).toEqualTypeOf<Hex>();
  if (fact.type === 'webhook.test') expectTypeOf(fact.data).toEqualTypeOf<{ subscription: string }>();
  // @ts-expect-error -- no such type
  if (fact.type === 'proof.revokd') throw new Error();
}

const POST = fetchHandler(webhook, (fact) => void expectTypeOf(fact).toEqualTypeOf<EventFact>());
expectTypeOf(POST).toEqualTypeOf<(request: Request) => Promise<Response>>();
createServer(nodeHandler(webhook, async () => {}));
express().post(
  '/hook',
  expressHandler(webhook, () => {}),
);
