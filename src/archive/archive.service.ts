import { Inject, Injectable } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { type ArchiveBacklog, ArchiveBacklogQueries } from './archive-backlog.js';
import { ARCHIVE_STORE, type ArchiveStore, type WalletBalance } from './archive-store.js';

const WINSTON_DIGITS = 12; // 1 AR = 10^12 winston
/** A balance older than this is asked for again. */
const BALANCE_AGE_MS = 60_000;

/** The archive as an operator sees it. */
export interface ArchiveStatus extends ArchiveBacklog {
  store: 'none' | 'arweave';
  /** Address of the wallet; `''` if there is none. */
  walletAddress: string;
  /** In AR, as it was when the gateway last gave an answer; null if there is no wallet or was none yet. */
  walletBalance: string | null;
  /** Whether the wallet pays and holds less than ARCHIVE_LOW_BALANCE_AR. */
  isBalanceLow: boolean;
}

/** What other modules may know of the archive. */
@Injectable()
export class ArchiveService {
  private wallet: WalletBalance | null = null;
  private walletAskedAtMs = 0;

  constructor(
    private readonly environment: Environment,
    private readonly backlog: ArchiveBacklogQueries,
    @Inject(ARCHIVE_STORE) private readonly store: ArchiveStore | null,
  ) {}

  /**
   * Backlog, wallet and last failure. Never waits for the gateway: the balance is the last known one, and is asked for
   * again beside this.
   */
  async status(): Promise<ArchiveStatus> {
    if (Date.now() - this.walletAskedAtMs > BALANCE_AGE_MS) void this.askWallet();
    const backlog = await this.backlog.read();
    const balance = this.wallet?.balance ?? null;
    const least = parseAr(this.environment.ARCHIVE_LOW_BALANCE_AR);
    return {
      ...backlog,
      store: this.environment.ARCHIVE,
      walletAddress: this.wallet?.address ?? '',
      walletBalance: balance === null ? null : formatAr(balance),
      isBalanceLow: this.wallet?.isPaying === true && balance !== null && balance < least,
    };
  }

  /**
   * Asks the gateway for the balance now. While the gateway is away the last balance stands, so that a warning does not
   * end by that.
   */
  async askWallet(): Promise<void> {
    this.walletAskedAtMs = Date.now();
    const wallet = (await this.store?.walletBalance()) ?? null;
    this.wallet = wallet && { ...wallet, balance: wallet.balance ?? this.wallet?.balance ?? null };
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
