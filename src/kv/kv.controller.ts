import { Body, Controller, Get, Inject, Optional, Post, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { AvatarKey } from '../domain/avatar-key.js';
import { allowCaching } from '../http/conditional-requests.js';
import { Refusals } from '../http/error-body.js';
import { Answers } from '../http/answers.js';
import type { Written } from '../http/stored-json.js';
import { cursorOf, FeedQueryDto } from '../http/validation/paging.js';
import { ServedAs } from '../http/server/served-as.js';
import { PATCH_ENTRIES } from '@signet/verify/log';
import { RECEIPTS, type Receipts } from '../ledger/receipts.js';
import { KvFeed } from './kv-feed.js';
import {
  KvChainResponseDto,
  KvChangesResponseDto,
  toKvChainResponse,
  toRecordedPatch,
} from './patches/kv-patches.dto.js';
import {
  KvByIdentityQueryDto,
  KvByIdentityResponseDto,
  KvChainQueryDto,
  KvPayloadRequestDto,
  KvPayloadResponseDto,
  KvQueryDto,
  KvResponseDto,
  KvSubmitRequestDto,
  KvSubmitResponseDto,
  toKvByIdentityResponse,
  toKvResponse,
} from './kv.dto.js';
import { KvQueries } from './kv.queries.js';
import { KvService } from './kv.service.js';

@ApiTags('Key-value')
@Controller('v1/kv')
export class KvController {
  constructor(
    private readonly kv: KvService,
    private readonly queries: KvQueries,
    private readonly feed: KvFeed,
    @Optional() @Inject(RECEIPTS) private readonly receipts?: Receipts,
  ) {}

  @Post('payload')
  @ServedAs('payloads')
  @Answers(KvPayloadResponseDto, 'Step 1: get the text to sign for a patch')
  async createKvPayload(@Body() body: KvPayloadRequestDto): Promise<KvPayloadResponseDto> {
    return this.kv.prepare(body, new Date());
  }

  @Post()
  @ServedAs('payloads', { submits: 'patch' })
  @ApiOperation({ operationId: 'submitKvPatch', summary: 'Step 2: submit the signed patch' })
  @ApiCreatedResponse({
    type: KvSubmitResponseDto,
    description: 'The patch is applied; the body is that of GET /v1/kv, with a receipt.',
  })
  async submit(@Body() body: KvSubmitRequestDto): Promise<KvSubmitResponseDto> {
    const { avatar, entries, patch, recordedAt } = await this.kv.submit(body, new Date());
    const receipt = await this.receipts?.forRecorded(PATCH_ENTRIES.name, toRecordedPatch(patch), recordedAt);
    return { ...toKvResponse(avatar, entries), ...(receipt !== undefined && { receipt }) };
  }

  @Get()
  @ServedAs('reads')
  @Answers(KvResponseDto, 'All content of an Avatar')
  @Refusals({ 404: 'This Avatar never wrote any key-value data.' })
  async getKv(@Query() query: KvQueryDto): Promise<KvResponseDto> {
    const avatar = AvatarKey.parse(query.avatar);
    return toKvResponse(avatar, await this.queries.getEntries(avatar));
  }

  @Get('chain')
  @ServedAs('reads')
  @Answers(KvChainResponseDto, 'All signed patches of an Avatar, page by page; replaying them gives its content')
  async listKvPatches(@Query() query: KvChainQueryDto): Promise<Written<KvChainResponseDto, 'kv_chain'>> {
    return toKvChainResponse(await this.feed.page(AvatarKey.parse(query.avatar), query.page));
  }

  @Get('changes')
  @ServedAs('reads')
  @Answers(KvChangesResponseDto, 'Feed of the patches of all Avatars')
  @Refusals({ 503: 'The index of this feed is built after an upgrade (`upgrade_under_way`).' })
  async listKvChanges(
    @Query() query: FeedQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Written<KvChangesResponseDto, 'patches'>> {
    const patches = await this.feed.changesAfter(cursorOf(query), query.count);
    // A numbered patch never changes.
    if (patches.length === query.count) allowCaching(reply);
    return { patches: patches.items };
  }

  @Get('by_identity')
  @ServedAs('reads')
  @Answers(KvByIdentityResponseDto, 'The content of every Avatar under one identity')
  async findKvByIdentity(@Query() query: KvByIdentityQueryDto): Promise<KvByIdentityResponseDto> {
    return toKvByIdentityResponse(await this.queries.findByIdentity(query.platform, query.identity, query.page));
  }
}
