import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { PlatformVerifier } from '@signet/look';
import { cleanPasted } from '@signet/verify/internal';
import { SingleFlight } from '../concurrency/single-flight.js';
import { PlatformService } from './platform.service.js';

/** An account with its name of the present. */
export interface NamedAccount {
  /** Canonical identity. */
  identity: string;
  /** The name on which account and name agreed; `''` where there was none. */
  name: string;
  /** UNIX seconds of the look. */
  checkedAt: number;
}

/** Milliseconds for which a name is not asked about again: names change hands on some days, not in minutes. */
const FOUND_FOR_MS = 10 * 60_000;
/** Milliseconds where there was none: a record may be on its way. */
const ABSENT_FOR_MS = 60_000;
/** Names that are remembered, each with some hundred bytes. */
const MAX_KNOWN = 2000;

/** Finds accounts by names that can change hands, and remembers them for some minutes. */
@Injectable()
export class AccountFinder {
  private readonly known = new LRUCache<string, { account: NamedAccount | null }>({ max: MAX_KNOWN });
  private readonly looks = new SingleFlight<NamedAccount | null>();

  constructor(private readonly platforms: PlatformService) {}

  /**
   * The account that bears a name, or the name of an account; null where there is none.
   * @throws InvalidRequestError if the platform has no such names, or this cannot be one; PlatformUnavailableError
   */
  async find(platform: string, name: string, now: Date): Promise<NamedAccount | null> {
    const verifier = this.platforms.get(platform);
    const key = `${platform} ${cleanPasted(name).toLowerCase()}`;
    const known = this.known.get(key);
    if (known) return known.account;
    return this.looks.join(() => this.look(verifier, name, key, now), key);
  }

  private async look(verifier: PlatformVerifier, name: string, key: string, now: Date): Promise<NamedAccount | null> {
    const found = await this.platforms.findAccount(verifier, name);
    const account = found && { ...found, checkedAt: Math.floor(now.getTime() / 1000) };
    this.known.set(key, { account }, { ttl: account ? FOUND_FOR_MS : ABSENT_FOR_MS });
    return account;
  }
}
