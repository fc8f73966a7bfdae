import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiBadRequestResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { InvalidRequestError } from '@signet/look';
import { AvatarKey } from '../domain/avatar-key.js';
import { PER_PAGE } from '../domain/page.js';
import { allowCaching } from '../http/conditional-requests.js';
import { ErrorBody } from '../http/error-body.js';
import { Answers } from '../http/answers.js';
import { cursorOf, FeedQueryDto } from '../http/validation/paging.js';
import type { Written } from '../http/stored-json.js';
import { ServedAs } from '../http/server/served-as.js';
import {
  ChangesResponseDto,
  ProofChainQueryDto,
  ProofChainResponseDto,
  toProofChainResponse,
} from './proof-chain.dto.js';
import { ProofChainService } from './proof-chain.service.js';

@ApiTags('ProofChain')
@ApiBadRequestResponse({ type: ErrorBody })
@Controller('v1/proofchain')
export class ProofChainController {
  constructor(private readonly chain: ProofChainService) {}

  @Get()
  @ServedAs('reads')
  @Answers(ProofChainResponseDto, 'The whole chain of an Avatar, page by page')
  async getProofChain(
    @Query() query: ProofChainQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Written<ProofChainResponseDto, 'proof_chain'>> {
    const key = query.public_key ?? query.avatar;
    if (key === undefined) throw new InvalidRequestError('public_key is missing.');
    const page = await this.chain.page(AvatarKey.parse(key), query.page);
    // Below the head only `archive_id` and the total change, and `next` is right for any total.
    if (page.current * PER_PAGE < page.total) allowCaching(reply);
    return toProofChainResponse(page);
  }

  @Get('changes')
  @ServedAs('reads')
  @Answers(ChangesResponseDto, 'Feed of the links of all Avatars')
  async listChanges(
    @Query() query: FeedQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Written<ChangesResponseDto, 'links'>> {
    const links = await this.chain.changesAfter(cursorOf(query), query.count);
    if (links.length === query.count) allowCaching(reply);
    return { links: links.items };
  }
}
