import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../config/environment.js';
import { unixSecondsSql } from '../database/time-sql.js';
import { RecordKinds } from '../ledger/record-kind.js';
import { type GaugeSource, Measured, type Readings, samplesOf } from '../measures/measured.js';
import type { ArchiveDto } from './archive.dto.js';
import { ArweaveStore } from './arweave/arweave.store.js';

const WINSTON_DIGITS = 12; // 1 AR = 10^12 winston
/** A balance older than this is asked for again. */
const BALANCE_AGE_MS = 60_000;

/**
 * Only the rows of the backlog are counted: links are signed without a gap, so the newest signed one shows how many
 * there are.
 */
const COUNT = `
  select (select coalesce(max(link_id), 0) from archive_item) as signed, count(*) filter (where state = 'signed') as unsent,
    count(*) filter (where state = 'sent') as unconfirmed,
    coalesce(${unixSecondsSql('min(signed_at)')}, '') as oldest_signed_at
  from archive_item where state <> 'confirmed'`;

const LAST_ERROR = `
  select last_error, ${unixSecondsSql('failed_at')} as last_error_at
  from archive_batch where next_at is not null and last_error <> ''
  order by failed_at desc limit 1`;

type Counts = Pick<ArchiveDto, 'unsent' | 'unconfirmed' | 'oldest_signed_at'> & { signed: number };

const GAUGES = {
  signet_archive_links: ['Links on their way into the archive', 'state'],
  signet_archive_oldest_seconds: ['Age of the oldest link that is signed and not confirmed'],
  signet_archive_wallet_ar: ['What the wallet of the archive holds, as last heard of the gateway'],
  signet_archive_wallet_low: ['Whether the wallet pays and holds less than ARCHIVE_LOW_BALANCE_AR'],
} as const;

/** What other modules may know of the archive. */
@Injectable()
@Measured()
export class ArchiveService implements GaugeSource<typeof GAUGES> {
  readonly gauges = GAUGES;
  /** In winston; null until the gateway has answered. */
  private balance: bigint | null = null;
  private balanceAskedAtMs = -Infinity;

  constructor(
    private readonly environment: Environment,
    private readonly dataSource: DataSource,
    private readonly kinds: RecordKinds,
    @Inject(ArweaveStore) private readonly store: ArweaveStore | null,
  ) {}

  /**
   * Backlog, wallet and last failure. Never waits for the gateway: the balance is the last known one, and is asked for
   * again beside this.
   */
  async status(): Promise<ArchiveDto> {
    if (performance.now() - this.balanceAskedAtMs > BALANCE_AGE_MS) void this.askBalance();
    const counts: Counts[] = await this.dataSource.query(COUNT);
    const errors: Pick<ArchiveDto, 'last_error' | 'last_error_at'>[] = await this.dataSource.query(LAST_ERROR);
    const newest = await this.kinds.archived.feed.newestNumber(this.dataSource);
    const { signed, unsent, unconfirmed, oldest_signed_at } = counts[0]!;
    const { balance } = this;
    const least = parseAr(this.environment.ARCHIVE_LOW_BALANCE_AR);
    return {
      store: this.environment.ARCHIVE,
      confirmed: signed - unsent - unconfirmed,
      unconfirmed,
      unsent,
      unsigned: Math.max(newest - signed, 0),
      oldest_signed_at,
      wallet_address: this.store?.walletAddress ?? '',
      wallet_balance: balance === null ? '' : formatAr(balance),
      is_balance_low: this.store?.route.isPaying === true && balance !== null && balance < least,
      ...(errors[0] ?? { last_error: '', last_error_at: '' }),
    };
  }

  /** Without a wallet its balance is left out: zero would be a wallet without money. */
  async readGauges(): Promise<Readings<typeof GAUGES>> {
    const status = this.environment.ARCHIVE === 'none' ? null : await this.status();
    const { confirmed = 0, unsent = 0, unconfirmed = 0, unsigned = 0 } = status ?? {};
    const { oldest_signed_at: oldest = '', wallet_balance: balance = '' } = status ?? {};
    return {
      signet_archive_links: status ? samplesOf('state', { confirmed, unsent, unconfirmed, unsigned }) : [],
      signet_archive_oldest_seconds: oldest === '' ? 0 : Date.now() / 1000 - Number(oldest),
      signet_archive_wallet_ar: balance === '' ? null : Number(balance),
      signet_archive_wallet_low: Number(status?.is_balance_low ?? false),
    };
  }

  /**
   * Asks the gateway for the balance now. While the gateway is away the last balance stands, so that a warning does not
   * end by that.
   */
  async askBalance(): Promise<void> {
    this.balanceAskedAtMs = performance.now();
    this.balance = (await this.store?.balance()) ?? this.balance;
  }
}

/** `0.1` -> 100000000000 winston. */
function parseAr(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(WINSTON_DIGITS, '0'));
}

/** 100000000000 winston -> `0.1`. */
function formatAr(winston: bigint): string {
  const digits = winston.toString().padStart(WINSTON_DIGITS + 1, '0');
  const fraction = digits.slice(-WINSTON_DIGITS).replace(/0+$/, '');
  return digits.slice(0, -WINSTON_DIGITS) + (fraction && `.${fraction}`);
}
