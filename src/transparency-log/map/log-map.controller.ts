import { Controller, Get, Query, Res } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiOkResponse,
  ApiOperation,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { AvatarKey } from '../../domain/avatar-key.js';
import { InvalidRequestError } from '../../domain/domain-errors.js';
import { ErrorBody } from '../../http/error-body.js';
import { PlatformService } from '../../platform/platform.service.js';
import { CHECKPOINT_CACHING } from '../tiles/log-files.js';
import { LogMap, type MapQuestion } from './log-map.js';
import { LogMapDto, LogMapQueryDto, toLogMap } from './log-map.dto.js';

@ApiTags('Log')
@Controller('v1/log/map')
export class LogMapController {
  constructor(
    private readonly map: LogMap,
    private readonly platforms: PlatformService,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'getLogMap',
    summary: 'How many links and patches an Avatar has, or which Avatars hold an identity, with proof',
    description:
      'With it a reader sees that nothing was left out of a chain, of the content of an Avatar or of an exact look-up; docs/completeness.md says how.',
  })
  @ApiOkResponse({ type: LogMapDto })
  @ApiBadRequestResponse({ type: ErrorBody })
  @ApiServiceUnavailableResponse({
    type: ErrorBody,
    description:
      'No tree head is signed yet (`log_catching_up`), the map of an older log is still computed (`map_catching_up`), or what is stored is not what was signed (`log_refused`).',
  })
  async read(@Query() query: LogMapQueryDto, @Res({ passthrough: true }) reply: FastifyReply): Promise<LogMapDto> {
    const answer = await this.map.answer(this.questionOf(query));
    void reply.header('Cache-Control', CHECKPOINT_CACHING);
    return toLogMap(answer);
  }

  /** @throws InvalidRequestError */
  private questionOf({ avatar, platform, identity }: LogMapQueryDto): MapQuestion {
    const key = avatar === undefined ? undefined : AvatarKey.parse(avatar).compressed;
    if (platform !== undefined && identity !== undefined) {
      const canonical = this.platforms.canonicalIdentity(this.platforms.get(platform), identity);
      return { platform, identity: canonical, ...(key !== undefined && { avatar: key }) };
    }
    if (key === undefined || platform !== undefined || identity !== undefined) {
      throw new InvalidRequestError('avatar is missing, or platform and identity.');
    }
    return { avatar: key };
  }
}
