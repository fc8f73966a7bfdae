import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { InvalidRequestError } from '@signet/look';
import { Environment } from '../config/environment.js';
import { AvatarKey } from '../domain/avatar-key.js';
import { Answers } from '../http/answers.js';
import { ServedAs } from '../http/server/served-as.js';
import { chargeOfResolve, ResolveDto, ResolveQueryDto } from './resolve.dto.js';
import { type Asked, ResolveService } from './resolve.service.js';

@ApiTags('Proofs')
@Controller('v1/resolve')
export class ResolveController {
  constructor(
    private readonly resolver: ResolveService,
    private readonly environment: Environment,
  ) {}

  @Get()
  @ServedAs('reads', { chargeOf: chargeOfResolve })
  @Answers(
    ResolveDto,
    'Who is behind a name or a key, with what a client checks it by, in one answer',
    'The answers to the requests that a client would make one after the other: bindings, chain, content, patches, and what proves them. Each is what the request itself would have got at that moment.',
  )
  async resolve(@Query() query: ResolveQueryDto): Promise<ResolveDto> {
    const answers = await this.resolver.answers(askedIn(query), query.proved_by ?? 'signatures');
    return { service_name: this.environment.SERVICE_NAME, answers };
  }
}

/** @throws InvalidRequestError */
function askedIn({ platform, identity, public_key: key }: ResolveQueryDto): Asked {
  if (key !== undefined && platform === undefined && identity === undefined) return { key: AvatarKey.parse(key) };
  if (platform === undefined || identity === undefined || key !== undefined) {
    throw new InvalidRequestError('platform and identity are needed, or public_key alone.');
  }
  if (identity.includes(',')) throw new InvalidRequestError('identity must be one name, without a comma.');
  return { platform, identity };
}
