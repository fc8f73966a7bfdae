import { cleanPasted } from '@signet/verify/internal';
import { Injectable } from '@nestjs/common';
import { InvalidRequestError } from '@signet/look';
import { Environment } from '../config/environment.js';
import { AvatarKey } from '../domain/avatar-key.js';
import { PlatformService } from '../platform/platform.service.js';

/**
 * The identities of the key-value service: those of the platforms, and the key itself under the name of the service
 * (`self`).
 */
@Injectable()
export class KvIdentity {
  constructor(
    private readonly environment: Environment,
    private readonly platforms: PlatformService,
  ) {}

  /** Whether `platform` stands for the key itself. */
  isSelf(platform: string): boolean {
    return platform === this.environment.SERVICE_NAME;
  }

  /** Whether writing under an identity of `platform` needs a valid proof of it. */
  asksForProof(platform: string): boolean {
    return this.environment.KV_WRITE_POLICY === 'bound' && !this.isSelf(platform);
  }

  /**
   * The one form of an identity that is signed, stored and answered; for the key itself, the uncompressed key.
   * @throws InvalidRequestError (`unknown_platform`, `invalid_identity`), also if it names a key other than the
   *   Avatar's own.
   */
  canonical(avatar: AvatarKey, platform: string, text: string): string {
    if (!this.isSelf(platform)) return this.platforms.canonicalIdentity(this.platforms.get(platform), text);
    if (findKey(text)?.compressed === avatar.compressed) return avatar.uncompressed;
    throw new InvalidRequestError(
      `On ${platform} an identity is the Avatar's own public key, and this is not ${avatar.compressed}.`,
      'invalid_identity',
    );
  }

  /**
   * The canonical form for queries, or null if the platform cannot have such an identity.
   * @throws InvalidRequestError (`unknown_platform`)
   */
  find(platform: string, text: string): string | null {
    if (!this.isSelf(platform)) return this.platforms.findIdentity(this.platforms.get(platform), text);
    return findKey(text)?.uncompressed ?? null;
  }
}

/** With or without `0x`, as in the bodies. */
function findKey(text: string): AvatarKey | null {
  const key = cleanPasted(text);
  return AvatarKey.find(key) ?? AvatarKey.find(`0x${key}`);
}
