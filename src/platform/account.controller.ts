import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { NotFoundError } from '../domain/domain-errors.js';
import { Answers } from '../http/answers.js';
import { ServedAs } from '../http/server/served-as.js';
import { AccountFinder } from './account-finder.js';
import { AccountDto, AccountQueryDto } from './account.dto.js';

/** Names that can change hands, such as handles on Bluesky, and the accounts behind them. */
@ApiTags('Platforms')
@Controller('v1/platforms/:platform/account')
export class AccountController {
  constructor(private readonly accounts: AccountFinder) {}

  @Get()
  @ServedAs('reads', { asksPlatform: true })
  @ApiParam({
    name: 'platform',
    description: 'Platform value.',
    schema: { type: 'string', maxLength: 64 },
    example: 'bluesky',
  })
  @Answers(
    AccountDto,
    'The account behind a name that can change hands, such as a handle on Bluesky, or the name of an account',
    'This server asked both sides: the name leads to the account, and the account bears the name (on nostr it asked the domain alone). It says nothing of any binding, and a name can go over to another account at any time.',
  )
  async findAccount(@Param('platform') platform: string, @Query() { name }: AccountQueryDto): Promise<AccountDto> {
    const account = await this.accounts.find(platform, name, new Date());
    if (!account) throw new NotFoundError('This name leads to no account that bears it.', 'account_not_found');
    return { platform, identity: account.identity, name: account.name, checked_at: String(account.checkedAt) };
  }
}
