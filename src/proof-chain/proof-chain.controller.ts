import { Controller, Get, Query } from '@nestjs/common';
import { ApiBadRequestResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AvatarKey } from '../domain/avatar-key.js';
import { InvalidRequestError } from '../domain/domain-errors.js';
import { ErrorBody } from '../http/error-body.js';
import {
  ChangesQueryDto,
  ChangesResponseDto,
  ProofChainQueryDto,
  ProofChainResponseDto,
  toFeedLink,
  toProofChainResponse,
} from './proof-chain.dto.js';
import { ProofChainService } from './proof-chain.service.js';

@ApiTags('ProofChain')
@Controller('v1/proofchain')
export class ProofChainController {
  constructor(private readonly chain: ProofChainService) {}

  @Get()
  @ApiOperation({ summary: 'The whole chain of an Avatar, page by page' })
  @ApiOkResponse({ type: ProofChainResponseDto })
  @ApiBadRequestResponse({ type: ErrorBody })
  async page(@Query() query: ProofChainQueryDto): Promise<ProofChainResponseDto> {
    const key = query.public_key ?? query.avatar;
    if (key === undefined) throw new InvalidRequestError('public_key is missing.');
    return toProofChainResponse(await this.chain.page(AvatarKey.parse(key), query.page));
  }

  @Get('changes')
  @ApiOperation({ summary: 'Feed of the links of all Avatars' })
  @ApiOkResponse({ type: ChangesResponseDto })
  @ApiBadRequestResponse({ type: ErrorBody })
  async changes(@Query() query: ChangesQueryDto): Promise<ChangesResponseDto> {
    const lastId = query.last_id ?? query.id;
    if (lastId === undefined) throw new InvalidRequestError('last_id is missing; 0 starts a new iteration.');
    const links = await this.chain.changesAfter(lastId, query.count);
    return { links: links.map(toFeedLink) };
  }
}
