/** The keys that hold a name, by the word of the server. */
import { type IdentityGroup, isSameName } from '@signet/sdk';
import { client } from '../shell/api.js';

/** A name on a platform, in any spelling. */
export interface Name {
  platform: string;
  identity: string;
}

/** What is asked for; without a platform, a name on all of them. */
type Asked = Omit<Name, 'platform'> & { platform?: string };

/** What was read of the keys that hold a name. */
export interface Holders {
  /** Those that show a binding of this name, each with what else it holds. */
  groups: IdentityGroup[];
  /** How many there are in all. */
  total: number;
  /** Whether all were read. */
  isWhole: boolean;
}

/** Reads pages of the keys that hold a name, until `least` were read or all. */
export async function readHolders(name: Asked, least: number, signal: AbortSignal): Promise<Holders> {
  const list = client.proofs.find({ ...name, signal });
  const groups = new Map<string, IdentityGroup>();
  for (let number = 1, read = 0; ;) {
    const { items, total, next } = await list.page(number);
    for (const group of items) {
      if (group.proofs.some((proof) => isNamed(proof, name))) groups.set(group.avatar, group);
    }
    read += items.length;
    const isWhole = next === 0;
    if (isWhole || items.length === 0 || read >= least) {
      return { groups: [...groups.values()], total: isWhole ? groups.size : total, isWhole };
    }
    number = next;
  }
}

/** Whether a binding is of a name in any spelling; without a platform, of that name on its own. */
export function isNamed(binding: Name, { platform = binding.platform, identity }: Asked): boolean {
  return binding.platform === platform && isSameName(binding, identity);
}
