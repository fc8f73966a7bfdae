import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Environment } from '../config/environment.js';
import { Answers } from '../http/answers.js';
import { ServedAs } from '../http/server/served-as.js';
import type { PlatformGuide, PlatformVerifier } from '@signet/look';
import { type PlatformDto, PlatformsDto } from './platform.dto.js';
import { PlatformService } from './platform.service.js';

@ApiTags('Platforms')
@Controller('v1/platforms')
export class PlatformController {
  constructor(
    private readonly platforms: PlatformService,
    private readonly environment: Environment,
  ) {}

  @Get()
  @ServedAs('reads')
  @Answers(PlatformsDto, 'What each platform needs, and whether this server can check it now')
  listPlatforms(): PlatformsDto {
    return {
      service_name: this.environment.SERVICE_NAME,
      platforms: this.platforms.all().map((verifier) => this.describe(verifier)),
    };
  }

  private describe(verifier: PlatformVerifier): PlatformDto {
    const { platform, publishes, guide } = verifier;
    const reason = this.platforms.configurationProblem(verifier) ?? this.platforms.unavailableReason(verifier);
    return {
      platform,
      label: guide.label,
      identity_pattern: guide.identityPattern,
      identity_example: guide.identityExample,
      needs_proof_location: publishes === 'post',
      proof_location_forms: guide.locationForms,
      is_available: reason === null,
      unavailable_reason: reason ?? '',
      steps: guide.steps,
      ...(verifier.findAccount && { has_account_names: true }),
      ...(verifier.takesRelMe && { takes_rel_me: true }),
      ...addressesOf(guide),
    };
  }
}

/** Members that a guide does not have are absent in the answer too. */
function addressesOf({ profileUrls, postUrl, composeUrl, fileName }: PlatformGuide): Partial<PlatformDto> {
  return {
    ...(profileUrls && { profile_urls: profileUrls }),
    ...(postUrl !== undefined && { post_url: postUrl }),
    ...(composeUrl !== undefined && { compose_url: composeUrl }),
    ...(fileName !== undefined && { file_name: fileName }),
  };
}
