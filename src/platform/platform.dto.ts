import { ApiProperty } from '@nestjs/swagger';

/** Contract, GET /healthz, current variant. */
export class HealthDto {
  @ApiProperty({ example: 'proof service' })
  hello: string;

  @ApiProperty({ description: 'When this build was made, UNIX seconds.', example: '1763700000' })
  built_at: string;

  @ApiProperty({
    description: 'Git commit of the build, or `unknown`.',
    example: '1f0c9d2e5b7a4c3d8e9f0a1b2c3d4e5f6a7b8c9d',
  })
  revision: string;

  @ApiProperty({ enum: ['staging', 'production'], example: 'production' })
  environment: string;

  @ApiProperty({
    description: 'Platforms on which a create can work on this server now.',
    type: [String],
    example: ['ethereum', 'solana'],
  })
  platforms: string[];
}
