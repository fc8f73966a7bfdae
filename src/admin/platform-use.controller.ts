import { Get } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Environment } from '../config/environment.js';
import { Answers } from '../http/answers.js';
import { PlatformUse } from '../outbound/platform-use.js';
import { AdminController } from './admin-controller.js';

class DayOfUseDto {
  @ApiProperty({ description: 'The day, in UTC.', example: '2026-11-26' })
  day: string;

  @ApiProperty({ description: 'The platform, or what else was asked.', example: 'twitter' })
  platform: string;

  @ApiProperty({ description: 'Requests of all servers.', example: 410 })
  requests: number;

  @ApiProperty({ description: 'Posts that were read and that the operator pays for.', example: 3200 })
  paid_reads: number;

  @ApiPropertyOptional({
    description: 'What these reads cost, in the currency of PLATFORM_PRICES; absent where it states no price.',
    example: 48,
  })
  cost?: number;
}

class PlatformUseDto {
  @ApiProperty({ type: [DayOfUseDto], description: 'The last month, newest first.' })
  days: DayOfUseDto[];
}

/** Rounds away what a sum of binary fractions has too much. */
const ROUND = 1e9;

@AdminController('platform-use')
export class PlatformUseController {
  private readonly prices: Map<string, number>;

  constructor(
    private readonly use: PlatformUse,
    { PLATFORM_PRICES }: Environment,
  ) {
    this.prices = new Map(
      PLATFORM_PRICES.map((entry) => entry.split('=')).map(([platform, price]) => [platform!, Number(price)]),
    );
  }

  @Get()
  @Answers(PlatformUseDto, 'Requests to platforms and what they cost, by day, as of a minute ago')
  async listPlatformUse(): Promise<PlatformUseDto> {
    const days = await this.use.days();
    return {
      days: days.map(({ day, platform, requests, paidReads }) => {
        const price = this.prices.get(platform);
        const cost = price === undefined ? {} : { cost: Math.round(price * paidReads * ROUND) / ROUND };
        return { day, platform, requests, paid_reads: paidReads, ...cost };
      }),
    };
  }
}
