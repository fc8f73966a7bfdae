import { Body, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { RevalidationService } from '../proof/revalidation.service.js';
import { AdminController } from './admin-controller.js';
import { RevalidationDto, SweepRequestDto, SweepResponseDto, toRevalidation } from './revalidation.dto.js';

@AdminController('revalidation')
export class RevalidationController {
  constructor(private readonly revalidation: RevalidationService) {}

  @Get()
  @ApiOperation({ summary: 'How far the rechecks have come' })
  @ApiOkResponse({ type: RevalidationDto })
  async progress(): Promise<RevalidationDto> {
    return toRevalidation(await this.revalidation.progress(new Date()));
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({ summary: 'Recheck proofs now: by platform, identity or Avatar, or all that are invalid' })
  @ApiOkResponse({ type: SweepResponseDto })
  async sweep(@Body() body: SweepRequestDto): Promise<SweepResponseDto> {
    const { platform, identity, avatar, all_invalid: allInvalid } = body;
    return { due: await this.revalidation.sweep({ platform, identity, avatar, allInvalid }, new Date()) };
  }
}
