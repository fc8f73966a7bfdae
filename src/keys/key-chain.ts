import { Injectable } from '@nestjs/common';
import type { KeyState } from '@signet/verify/key-events';
import { DataSource } from 'typeorm';
import { Replicas } from '../database/replicas.js';
import type { AvatarKey } from '../domain/avatar-key.js';
import { type PageOf, PER_PAGE } from '../domain/page.js';
import type { StoredJson } from '../http/stored-json.js';
import type { RecordPage } from '../ledger/record-feed.js';
import { chainPages, SignedChain } from '../ledger/signed-chain.js';
import { KEY_FEED, KEY_MEMBERS, KEYS_TABLE } from './key-rows.js';

/** The state of the keys of an Avatar at a time, and who came before it. */
export interface AvatarKeys {
  avatar: AvatarKey;
  state: KeyState;
  /** Compressed keys. */
  predecessors: string[];
  /** UNIX seconds for which the state holds. */
  now: number;
}

const readPage = chainPages(KEYS_TABLE, KEY_MEMBERS, PER_PAGE);

/** The key events of all Avatars: one linear chain for each of them, and one feed over all. */
@Injectable()
export class KeyChain {
  readonly items: SignedChain;

  constructor(
    private readonly source: DataSource,
    private readonly replicas: Replicas,
  ) {
    this.items = new SignedChain(source, KEYS_TABLE);
  }

  /** One page of an Avatar's chain, oldest event first. */
  async page(avatar: AvatarKey, page: number): Promise<PageOf<StoredJson>> {
    return readPage(this.source, avatar, page);
  }

  /** Key events of all Avatars with an id above `lastId`, ascending; see `recordFeed`. */
  async changesAfter(lastId: number, count: number): Promise<RecordPage> {
    return KEY_FEED.changesAfter(this.source, this.replicas, lastId, count);
  }
}
