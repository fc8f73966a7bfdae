import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Environment } from '../config/environment.js';
import { readBuildInfo } from './build-info.js';
import { HealthDto } from './platform.dto.js';
import { PlatformService } from './platform.service.js';

@ApiTags('Platforms')
@Controller()
export class PlatformController {
  private readonly build = readBuildInfo();

  constructor(
    private readonly platforms: PlatformService,
    private readonly environment: Environment,
  ) {}

  @Get('healthz')
  @ApiOperation({ summary: 'Health, build and supported platforms' })
  @ApiOkResponse({ type: HealthDto })
  health(): HealthDto {
    return {
      hello: 'proof service',
      built_at: String(this.build.builtAt),
      revision: this.build.revision,
      environment: this.environment.ENVIRONMENT,
      platforms: this.platforms.available(),
    };
  }
}
