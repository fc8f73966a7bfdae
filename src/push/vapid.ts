import { createECDH, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/* How a server identifies itself to push services (RFC 8292, VAPID): a key pair on P-256 and signed tokens. */

const CURVE = 'prime256v1';
/** Seconds for which a token is good; push services take a day at most (RFC 8292, 2). */
const TOKEN_SECONDS = 12 * 3600;
/** Seconds for which one is used again, so that not each message costs a signature. */
const USED_SECONDS = 6 * 3600;
/** Push services whose tokens are kept; strangers can name any number. */
const MOST_TOKENS = 500;

const HEADER = encoded({ typ: 'JWT', alg: 'ES256' });

export interface VapidClaims {
  /** Origin of the push service. */
  aud: string;
  /** UNIX seconds at which it ends. */
  exp: number;
  /** Where the push service can reach the operator: a `mailto:` or `https:` URI. */
  sub: string;
}

/** A new private key: 64 hex digits. */
export function newVapidKey(): string {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  return pair.getPrivateKey('hex').padStart(64, '0');
}

/** The key by which push services know this deployment: a browser's subscription is bound to it. */
export class VapidKey {
  /** Uncompressed point, 65 bytes in Base64url: `applicationServerKey` of a subscription. */
  readonly publicKey: string;
  private readonly key: KeyObject;
  private readonly tokens = new LRUCache<string, { token: string; until: number }>({ max: MOST_TOKENS });

  /**
   * @param privateKey 64 hex digits
   * @param contact see `VapidClaims.sub`
   */
  constructor(
    privateKey: string,
    private readonly contact: string,
  ) {
    const pair = createECDH(CURVE);
    pair.setPrivateKey(privateKey, 'hex');
    const point = pair.getPublicKey();
    this.publicKey = point.toString('base64url');
    const part = (start: number) => point.subarray(start, start + 32).toString('base64url');
    const d = Buffer.from(privateKey, 'hex').toString('base64url');
    this.key = createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: part(1), y: part(33), d } });
  }

  /** The header `Authorization` for a push service: signed for its origin alone, it is worth nothing elsewhere. */
  authorization(origin: string, now: Date): string {
    return `vapid t=${this.tokenFor(origin, Math.floor(now.getTime() / 1000))}, k=${this.publicKey}`;
  }

  /** A token in the compact form of JWS (RFC 7515, RFC 7518 3.4). */
  token({ aud, exp, sub }: VapidClaims): string {
    const signed = `${HEADER}.${encoded({ aud, exp, sub })}`;
    const signature = sign('sha256', Buffer.from(signed), { key: this.key, dsaEncoding: 'ieee-p1363' });
    return `${signed}.${signature.toString('base64url')}`;
  }

  /** @param now UNIX seconds; push services hold the end of a token against their own clocks */
  private tokenFor(aud: string, now: number): string {
    const kept = this.tokens.get(aud);
    // Also after the clock went back.
    if (kept && now < kept.until && now > kept.until - 2 * USED_SECONDS) return kept.token;
    const token = this.token({ aud, exp: now + TOKEN_SECONDS, sub: this.contact });
    this.tokens.set(aud, { token, until: now + USED_SECONDS });
    return token;
  }
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
