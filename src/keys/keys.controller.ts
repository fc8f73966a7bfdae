import { Body, Controller, Get, Inject, Optional, Post, Query, Res } from '@nestjs/common';
import { ApiBadRequestResponse, ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { KEY_ENTRIES } from '@signet/verify/log';
import type { FastifyReply } from 'fastify';
import { AvatarKey } from '../domain/avatar-key.js';
import { PER_PAGE } from '../domain/page.js';
import { Answers } from '../http/answers.js';
import { allowCaching } from '../http/conditional-requests.js';
import { ErrorBody, Refusals } from '../http/error-body.js';
import type { Written } from '../http/stored-json.js';
import { ServedAs } from '../http/server/served-as.js';
import { cursorOf, FeedQueryDto, toPagination } from '../http/validation/paging.js';
import { RECEIPTS, type Receipts } from '../ledger/receipts.js';
import { KeyChain } from './key-chain.js';
import { chargeOfKeyEvent, chargeOfState } from './key-charge.js';
import {
  KeyChainQueryDto,
  KeyChainResponseDto,
  KeyChangesResponseDto,
  KeyPayloadRequestDto,
  KeyPayloadResponseDto,
  KeysQueryDto,
  KeySubmitRequestDto,
  KeySubmitResponseDto,
} from './answers/key-events.dto.js';
import { KeysResponseDto, toKeysResponse } from './answers/key-state.dto.js';
import { toSignedKeyEvent } from './key-rows.js';
import { KeysService } from './keys.service.js';

@ApiTags('Keys')
@ApiBadRequestResponse({ type: ErrorBody })
@Controller('v1/keys')
export class KeysController {
  constructor(
    private readonly keys: KeysService,
    private readonly chain: KeyChain,
    @Optional() @Inject(RECEIPTS) private readonly receipts?: Receipts,
  ) {}

  @Post('payload')
  @ServedAs('payloads')
  @Answers(KeyPayloadResponseDto, 'Step 1: get the text to sign for a key event')
  async createKeyPayload(@Body() body: KeyPayloadRequestDto): Promise<KeyPayloadResponseDto> {
    return this.keys.prepare(body, new Date());
  }

  @Post()
  @ServedAs('payloads', { submits: 'key', chargeOf: chargeOfKeyEvent })
  @ApiOperation({ operationId: 'submitKeyEvent', summary: 'Step 2: submit the signed key event' })
  @ApiCreatedResponse({ type: KeySubmitResponseDto, description: 'The event is recorded.' })
  @Refusals({ 503: 'The clocks of the server are not true (`clock_untrue`).' })
  async submit(@Body() body: KeySubmitRequestDto): Promise<KeySubmitResponseDto> {
    const event = await this.keys.submit(body, new Date());
    const key_event = toSignedKeyEvent(event);
    const receipt = await this.receipts?.forRecorded(KEY_ENTRIES.name, key_event, event.recordedAt);
    return { key_event, ...(receipt !== undefined && { receipt }) };
  }

  @Get()
  @ServedAs('reads', { chargeOf: chargeOfState })
  @Answers(KeysResponseDto, 'The state of the keys of an Avatar')
  async getKeys(@Query() query: KeysQueryDto): Promise<KeysResponseDto> {
    return toKeysResponse(await this.keys.stateOf(AvatarKey.parse(query.avatar)));
  }

  @Get('chain')
  @ServedAs('reads')
  @Answers(KeyChainResponseDto, 'All key events of an Avatar, page by page; its state is a function of them and a time')
  async listKeyEvents(
    @Query() query: KeyChainQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Written<KeyChainResponseDto, 'keys'>> {
    const page = await this.chain.page(AvatarKey.parse(query.avatar), query.page);
    if (page.current * PER_PAGE < page.total) allowCaching(reply);
    return { pagination: toPagination(page), keys: page.items };
  }

  @Get('changes')
  @ServedAs('reads')
  @Answers(KeyChangesResponseDto, 'Feed of the key events of all Avatars')
  async listKeyChanges(
    @Query() query: FeedQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Written<KeyChangesResponseDto, 'keys'>> {
    const events = await this.chain.changesAfter(cursorOf(query), query.count);
    // An event never changes.
    if (events.length === query.count) allowCaching(reply);
    return { keys: events.items };
  }
}
