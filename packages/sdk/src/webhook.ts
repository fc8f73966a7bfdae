/** Webhooks of a server of Signet: genuine ones as typed facts, and handlers for fetch, Node and Express. */
export type { EventFact, TestFact, WebhookFact } from './webhook/facts.js';
export { expressHandler, fetchHandler, nodeHandler } from './webhook/handlers.js';
export type { ErrorHandler, NextFunction, NodeRequest, NodeResponse } from './webhook/handlers.js';
export type { FactHandler, HandlerOptions } from './webhook/in-order.js';
export type { HandledPosition, WebhookStore } from './webhook/webhook-store.js';
export { MemoryWebhookStore } from './webhook/webhook-store.js';
export type { WebhookOptions, WebhookRequest } from './webhook/webhook.js';
export { Webhook } from './webhook/webhook.js';
