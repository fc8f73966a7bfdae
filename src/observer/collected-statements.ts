import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { writeVerifierKey } from '@signet/verify/log';
import { seenTime } from '@signet/verify/internal/log';
import { linkHash, readStatement } from '@signet/verify/seen';
import { nativeEd25519 } from '../crypto/ed25519.js';
import { fromUnixSeconds } from '../domain/unix-time.js';
import { ProofChainService } from '../proof-chain/proof-chain.service.js';
import { ObserverIdentity } from './observer-identity.js';
import { feedUrl } from './observer-work.js';
import type { SeenStatement } from './seen-statements.js';

/** A statement as the feed of another server has it; what it says is in the note. */
export interface CollectedItem {
  id: number;
  uuid?: unknown;
  note?: unknown;
}

/** Seconds that the clock of an observer may be ahead. */
const FUTURE_SECONDS = 300;

/** Finds the statements of the observers in OBSERVERS that are about links of this server, and verifies them. */
@Injectable()
export class CollectedStatements {
  constructor(
    private readonly identity: ObserverIdentity,
    private readonly chain: ProofChainService,
  ) {}

  /**
   * Returns the statements of a page of the feed at `url` that are about links of this server and verify. Nothing but
   * the note is believed.
   */
  async read(url: string, items: CollectedItem[]): Promise<Omit<SeenStatement, 'feedId'>[]> {
    const found: Omit<SeenStatement, 'feedId'>[] = [];
    const keys = this.identity.believed.observers
      .filter(({ urls }) => urls.some((one) => feedUrl(one) === url))
      .flatMap((one) => one.keys);
    for (const { uuid, note } of items) {
      const read = typeof note === 'string' ? readStatement(note) : null;
      if (!read || !isUUID(uuid)) continue;
      const { link, platform, identity, account, seen } = read.statement;
      const own = await this.chain.findByUuid(String(uuid).toLowerCase());
      if (!own || linkHash(own.signaturePayload) !== link) continue;
      // An observer may be wrong, or lie, about what the link binds.
      if (platform !== own.platform || identity !== own.identity) continue;
      for (const key of keys) {
        const time = seenTime(read.note, key, { curves: { ed25519: nativeEd25519 } });
        if (time === null || time > Date.now() / 1000 + FUTURE_SECONDS) continue;
        const { line } = read.note.signatures.find(({ name, keyId }) => name === key.name && keyId === key.id)!;
        const said = { link, platform, identity, accountId: account, isSeen: seen, seenAt: fromUnixSeconds(time) };
        const about = { avatar: own.avatar, uuid: own.uuid, signer: writeVerifierKey(key), line, sha256: '' };
        found.push({ ...said, ...about });
      }
    }
    return found;
  }
}
