import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';

/** GET /v1/platforms/:platform/account, query. Ours, beyond the contract. */
export class AccountQueryDto {
  @ApiProperty({
    description: 'The name as people write it, or the identity whose name is asked for.',
    example: 'alice.bsky.social',
  })
  @MaxLength(256, { message: 'name must have at most 256 characters' })
  @IsString({ message: 'name must be text' })
  name: string;
}

/** GET /v1/platforms/:platform/account, response. */
export class AccountDto {
  @ApiProperty({ description: 'The platform value.', example: 'bluesky' })
  platform: string;

  @ApiProperty({
    description: 'Canonical identity of the account, which stays.',
    example: 'did:plc:ewvi7nxzyoun6zhxrhs64oiz',
  })
  identity: string;

  @ApiProperty({
    description:
      'The name on which both sides agreed; empty where the account has none that leads back to it. On nostr it is what the domain of the name says.',
    example: 'alice.bsky.social',
  })
  name: string;

  @ApiProperty({
    description: 'When this server looked, UNIX seconds. It asks again after some minutes.',
    example: '1763700000',
  })
  checked_at: string;
}
