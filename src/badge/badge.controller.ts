import { Controller, Get, Header, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString } from 'class-validator';
import { InvalidRequestError } from '@signet/look';
import { AVATAR_KEY_FORM, AvatarKey } from '../domain/avatar-key.js';
import { HiddenItems } from '../hiding/hidden-items.js';
import { ServedAs } from '../http/server/served-as.js';
import { ProfileNames } from '../kv/profile-names.js';
import { MAX_IDENTITY_LENGTH } from '../platform/identity-text.js';
import { PlatformService } from '../platform/platform.service.js';
import { type ShownBinding, ShownBindings } from '../proof/look-up/shown-bindings.js';
import { badgeSvg, THEMES } from './badge-svg.js';

const SUFFIX = '.svg';
/** Longer than any platform value; the router accepts no longer ones. */
const MAX_PLATFORM_LENGTH = 100;

/** GET /badge/{platform}/{file}, path. Ours, beyond the contract. */
class BadgePathDto {
  @ApiProperty({ description: 'A platform value.', maxLength: MAX_PLATFORM_LENGTH, example: 'github' })
  @IsString()
  platform: string;

  @ApiProperty({
    description: 'The identity, percent-encoded, and `.svg`.',
    pattern: `^.{1,${MAX_IDENTITY_LENGTH}}\\.svg$`,
    example: 'alice.svg',
  })
  @IsString()
  file: string;
}

/** GET /badge/{platform}/{file}, query. */
class BadgeQueryDto {
  @ApiPropertyOptional({
    description: 'Avatar public key: shows its binding alone. Without it the newest valid binding is shown.',
    pattern: AVATAR_KEY_FORM,
    example: '0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3',
  })
  @IsOptional()
  @IsString()
  avatar?: string;

  @ApiPropertyOptional({
    description: 'Colours for a light or a dark ground; light when absent.',
    enum: ['light', 'dark'],
    enumName: 'BadgeTheme',
  })
  @IsOptional()
  @IsIn(['light', 'dark'])
  theme?: 'light' | 'dark';
}

/** Pictures of bindings for other sites. They show what this server claims; `<signet-proof>` checks by itself. */
@ApiTags('Proofs')
@Controller('badge')
export class BadgeController {
  constructor(
    private readonly bindings: ShownBindings,
    private readonly names: ProfileNames,
    private readonly platforms: PlatformService,
    private readonly hidden: HiddenItems,
  ) {}

  @Get(':platform/:file')
  @ServedAs('reads')
  @Header('Content-Type', 'image/svg+xml; charset=utf-8')
  // Image proxies keep pictures for long despite this header, so each shows its date.
  @Header('Cache-Control', 'public, max-age=300')
  @Header('Cross-Origin-Resource-Policy', 'cross-origin')
  @ApiOperation({ operationId: 'getBadge', summary: 'A picture that says in which state a binding is' })
  @ApiProduces('image/svg+xml')
  @ApiOkResponse({
    description:
      'Without a script, with its date, and in quotes the name that the key gives itself. A binding that does not exist has a badge too, which says so; one that was not rechecked for long is shown as such.',
    schema: { type: 'string', example: '<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="Signet: …"/>' },
  })
  async show(@Param() { platform, file }: BadgePathDto, @Query() query: BadgeQueryDto): Promise<string> {
    const verifier = this.platforms.get(platform);
    if (!file.endsWith(SUFFIX)) throw new InvalidRequestError('The address of a badge ends in .svg.');
    const text = file.slice(0, -SUFFIX.length);
    const identity = this.platforms.canonicalIdentity(verifier, text);
    const avatar = query.avatar === undefined ? null : AvatarKey.parse(query.avatar);
    const now = new Date();
    const found = await this.bindings.find(verifier, text, avatar, now);
    return badgeSvg(
      { platform, identity, ...(await this.factsOf(platform, found, now)) },
      THEMES[query.theme ?? 'light'],
    );
  }

  private async factsOf(platform: string, found: ShownBinding | null, now: Date) {
    if (!found) return { avatar: null, name: null, state: 'not_found' as const, hold: null, date: now };
    const hidden = this.hidden.ofBinding({ ...found, platform });
    if (hidden) return { avatar: null, name: null, state: 'hidden' as const, hold: null, date: hidden.hiddenAt };
    const isNamed = this.hidden.find({ kind: 'profile', avatar: found.avatar }) === null;
    const name = isNamed ? await this.names.of(found.avatar) : null;
    return { avatar: found.avatar, name, state: found.state, hold: found.hold, date: found.lastCheckedAt };
  }
}
