import { randomBytes } from 'node:crypto';
import { canonicalJson, encodeHex, type SignedChain } from '@signet/verify';
import { Environment } from '../config/environment.js';
import { equalBytes, keyedHmacSha256 } from '../crypto/hashing.js';
import { PayloadExpiredError, PayloadMismatchError, StaleChainError } from '../domain/domain-errors.js';
import { fromUnixSeconds, unixSeconds } from '../domain/unix-time.js';
import type { ChainHead } from './signed-record.js';

/** Servers' clocks may differ by this much before a payload issued by one is refused by another. */
const CLOCK_SKEW_SECONDS = 5 * 60;
const RANDOM_BYTES = 6; // 48 bits: the first twelve hex digits of the uuid
const SEAL_BYTES = 10; // 80 bits, of which the uuid holds 74

/** Everything that a payload promises. `patch` is canonical JSON text; null where the protocol has none. */
export interface SealedFields {
  kind: string;
  /** Compressed key. */
  avatar: string;
  platform: string;
  identity: string;
  action: string;
  patch: string | null;
  /** The chain that a contract wallet is to be asked on; absent where the payload names none. */
  chain?: SignedChain | undefined;
  /** The key of an app that signs; absent where the Avatar does. */
  signer?: string | undefined;
}

/** The payload that step 1 returns. */
export interface IssuedPayload {
  uuid: string;
  createdAt: Date;
}

/** The heads on which a payload may have been issued; null for an empty chain. */
export interface KnownHeads {
  current: ChainHead | null;
  /** Signatures of the newest heads that the Avatar has had. Only called if the current head does not fit. */
  past(): Promise<(string | null)[]>;
}

/**
 * Step 1 of both two-step protocols: payloads are issued, not stored (docs/design/decisions.md 3). The uuid has the
 * shape of version 4 and holds 48 random bits and 74 bits of an HMAC-SHA-256 over all fields, so step 2 recomputes
 * it: a changed field is noticed, a time cannot be invented, and no pending rows pile up.
 */
export class PayloadSeal {
  private readonly hmacOf: ReturnType<typeof keyedHmacSha256>;

  /** @param key of the HMAC */
  constructor(
    key: Uint8Array,
    private readonly environment: Environment,
  ) {
    this.hmacOf = keyedHmacSha256(key);
  }

  /**
   * A new uuid for these fields on `head`; two calls give two uuids. The time is the later one of `now` and that of the
   * head: where clocks disagree, or one was put back, a chain still never goes back in time.
   */
  issue(fields: SealedFields, head: ChainHead | null, now: Date): IssuedPayload {
    const createdAt = fromUnixSeconds(Math.max(unixSeconds(now), head ? unixSeconds(head.createdAt) : 0));
    const random = encodeHex(randomBytes(RANDOM_BYTES));
    return { uuid: this.uuidsOf(fields, createdAt, random)(head?.signature ?? null), createdAt };
  }

  /**
   * Checks that this service issued `uuid` at `createdAt` for exactly these fields on the current head.
   * @throws StaleChainError if it was issued on a head that the Avatar has had.
   * @throws PayloadMismatchError if any field, the uuid or the time was changed, or the payload is not ours.
   * @throws PayloadExpiredError if its time is over, or ahead of both this server's clock and the head by more than the
   *   allowed skew.
   */
  async open(fields: SealedFields, issued: IssuedPayload, heads: KnownHeads, now: Date): Promise<void> {
    const random = issued.uuid.replaceAll('-', '').slice(0, 2 * RANDOM_BYTES);
    const uuidOn = this.uuidsOf(fields, issued.createdAt, random);
    const fits = (head: string | null) =>
      equalBytes(Buffer.from(issued.uuid, 'ascii'), Buffer.from(uuidOn(head), 'ascii'));
    const { current } = heads;
    if (!fits(current?.signature ?? null)) {
      const past = await heads.past();
      if (past.some(fits)) throw new StaleChainError();
      throw new PayloadMismatchError(
        'This uuid was not issued for these fields: send action, platform, identity, key, patch, uuid, created_at and, where it was there, extra exactly as they were in the payload step.',
      );
    }
    const age = unixSeconds(now) - unixSeconds(issued.createdAt);
    const isTimeOfHead = current !== null && issued.createdAt <= current.createdAt;
    if (age > this.environment.PAYLOAD_TTL_SECONDS) {
      throw new PayloadExpiredError(
        `This payload was issued ${age} seconds ago and was good for ${this.environment.PAYLOAD_TTL_SECONDS}; ask for a new one and sign that.`,
      );
    }
    if (age < -CLOCK_SKEW_SECONDS && !isTimeOfHead) {
      throw new PayloadExpiredError(
        `created_at lies ${-age} seconds ahead of this server's clock; ask for a new payload.`,
      );
    }
  }

  /** The uuid of a payload by the head on which it was issued. A large patch is hashed once for all heads. */
  private uuidsOf(fields: SealedFields, createdAt: Date, random: string): (previous: string | null) => string {
    const hmacWith = this.hmacOf(sealedStart(fields, createdAt));
    return (previous) => uuidFrom(random, hmacWith(sealedEnd(random, previous, fields.signer)));
  }
}

/**
 * The text under the HMAC up to the head: canonical JSON, in which `prev` comes behind the patch, with its names
 * written in their order. Servers of different versions take payloads of each other, so this text never changes within
 * a version and the one before it (test/ledger/payload-seal.spec.ts holds the form of 0.1.0). A chain and a signer are
 * written where there is one, and nothing in its place elsewhere.
 */
function sealedStart(fields: SealedFields, createdAt: Date): string {
  const { kind, avatar, platform, identity, action, patch, chain } = fields;
  const json = canonicalJson;
  const asked = chain ? `"block_number":${json(chain.block_number)},"chain_id":${json(chain.chain_id)},` : '';
  return (
    `{"action":${json(action)},"avatar":${json(avatar)},${asked}"created_at":${unixSeconds(createdAt)},` +
    `"identity":${json(identity)},"kind":${json(kind)},"patch":${json(patch)},"platform":${json(platform)}`
  );
}

/** The rest of the text under the HMAC, which follows `sealedStart`. */
function sealedEnd(random: string, previous: string | null, signer: string | undefined): string {
  const by = signer === undefined ? '' : `,"signer":${canonicalJson(signer)}`;
  return `,"prev":${canonicalJson(previous)},"random":${canonicalJson(random)}${by}}`;
}

/**
 * RFC 9562 version 4: the version digit `4` follows the 48 random bits, and the variant bits `10` begin the fourth
 * group.
 */
function uuidFrom(random: string, hmac: Uint8Array): string {
  const bytes = hmac.slice(0, SEAL_BYTES);
  bytes[2] = (bytes[2]! & 0x3f) | 0x80;
  const hex = encodeHex(bytes);
  return `${random.slice(0, 8)}-${random.slice(8)}-4${hex.slice(1, 4)}-${hex.slice(4, 8)}-${hex.slice(8)}`;
}
