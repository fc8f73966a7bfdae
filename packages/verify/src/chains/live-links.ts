/** What is bound behind links of one Avatar. */
import { identityKeyText, isErased } from './erased.js';
import type { SignedLink } from './link.js';

/**
 * The links that made what is bound behind those that were added so far, as the fields of their texts say: nothing is
 * checked. `Item` is what is kept of a link.
 */
export class LiveLinks<Item> {
  /** By platform and identity (`bindingKey`), in the order in which they were made. */
  readonly items = new Map<string, Item>();
  /** The names (`bindingKey`) of the bindings so far by the keys of their identities. */
  private readonly names = new Map<string, string>();

  add(link: SignedLink, item: Item): void {
    if (isErased(link)) {
      // An erased link binds nothing, be it a create or a delete, and leaves nothing bound of its identity.
      this.items.delete(this.names.get(link.erased.identity_key) ?? '');
      return;
    }
    const name = bindingKey(link);
    this.items.delete(name);
    if (link.action !== 'create') return;
    this.items.set(name, item);
    this.names.set(identityKeyText(link), name);
  }
}

/** One text for a platform and an identity, neither of which holds a line break. */
export function bindingKey({ platform, identity }: { platform: string; identity: string }): string {
  return `${platform}\n${identity}`;
}
