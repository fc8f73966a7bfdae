/**
 * Links of OpenAPI between operations: which parameters of one operation stand in the request or the answer of another,
 * so that tools which make sequences of requests find records that exist.
 */

type Parameters = Record<string, string>;

const QUERY = (...names: string[]): Parameters =>
  Object.fromEntries(names.map((name) => [name, `$request.query.${name}`]));
const SENT = (...names: string[]): Parameters =>
  Object.fromEntries(names.map((name) => [name, `$request.body#/${name}`]));
const BINDING = ['platform', 'identity', 'public_key'];
const SUBSCRIPTION = { id: '$response.body#/id' };
const DELIVERY = { id: '$response.body#/deliveries/0/id' };
const DEAD_LETTER = { id: '$response.body#/dead_letters/0/id' };
const PARKED_EVENT = {
  handler: '$response.body#/parked_events/0/handler',
  position: '$response.body#/parked_events/0/position',
};

/** By operation and status of the answer: the operations that can follow, with the places of their parameters. */
const LINKS: Record<string, Record<string, Record<string, Parameters>>> = {
  submitProof: {
    '201': {
      getBinding: SENT(...BINDING),
      getProofChain: SENT('public_key'),
      getLogProof: SENT('uuid'),
      getLogReceipt: SENT('uuid'),
    },
  },
  findProofs: {
    '200': {
      getProofChain: { public_key: '$response.body#/ids/0/avatar' },
      getKv: { avatar: '$response.body#/ids/0/avatar' },
    },
  },
  getBinding: { '200': { getEvidence: QUERY(...BINDING), listChecks: QUERY(...BINDING) } },
  listChanges: {
    '200': {
      listChanges: { last_id: '$response.body#/links/0/id' },
      getProofChain: { public_key: '$response.body#/links/0/avatar' },
      getLogProof: { uuid: '$response.body#/links/0/uuid' },
    },
  },
  submitKvPatch: { '201': { getKv: SENT('avatar'), listKvPatches: SENT('avatar'), getLogReceipt: SENT('uuid') } },
  listKvChanges: {
    '200': {
      listKvChanges: { last_id: '$response.body#/patches/0/id' },
      listKvPatches: { avatar: '$response.body#/patches/0/avatar' },
    },
  },
  createSubscription: {
    '201': {
      getSubscription: SUBSCRIPTION,
      updateSubscription: SUBSCRIPTION,
      deleteSubscription: SUBSCRIPTION,
      rotateSubscriptionSecret: SUBSCRIPTION,
      testSubscription: SUBSCRIPTION,
      listSubscriptionDeliveries: SUBSCRIPTION,
    },
  },
  listDeliveries: { '200': { getDelivery: DELIVERY, replayDelivery: DELIVERY } },
  listDeadLetters: { '200': { replayDeadLetter: DEAD_LETTER, deleteDeadLetter: DEAD_LETTER } },
  listParkedEvents: { '200': { replayParkedEvent: PARKED_EVENT, deleteParkedEvent: PARKED_EVENT } },
};

/** Adds the links that begin at this operation to its answers. */
export function addLinks(operation: { operationId: string; responses: Record<string, object> }): void {
  for (const [status, following] of Object.entries(LINKS[operation.operationId] ?? {})) {
    const entries = Object.entries(following).map(([operationId, parameters]) => [
      operationId,
      { operationId, parameters },
    ]);
    Object.assign(operation.responses[status] ?? {}, { links: Object.fromEntries(entries) as object });
  }
}
