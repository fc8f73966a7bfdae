import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { InvalidRequestError } from '@signet/look';
import { Environment } from '../config/environment.js';
import { AvatarKey } from '../domain/avatar-key.js';
import { Answers } from '../http/answers.js';
import { cursorOf, FeedQueryDto } from '../http/validation/paging.js';
import { ServedAs } from '../http/server/served-as.js';
import { PlatformService } from '../platform/platform.service.js';
import { ObserverIdentity } from './observer-identity.js';
import {
  SeenChangesDto,
  SeenKeysDto,
  SeenQueryDto,
  SeenResponseDto,
  toSeenKeys,
  toSeenResponse,
  toSeenStatement,
} from './observer.dto.js';
import { type SeenSearch, SeenStatements } from './seen-statements.js';

/** What was seen of bindings: by this server (LOOK_AT), and by others (OBSERVERS). */
@ApiTags('Observers')
@Controller('v1/proofs/seen')
export class ObserverController {
  constructor(
    private readonly platforms: PlatformService,
    private readonly statements: SeenStatements,
  ) {}

  @Get()
  @ServedAs('reads')
  @Answers(SeenResponseDto, 'What observers saw, by Avatar, account or link')
  async findStatements(@Query() query: SeenQueryDto): Promise<SeenResponseDto> {
    return toSeenResponse(await this.statements.find(this.searchOf(query), query.page));
  }

  @Get('changes')
  @ServedAs('reads')
  @Answers(SeenChangesDto, 'Feed of what this server saw')
  async listStatements(@Query() query: FeedQueryDto): Promise<SeenChangesDto> {
    const statements = await this.statements.changesAfter(cursorOf(query), query.count);
    return { statements: statements.map((one) => ({ id: one.feedId, ...toSeenStatement(one) })) };
  }

  /** @throws InvalidRequestError if not exactly one thing is asked for, or if it cannot be */
  private searchOf({ avatar, platform, identity, link }: SeenQueryDto): SeenSearch {
    const isAccount = platform !== undefined || identity !== undefined;
    if ([avatar !== undefined, isAccount, link !== undefined].filter(Boolean).length !== 1) {
      throw new InvalidRequestError('Say which: avatar, or platform and identity, or link.');
    }
    if (avatar !== undefined) return { avatar: AvatarKey.parse(avatar).compressed };
    if (link !== undefined) return { link };
    if (platform === undefined || identity === undefined) {
      throw new InvalidRequestError(`${platform === undefined ? 'platform' : 'identity'} is missing.`);
    }
    const found = this.platforms.findIdentity(this.platforms.get(platform), identity);
    return { account: { platform, identity: found ?? '' } };
  }
}

/** Whose statements there are. Also where there are none, so that the page can ask every server. */
@ApiTags('Observers')
@Controller('v1/proofs/seen')
export class SeenKeysController {
  constructor(
    private readonly environment: Environment,
    private readonly identity: ObserverIdentity,
  ) {}

  @Get('keys')
  @ServedAs('reads')
  @Answers(SeenKeysDto, 'The key of this server, and the observers that it shows')
  getSeenKeys(): SeenKeysDto {
    return toSeenKeys(this.identity.verifierKey, this.environment.LOOK_AT, this.identity.believed);
  }
}
