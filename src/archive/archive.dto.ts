import { ApiProperty } from '@nestjs/swagger';

/** The archive as an operator sees it: how many links have come how far, and who pays. */
export class ArchiveDto {
  @ApiProperty({ description: 'The setting ARCHIVE.', enum: ['none', 'arweave'], enumName: 'ArchiveStore' })
  store: 'none' | 'arweave';

  @ApiProperty({ description: 'Links that the network serves.' })
  confirmed: number;

  @ApiProperty({ description: 'Links that the network took and does not serve yet.' })
  unconfirmed: number;

  @ApiProperty({ description: 'Links that are signed and not taken yet.' })
  unsent: number;

  @ApiProperty({ description: 'Links that are not signed yet; without an archive all that are not confirmed.' })
  unsigned: number;

  @ApiProperty({ description: 'When the oldest link was signed that is not confirmed, UNIX seconds; empty: none.' })
  oldest_signed_at: string;

  @ApiProperty({ description: 'Empty where there is no wallet.', example: '' })
  wallet_address: string;

  @ApiProperty({ description: 'In AR, as the gateway said last; empty where that is unknown.', example: '1.25' })
  wallet_balance: string;

  @ApiProperty({ description: 'Whether the wallet pays and holds less than ARCHIVE_LOW_BALANCE_AR.' })
  is_balance_low: boolean;

  @ApiProperty({ description: 'The newest failure of what is not done yet; empty: none.', example: '' })
  last_error: string;

  @ApiProperty({ description: 'UNIX seconds; empty: none.', example: '' })
  last_error_at: string;
}
