import { ApiProperty } from '@nestjs/swagger';

const STATES = ['closed', 'open', 'half_open'] as const;

/** The circuit of one host of one platform, as an operator sees it. */
export class CircuitDto {
  @ApiProperty({
    description: '`<platform>@<host>`; webhooks have the platform `webhook`.',
    example: 'github@api.github.com',
  })
  key: string;

  @ApiProperty({
    description:
      '`closed`: the host is asked; `open`: it is left alone; `half_open`: one request is let through as a trial.',
    enum: STATES,
    enumName: 'CircuitState',
  })
  state: (typeof STATES)[number];

  @ApiProperty({ description: 'Failures since the last success.' })
  failures: number;

  @ApiProperty({
    description: 'UNIX seconds at which a request is let through as a trial; `""` unless open.',
    example: '',
  })
  open_until: string;
}
