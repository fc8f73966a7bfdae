import { EVENT_DESCRIPTIONS, streamEventSchema } from '../domain/domain-event-schemas.js';
import { DOMAIN_EVENT_NAMES } from '../domain/domain-events.js';

const STREAM = '/v1/events';

/**
 * The description of the event stream for programs: AsyncAPI 3.0
 * (https://www.asyncapi.com/docs/reference/specification). Webhooks stand in /openapi.json. There is no protocol
 * binding for Server-Sent Events, so the server is `https`, and
 * `x-media-type` names the type of the stream.
 */
export function describeEvents(): object {
  const messages = Object.fromEntries(DOMAIN_EVENT_NAMES.map((name) => [name, messageOf(name)]));
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Signet events',
      version: '1',
      description:
        'What happens on this server, in one gapless order: bindings, rechecks, key-value content, archived links. ' +
        'Resume behind any event by the header `Last-Event-ID` or the parameter `after`; filter by `avatar`, ' +
        '`platform` and `types`; `format=cloudevents` gives each event as a CloudEvent.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    channels: {
      events: {
        address: STREAM,
        title: 'The event stream',
        description: '`GET`, answered as Server-Sent Events: `id` is the position, `event` the type, `data` the JSON.',
        messages: Object.fromEntries(
          DOMAIN_EVENT_NAMES.map((name) => [name, { $ref: `#/components/messages/${name}` }]),
        ),
        'x-media-type': 'text/event-stream',
      },
    },
    operations: {
      sendEvents: {
        action: 'send',
        title: 'Tell readers what happened',
        channel: { $ref: '#/channels/events' },
        messages: DOMAIN_EVENT_NAMES.map((name) => ({ $ref: `#/channels/events/messages/${name}` })),
      },
    },
    components: { messages },
  };
}

function messageOf(name: (typeof DOMAIN_EVENT_NAMES)[number]): object {
  const payload = streamEventSchema(name);
  const example = Object.fromEntries(
    Object.entries(payload.properties ?? {}).map(([member, { example: value }]) => [member, value]),
  );
  return { name, title: name, summary: EVENT_DESCRIPTIONS[name].summary, payload, examples: [{ payload: example }] };
}
