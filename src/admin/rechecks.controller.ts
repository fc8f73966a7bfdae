import { Body, Get, Post } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Answers } from '../http/answers.js';
import { RechecksDto, SweepRequestDto } from '../rechecks/recheck.dto.js';
import { RecheckService } from '../rechecks/recheck.service.js';
import { AdminController } from './admin-controller.js';

class SweepResponseDto {
  @ApiProperty({ description: 'Proofs that are due because of this.', example: 12 })
  due: number;
}

@AdminController('revalidation')
export class RechecksController {
  constructor(private readonly rechecks: RecheckService) {}

  @Get()
  @Answers(RechecksDto, 'How far the rechecks have come')
  async getRechecks(): Promise<RechecksDto> {
    return this.rechecks.progress();
  }

  @Post()
  @Answers(SweepResponseDto, 'Recheck proofs now: by platform, identity or Avatar, or all that are invalid')
  async recheckNow(@Body() body: SweepRequestDto): Promise<SweepResponseDto> {
    return { due: await this.rechecks.sweep(body) };
  }
}
