import { constants, createHash, createPrivateKey, type JsonWebKey, type KeyObject, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { type Environment, InvalidEnvironmentError } from '../../config/environment.js';

const signAsync = promisify<string, Uint8Array, Parameters<typeof sign>[2], Buffer>(sign);

/** RSA with 4096 bits. */
const OWNER_BYTES = 512;
/** As the network's own clients sign; it accepts any length. */
const SALT_BYTES = 32;

/**
 * The operator's wallet: an RSA key that signs documents and transactions. Nothing of it but the public part leaves
 * this file.
 */
export class ArweaveWallet {
  private constructor(
    private readonly key: KeyObject,
    /** The public modulus, 512 bytes: how the network names a key. */
    readonly owner: Uint8Array,
  ) {}

  /**
   * @param setting ARWEAVE_WALLET: the JSON of a key file (JWK, RFC 7517) or the path of such a file.
   * @throws InvalidEnvironmentError that names the problem and quotes nothing of the setting, which may be the secret
   *   itself.
   */
  static load(setting: string | undefined): ArweaveWallet {
    if (setting === undefined) throw unusable('is missing: ARCHIVE=arweave needs the key that signs');
    const jwk = parse(setting.trimStart().startsWith('{') ? setting : read(setting));
    const owner = Buffer.from(typeof jwk.n === 'string' ? jwk.n : '', 'base64url');
    if (jwk.kty !== 'RSA' || jwk.e !== 'AQAB' || owner.length !== OWNER_BYTES) {
      throw unusable('is not an Arweave key: expected a JWK of an RSA key with 4096 bits');
    }
    try {
      return new ArweaveWallet(createPrivateKey({ key: jwk, format: 'jwk' }), owner);
    } catch {
      throw unusable('has no usable private part');
    }
  }

  /** Where the network keeps its balance: SHA-256 of the modulus in base64url. */
  get address(): string {
    return createHash('sha256').update(this.owner).digest('base64url');
  }

  /**
   * RSA-PSS with SHA-256 over a deep hash: 512 bytes, other ones each time. Runs beside the event loop, for some
   * milliseconds.
   */
  async sign(message: Uint8Array): Promise<Uint8Array> {
    const { RSA_PKCS1_PSS_PADDING: padding } = constants;
    return signAsync('sha256', message, { key: this.key, padding, saltLength: SALT_BYTES });
  }
}

/**
 * The wallet that the settings name; null where nothing is archived.
 * @throws InvalidEnvironmentError if one is needed and cannot be used
 */
export function loadWallet({ ARCHIVE, ARWEAVE_WALLET }: Environment): ArweaveWallet | null {
  return ARCHIVE === 'none' ? null : ArweaveWallet.load(ARWEAVE_WALLET);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw unusable(`names a file that cannot be read (${(error as { code?: string }).code ?? 'unknown reason'})`);
  }
}

/** The parser's own error would quote the text. */
function parse(text: string): JsonWebKey {
  try {
    return Object(JSON.parse(text)) as JsonWebKey;
  } catch {
    throw unusable('is not JSON');
  }
}

function unusable(why: string): InvalidEnvironmentError {
  return new InvalidEnvironmentError([`ARWEAVE_WALLET ${why}`]);
}
