import type { MigrationInterface } from 'typeorm';
import { Core1763700000000 } from './0.1.0/1763700000000-core.js';
import { Kv1763700100000 } from './0.1.0/1763700100000-kv.js';
import { Evidence1763700200000 } from './0.1.0/1763700200000-evidence.js';
import { EventHandlers1763700300000 } from './0.1.0/1763700300000-event-handlers.js';
import { Revalidation1763700400000 } from './0.1.0/1763700400000-revalidation.js';
import { Webhooks1763700500000 } from './0.1.0/1763700500000-webhooks.js';
import { Archive1763700600000 } from './0.1.0/1763700600000-archive.js';
import { Search1763700700000 } from './0.1.0/1763700700000-search.js';
import { RateLimits1763700800000 } from './0.1.0/1763700800000-rate-limits.js';
import { WalletChain1763700900000 } from './0.2.0/1763700900000-wallet-chain.js';
import { LeasedWork1763701000000 } from './0.2.0/1763701000000-leased-work.js';
import { SearchByPieces1763701100000 } from './0.2.0/1763701100000-search-by-pieces.js';
import { Log1763701200000 } from './0.2.0/1763701200000-log.js';
import { Observer1763701300000 } from './0.2.0/1763701300000-observer.js';
import { Subkeys1763701400000 } from './0.2.0/1763701400000-subkeys.js';
import { UpgradeSteps1763701500000 } from './0.2.0/1763701500000-upgrade-steps.js';
import { SearchApart1763701700000 } from './0.3.0/1763701700000-search-apart.js';
import { PlatformUse1763701800000 } from './0.3.0/1763701800000-platform-use.js';
import { Keys1763701900000 } from './0.3.0/1763701900000-keys.js';
import { Hiding1763702100000 } from './0.3.0/1763702100000-hiding.js';
import { ProfilePages1763702000000 } from './0.3.0/1763702000000-profile-pages.js';
import { AppKeys1763702200000 } from './0.3.0/1763702200000-app-keys.js';
import { SignedEvidence1763702900000 } from './0.3.0/1763702900000-signed-evidence.js';
import { Push1763703100000 } from './0.3.0/1763703100000-push.js';

/**
 * Every change of the schema, oldest first. The list is by name and not by a file pattern, so that a migration cannot
 * be missed or picked up by accident when files move. A class name ends in its timestamp in milliseconds; TypeORM
 * orders by it.
 */
export const MIGRATIONS: (new () => MigrationInterface)[] = [
  Core1763700000000,
  Kv1763700100000,
  Evidence1763700200000,
  EventHandlers1763700300000,
  Revalidation1763700400000,
  Webhooks1763700500000,
  Archive1763700600000,
  Search1763700700000,
  RateLimits1763700800000,
  WalletChain1763700900000,
  LeasedWork1763701000000,
  SearchByPieces1763701100000,
  Log1763701200000,
  Observer1763701300000,
  Subkeys1763701400000,
  UpgradeSteps1763701500000,
  SearchApart1763701700000,
  PlatformUse1763701800000,
  Keys1763701900000,
  ProfilePages1763702000000,
  Hiding1763702100000,
  AppKeys1763702200000,
  SignedEvidence1763702900000,
  Push1763703100000,
];

/**
 * The oldest version whose servers may work on the schema of this one, beside servers of this one. A migration that
 * drops what an older version uses raises it.
 */
export const OLDEST_VERSION_BESIDE = '0.1.0';

/** The last migration of each released version. */
export const LAST_MIGRATIONS: Record<string, string> = {
  '0.1.0': RateLimits1763700800000.name,
  '0.2.0': UpgradeSteps1763701500000.name,
};
