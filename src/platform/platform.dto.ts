import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** One platform as GET /v1/platforms shows it. */
export class PlatformDto {
  @ApiProperty({ description: 'The platform value.', example: 'github' })
  platform: string;

  @ApiPropertyOptional({
    description: 'The name by which people know it. Servers of 0.1 do not answer it.',
    example: 'GitHub',
  })
  label?: string;

  @ApiProperty({
    description: 'Regular expression that canonical identities match.',
    example: '^[a-z0-9][a-z0-9_-]{0,100}$',
  })
  identity_pattern: string;

  @ApiProperty({ description: 'An identity of that form.', example: 'alice' })
  identity_example: string;

  @ApiProperty({ description: 'Whether POST /v1/proof needs a proof_location for a create.', example: true })
  needs_proof_location: boolean;

  @ApiProperty({
    description: 'Forms of proof_location that are accepted.',
    type: [String],
    example: ['https://gist.github.com/alice/0123456789abcdef0123456789abcdef'],
  })
  proof_location_forms: string[];

  @ApiProperty({ description: 'Whether a create can work on this server now.', example: true })
  is_available: boolean;

  @ApiProperty({ description: 'Why it cannot; empty when it can.', example: '' })
  unavailable_reason: string;

  @ApiProperty({
    description: 'What a person has to do, step by step.',
    type: [String],
    example: ['Ask for the payload.'],
  })
  steps: string[];

  @ApiPropertyOptional({
    description:
      'Whether accounts have names that can change hands, beside their identities: `findAccount` finds one by the ' +
      'other. Absent where they have none.',
    example: true,
  })
  has_account_names?: boolean;

  @ApiPropertyOptional({
    description:
      'Whether a page can be bound that names the key by `<link rel="me">` and holds no signature (`extra.rel` of ' +
      'POST /v1/proof). Absent where none can.',
    example: true,
  })
  takes_rel_me?: boolean;

  @ApiPropertyOptional({
    description:
      'Addresses that profiles have, the one to link first. A template, as `post_url` and `compose_url` are: ' +
      '`{identity}`, `{user}` and `{host}` (before and behind the last @ of the identity), `{location}` (the ' +
      'proof_location), `{text}` and `{avatar}` are replaced by percent-encoded values. Absent where none is known.',
    type: [String],
    example: ['https://github.com/{identity}'],
  })
  profile_urls?: string[];

  @ApiPropertyOptional({
    description: 'The page of the post behind a binding. Absent where the proof_location is its address, or none is.',
    example: 'https://gist.github.com/{identity}/{location}',
  })
  post_url?: string;

  @ApiPropertyOptional({
    description: 'The page on which a person publishes the text. Absent where there is none.',
    example: 'https://gist.github.com/',
  })
  compose_url?: string;

  @ApiPropertyOptional({
    description: 'The name that the file with the text must have. Absent where no file is published.',
    example: '{avatar}.json',
  })
  file_name?: string;
}

/** GET /v1/platforms, response. Ours, beyond the contract. */
export class PlatformsDto {
  @ApiProperty({
    description:
      'Name of this service: the `platform` under which a public key is looked up, and its own key-value entry is.',
    example: 'self',
  })
  service_name: string;

  @ApiProperty({ type: [PlatformDto], description: 'All platforms, those that this server cannot check now included.' })
  platforms: PlatformDto[];
}
