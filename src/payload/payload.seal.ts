import { Inject, Injectable } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { canonicalJson } from '../crypto/canonical-json.js';
import { encodeHex } from '../crypto/encoding.js';
import { equalBytes, hmacSha256, randomBytes, sha256Hex } from '../crypto/hashing.js';
import { PayloadExpiredError, PayloadMismatchError, StaleChainError } from '../domain/domain-errors.js';
import { fromUnixSeconds, unixSeconds } from '../domain/unix-time.js';

/** Injection token of the HMAC key; `payload.module.ts` provides it. */
export const PAYLOAD_KEY = Symbol('PAYLOAD_KEY');

/** Servers' clocks may differ by this much before a payload issued by one is refused by another. */
const CLOCK_SKEW_SECONDS = 5 * 60;
const RANDOM_BYTES = 6; // 48 bits: the first twelve hex digits of the uuid
const SEAL_BYTES = 10; // 80 bits, of which the uuid holds 74

/** Everything that a payload promises. `patch` is canonical JSON text; null where the protocol has none. */
export interface SealedFields {
  kind: 'proof' | 'kv';
  /** Compressed key. */
  avatar: string;
  platform: string;
  identity: string;
  action: string;
  patch: string | null;
}

/** What step 1 hands out. */
export interface IssuedPayload {
  uuid: string;
  createdAt: Date;
}

/** The heads on which a payload may have been issued: signatures as stored, null for an empty chain. */
export interface KnownHeads {
  current: string | null;
  /**
   * Heads that the Avatar has had since the given time, that at that time included. Asked only when the current one
   * does not fit.
   */
  since(time: Date): Promise<(string | null)[]>;
}

/**
 * Step 1 of both two-step protocols: payloads are issued, not stored (docs/design/decisions.md 3). The uuid has the
 * shape of version 4 and holds 48 random bits and 74 bits of an HMAC-SHA-256 over all fields, so step 2 recomputes
 * it: a changed field is seen, nobody can invent a time, and no pending rows pile up.
 */
@Injectable()
export class PayloadSeal {
  constructor(
    @Inject(PAYLOAD_KEY) private readonly key: Uint8Array,
    private readonly environment: Environment,
  ) {}

  /** A new uuid for these fields on the head `previous`; two calls give two uuids. */
  issue(fields: SealedFields, previous: string | null, now: Date): IssuedPayload {
    const createdAt = fromUnixSeconds(unixSeconds(now));
    const random = encodeHex(randomBytes(RANDOM_BYTES));
    return { uuid: this.uuidOf(withHashedPatch(fields), previous, createdAt, random), createdAt };
  }

  /**
   * Checks that this service issued `uuid` at `createdAt` for exactly these fields on the current head.
   * @throws StaleChainError if it was issued on a head that the Avatar has had since.
   * @throws PayloadMismatchError if any field, the uuid or the time was changed, or the payload is not ours.
   * @throws PayloadExpiredError if its time is over, or ahead of this server's clock by more than the allowed skew.
   */
  async open(fields: SealedFields, issued: IssuedPayload, heads: KnownHeads, now: Date): Promise<void> {
    const hashed = withHashedPatch(fields);
    // Version 0.1.0 put the whole text of a patch under the HMAC, and what it issued lives up to PAYLOAD_TTL_SECONDS
    // beyond an upgrade. Its form is tried for the current head alone, because each try costs up to a millisecond.
    if (!this.fits(hashed, heads.current, issued) && !this.fits(fields, heads.current, issued)) {
      const past = await heads.since(issued.createdAt);
      if (past.some((previous) => this.fits(hashed, previous, issued))) throw new StaleChainError();
      throw new PayloadMismatchError(
        'This uuid was not issued for these fields: send action, platform, identity, key, patch, uuid and created_at exactly as they were in the payload step.',
      );
    }
    const age = unixSeconds(now) - unixSeconds(issued.createdAt);
    if (age > this.environment.PAYLOAD_TTL_SECONDS) {
      throw new PayloadExpiredError(
        `This payload was issued ${age} seconds ago and was good for ${this.environment.PAYLOAD_TTL_SECONDS}; ask for a new one and sign that.`,
      );
    }
    if (age < -CLOCK_SKEW_SECONDS) {
      throw new PayloadExpiredError(
        `created_at lies ${-age} seconds ahead of this server's clock; ask for a new payload.`,
      );
    }
  }

  private fits(fields: SealedFields, previous: string | null, { uuid, createdAt }: IssuedPayload): boolean {
    const random = uuid.replaceAll('-', '').slice(0, 2 * RANDOM_BYTES);
    const expected = this.uuidOf(fields, previous, createdAt, random);
    return equalBytes(Buffer.from(uuid, 'ascii'), Buffer.from(expected, 'ascii'));
  }

  private uuidOf(fields: SealedFields, previous: string | null, createdAt: Date, random: string): string {
    const { kind, avatar, platform, identity, action, patch } = fields;
    const text = canonicalJson({
      kind,
      random,
      avatar,
      platform,
      identity,
      action,
      created_at: unixSeconds(createdAt),
      patch,
      prev: previous,
    });
    return uuidFrom(random, hmacSha256(this.key, text).subarray(0, SEAL_BYTES));
  }
}

/**
 * The fields as they go under the HMAC: the SHA-256 (lowercase hex) of the patch text stands for it, so that trying a
 * head costs microseconds, whatever the size of the patch. Fields without a patch are those of version 0.1.0.
 */
function withHashedPatch(fields: SealedFields): SealedFields {
  return fields.patch === null ? fields : { ...fields, patch: sha256Hex(fields.patch) };
}

/**
 * RFC 9562 version 4: the version digit `4` follows the 48 random bits, and the variant bits `10` begin the fourth
 * group.
 */
function uuidFrom(random: string, hmac: Uint8Array): string {
  const bytes = Uint8Array.from(hmac);
  bytes[2] = (bytes[2]! & 0x3f) | 0x80;
  const hex = encodeHex(bytes);
  return `${random.slice(0, 8)}-${random.slice(8)}-4${hex.slice(1, 4)}-${hex.slice(4, 8)}-${hex.slice(8)}`;
}
