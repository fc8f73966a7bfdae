import { DOMAIN_EVENT_NAMES } from '../domain/domain-events.js';
import described from './asyncapi.json' with { type: 'json' };
import { EVENTS, streamEventSchema } from './openapi-events.js';

/**
 * The description of the event stream for programs: AsyncAPI 3.0
 * (https://www.asyncapi.com/docs/reference/specification). Webhooks stand in /openapi.json. There is no protocol
 * binding for Server-Sent Events, so the server is `https`, and `x-media-type` names the type of the stream.
 */
export function describeEvents(): object {
  const { channel, operation, ...document } = described;
  const byName = DOMAIN_EVENT_NAMES.map((name) => [name, { $ref: `#/components/messages/${name}` }]);
  const inChannel = DOMAIN_EVENT_NAMES.map((name) => ({ $ref: `#/channels/events/messages/${name}` }));
  return {
    ...document,
    channels: { events: { ...channel, messages: Object.fromEntries(byName) as object } },
    operations: { sendEvents: { ...operation, messages: inChannel } },
    components: { messages: Object.fromEntries(DOMAIN_EVENT_NAMES.map((name) => [name, messageOf(name)])) },
  };
}

function messageOf(name: (typeof DOMAIN_EVENT_NAMES)[number]): object {
  const payload = streamEventSchema(name);
  const examples = Object.entries(payload.properties).map(([member, { example }]) => [member, example]);
  return {
    name,
    title: name,
    summary: EVENTS[name].summary,
    payload,
    examples: [{ payload: Object.fromEntries(examples) as object }],
  };
}
