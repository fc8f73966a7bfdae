import { Controller, Get, Headers, HttpException, HttpStatus, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OutgoingHttpHeaders } from 'node:http';
import { InvalidRequestError } from '@signet/look';
import { Environment } from '../config/environment.js';
import { AvatarKey } from '../domain/avatar-key.js';
import { parseEventName } from '../domain/domain-events.js';
import { clientNetwork } from '../http/server/client-address.js';
import { Refusals } from '../http/error-body.js';
import { ServedAs } from '../http/server/served-as.js';
import { PlatformService } from '../platform/platform.service.js';
import type { EventFilter } from '../events/event-log.js';
import { EventsQueryDto, POSITION_PATTERN, STREAM_EXAMPLE } from './event-stream.dto.js';
import { EventStreamService } from './event-stream.service.js';

/** Seconds after which a client that was refused for the number of streams may try again. */
const RETRY_SECONDS = 10;

/**
 * The event stream for applications and browsers: Server-Sent Events (WHATWG HTML, "Server-sent events";
 * docs/design/decisions.md 8).
 */
@ApiTags('Events')
@Controller('v1/events')
export class EventStreamController {
  constructor(
    private readonly streams: EventStreamService,
    private readonly platforms: PlatformService,
    private readonly environment: Environment,
  ) {}

  @Get()
  @ServedAs('streams')
  @ApiOperation({
    operationId: 'streamEvents',
    summary: 'Stream of what happens, with resume',
    description:
      'Server-Sent Events. `id` is the position in one gapless sequence of all events; `event` is the type. It starts with `ready`, and ' +
      '`heartbeat` follows now and then; both tell the position, past events that the filter left out too. After a break, connect again with the ' +
      'last id in `Last-Event-ID` (a browser does that by itself): nothing is missed and nothing comes twice.',
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'Id of the last event that was received; goes before `after`.',
    schema: { type: 'string', pattern: POSITION_PATTERN.source },
    example: '42',
  })
  @ApiOkResponse({
    description: 'The stream, which ends when either side closes it.',
    content: { 'text/event-stream': { schema: { type: 'string' }, example: STREAM_EXAMPLE } },
  })
  @Refusals({
    400: 'A filter that means nothing; or an id that never existed (`event_unknown`) or is no longer kept (`event_pruned`).',
    429: 'Too many open streams. Not after a reconnect: see `Last-Event-ID`.',
  })
  async open(
    @Query() query: EventsQueryDto,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const filter = this.filterOf(query);
    const after = resumedFrom(lastEventId, query);
    const client = clientNetwork(request.ip);
    const refusal = this.streams.refusalOf(client);
    if (refusal) {
      void reply.header('Retry-After', String(RETRY_SECONDS));
      throw new HttpException(refusal, HttpStatus.TOO_MANY_REQUESTS);
    }
    await this.streams.open({
      response: reply.raw,
      takeOver: () => reply.hijack().getHeaders() as OutgoingHttpHeaders,
      client,
      filter,
      format: query.format,
      after,
      isHeadOnly: request.method === 'HEAD',
    });
  }

  private filterOf({ avatar, platform, types }: EventsQueryDto): EventFilter {
    // Key-value content of the key itself is under the name of the deployment, which is not a platform.
    if (platform !== undefined && platform !== this.environment.SERVICE_NAME) this.platforms.get(platform);
    return {
      avatar: avatar === undefined ? undefined : AvatarKey.parse(avatar).compressed,
      platform,
      types: types?.split(',').map((word) => parseEventName(word.trim())),
    };
  }
}

/**
 * Where the stream goes on. A client connects again with the URL it started with, so the last id that it received is
 * newer than `after`; polyfills that cannot set the header across origins send that id as a parameter.
 */
function resumedFrom(header: string | undefined, query: EventsQueryDto): number | undefined {
  if (header) return positionOf(header, 'Last-Event-ID');
  const name = query.lastEventId === undefined ? 'Last-Event-ID' : 'lastEventId';
  return positionOf(query[name], name) ?? positionOf(query.after, 'after');
}

/** A number beyond all positions never existed, and is refused as such later. */
function positionOf(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  if (!POSITION_PATTERN.test(text)) {
    throw new InvalidRequestError(`${name} must be the id of an event, a whole number from 0 on.`);
  }
  return Number(text);
}
