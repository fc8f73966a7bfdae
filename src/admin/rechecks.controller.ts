import { Body, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { RecheckService } from '../rechecks/recheck.service.js';
import { AdminController } from './admin-controller.js';
import { RechecksDto, SweepRequestDto, SweepResponseDto, toRechecks } from './rechecks.dto.js';

@AdminController('revalidation')
export class RechecksController {
  constructor(private readonly rechecks: RecheckService) {}

  @Get()
  @ApiOperation({ operationId: 'getRechecks', summary: 'How far the rechecks have come' })
  @ApiOkResponse({ type: RechecksDto })
  async progress(): Promise<RechecksDto> {
    return toRechecks(await this.rechecks.progress());
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'recheckNow',
    summary: 'Recheck proofs now: by platform, identity or Avatar, or all that are invalid',
  })
  @ApiOkResponse({ type: SweepResponseDto })
  async sweep(@Body() body: SweepRequestDto): Promise<SweepResponseDto> {
    const { platform, identity, avatar, all_invalid: allInvalid } = body;
    return { due: await this.rechecks.sweep({ platform, identity, avatar, allInvalid }) };
  }
}
