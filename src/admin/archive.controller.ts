import { Get } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArchiveService, type ArchiveStatus } from '../archive/archive.service.js';
import { unixSecondsText } from '../domain/unix-time.js';
import { Answers } from '../http/operation.js';
import { AdminController } from './admin-controller.js';

/** GET /admin/v1/archive, response. */
class ArchiveDto {
  @ApiProperty({ description: 'The setting ARCHIVE.', enum: ['none', 'arweave'], enumName: 'ArchiveStore' })
  store: string;

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

@AdminController('archive')
export class ArchiveController {
  constructor(private readonly archive: ArchiveService) {}

  @Get()
  @Answers(ArchiveDto, 'How far the archive has come, and what its wallet holds')
  async getArchive(): Promise<ArchiveDto> {
    return toArchive(await this.archive.status());
  }
}

function toArchive(status: ArchiveStatus): ArchiveDto {
  const { oldestSignedAt, lastError } = status;
  return {
    store: status.store,
    confirmed: status.confirmed,
    unconfirmed: status.unconfirmed,
    unsent: status.unsent,
    unsigned: status.unsigned,
    oldest_signed_at: oldestSignedAt ? unixSecondsText(oldestSignedAt) : '',
    wallet_address: status.walletAddress,
    wallet_balance: status.walletBalance ?? '',
    is_balance_low: status.isBalanceLow,
    last_error: lastError?.message ?? '',
    last_error_at: lastError ? unixSecondsText(lastError.at) : '',
  };
}
