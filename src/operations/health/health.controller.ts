import { Controller, Get, Inject, Optional } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { readBuildInfo } from '../../config/build-info.js';
import { Environment } from '../../config/environment.js';
import { Answers } from '../../http/answers.js';
import { ServedAs } from '../../http/server/served-as.js';
import { PlatformService } from '../../platform/platform.service.js';
import { LogHealthDto, toLogHealth } from '../../transparency-log/published/log-health.dto.js';
import { LogStatus } from '../../transparency-log/signing/heads/log-status.js';

/** Contract, GET /healthz, current variant. */
export class HealthDto {
  @ApiProperty({ description: 'Always `proof service`.', example: 'proof service' })
  hello: string;

  @ApiProperty({ description: 'When this build was made, UNIX seconds.', example: '1763700000' })
  built_at: string;

  @ApiProperty({
    description: 'Git commit of the build, or `unknown`.',
    example: '1f0c9d2e5b7a4c3d8e9f0a1b2c3d4e5f6a7b8c9d',
  })
  revision: string;

  @ApiProperty({
    description: 'The setting ENVIRONMENT.',
    enum: ['staging', 'production'],
    enumName: 'DeploymentEnvironment',
    example: 'production',
  })
  environment: string;

  @ApiProperty({
    description: 'Platforms on which a create can work on this server now.',
    type: [String],
    example: ['ethereum', 'solana'],
  })
  platforms: string[];

  @ApiPropertyOptional({ description: 'The transparency log of this server; absent with LOG=off.', type: LogHealthDto })
  log?: LogHealthDto;
}

/** The health check of the contract, for clients; supervisors and load balancers use the probes. */
@ApiTags('Platforms')
@Controller('healthz')
export class HealthController {
  private readonly build = readBuildInfo();

  constructor(
    private readonly platforms: PlatformService,
    private readonly environment: Environment,
    @Optional() @Inject(LogStatus) private readonly log: LogStatus | undefined,
  ) {}

  @Get()
  @ServedAs('probes')
  @Answers(HealthDto, 'Health, build and supported platforms')
  getHealth(): HealthDto {
    return {
      hello: 'proof service',
      built_at: String(this.build.builtAt),
      revision: this.build.revision,
      environment: this.environment.ENVIRONMENT,
      platforms: this.platforms.available(),
      ...(this.log && toLogHealth(this.log)),
    };
  }
}
