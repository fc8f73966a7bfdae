import { Injectable } from '@nestjs/common';
import type { AvatarKey } from '../domain/avatar-key.js';
import { HiddenItems } from '../hiding/hidden-items.js';
import { ProfileNames } from '../kv/profile-names.js';
import { PlatformService } from '../platform/platform.service.js';
import { ShownBindings } from '../proof/look-up/shown-bindings.js';
import type { KeyCard } from './cards.js';

/** Cards of keys: one cheap look-up of their bindings, and one of their profile. */
@Injectable()
export class KeyCards {
  constructor(
    private readonly bindings: ShownBindings,
    private readonly names: ProfileNames,
    private readonly platforms: PlatformService,
    private readonly hidden: HiddenItems,
  ) {}

  /** The card of a key; null where the operator hides it. @param origin of the addresses, without a slash at the end */
  async of(key: AvatarKey, origin: string): Promise<KeyCard | null> {
    const avatar = key.compressed;
    if (this.hidden.find({ kind: 'key', avatar })) return null;
    const isNamed = this.hidden.find({ kind: 'profile', avatar }) === null;
    const [found, name] = await Promise.all([this.bindings.ofKey(key), isNamed ? this.names.of(avatar) : null]);
    const shown = found.newest.filter((binding) => !this.hidden.ofBinding({ ...binding, avatar }));
    const accounts = shown.map(({ platform, identity, profile }) => {
      const label = this.platforms.all().find((one) => one.platform === platform)?.guide.label ?? platform;
      return { platform, label, identity, profile };
    });
    const page = `${origin}/a/${avatar}`;
    const stopped = { isFrozen: found.hold === 'frozen', successor: found.successor };
    return { avatar, name, ...stopped, page, feed: `${page}.atom`, seal: `${origin}/seal/${avatar}.png`, accounts };
  }
}
