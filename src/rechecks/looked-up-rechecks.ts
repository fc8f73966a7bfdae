import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { LRUCache } from 'lru-cache';
import type { Subscription } from 'rxjs';
import { DataSource } from 'typeorm';
import { SingleFlight } from '../concurrency/single-flight.js';
import { Environment } from '../config/environment.js';
import { DatabaseClock } from '../database/database-clock.js';
import { PlatformService } from '../platform/platform.service.js';
import { LookedUp, type LookedUpBinding } from '../proof/look-up/looked-up.js';
import { DueRechecks } from './due-rechecks.js';
import { growsRarer, intervalsOf } from '../platform/recheck-intervals.js';
import { LEASE_MS } from './recheck.runner.js';

const FLUSH_MS = 5000;
/** Bindings that are remembered, so that each is noted once for each of its checks; some 200 bytes each. */
const MAX_REMEMBERED = 50_000;
/** Bindings that are noted in one statement; more of them wait for the next one. */
const MAX_AT_ONCE = 1000;

/**
 * Brings forward the rechecks of bindings that are looked up, where rechecks become rarer: such a binding is checked as
 * soon as if its interval had never grown.
 */
@Injectable()
export class LookedUpRechecks implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Rechecks');
  private readonly flushes = new SingleFlight();
  private readonly waiting = new Map<string, LookedUpBinding>();
  private lookUps: Subscription | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
    private readonly platforms: PlatformService,
    private readonly lookedUp: LookedUp,
    private readonly due: DueRechecks,
  ) {}

  onModuleInit(): void {
    const verifiers = this.platforms.all().filter((verifier) => growsRarer(verifier, this.environment));
    const names = new Set(verifiers.map(({ platform }) => platform));
    if (names.size === 0) return;
    // By binding, the check that was its last one when it was noted. It takes its memory at once.
    const noted = new LRUCache<string, number>({ max: MAX_REMEMBERED });
    this.lookUps = this.lookedUp.bindings.subscribe((binding) => {
      if (names.has(binding.platform)) this.note(binding, noted);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    this.lookUps?.unsubscribe();
    await this.flush();
  }

  /**
   * Writes what was looked up. Never throws: what could not be written is written by the next flush. `as` replaces the
   * time of the database, for tests.
   */
  @Interval(FLUSH_MS)
  flush(as?: Date): Promise<void> {
    return this.flushes.follow(() => this.writeAll(as));
  }

  private async writeAll(as?: Date): Promise<void> {
    if (this.waiting.size === 0) return;
    try {
      const now = (await DatabaseClock.start(this.dataSource, as)).now();
      const intervals = intervalsOf({}, this.environment);
      while (this.waiting.size > 0) {
        const batch = [...this.waiting].slice(0, MAX_AT_ONCE);
        await this.due.bringForward(
          batch.map(([, binding]) => binding),
          intervals,
          now,
          LEASE_MS,
        );
        for (const [key] of batch) this.waiting.delete(key);
      }
    } catch (error) {
      this.logger.warn(`Rechecks of what was looked up are not brought forward yet: ${(error as Error).message}`);
    }
  }

  private note({ avatar, platform, identity, lastCheckedAt }: LookedUpBinding, noted: LRUCache<string, number>): void {
    const key = `${avatar} ${platform} ${identity}`;
    const checkedAtMs = new Date(lastCheckedAt).getTime();
    if (noted.get(key) === checkedAtMs || this.waiting.size >= MAX_REMEMBERED) return;
    noted.set(key, checkedAtMs);
    this.waiting.set(key, { avatar, platform, identity, lastCheckedAt });
  }
}
