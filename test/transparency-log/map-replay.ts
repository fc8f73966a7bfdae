import { createHash } from 'node:crypto';

/** An entry of a log as its JSON says; those of links name their action and the key of their identity. */
export interface ReplayedEntry {
  kind: string;
  avatar: string;
  id: number;
  action?: string;
  identity_key?: string;
}

/** What the map says of an Avatar. */
export interface AvatarCounts {
  link: number | null;
  links: number;
  patch: number | null;
  patches: number;
}

const sha256 = (...parts: (string | Buffer)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const keyOf = (kind: string, ...lines: string[]) =>
  sha256(`signet-map/1 ${[kind, ...lines].join('\n')}`).toString('hex');

/** A leaf of a tree of the map. */
export interface ReplayedLeaf {
  value: string;
  /** In a tree of holders. */
  avatar?: string;
}

/** The key of an identity in the map, 64 hex digits. */
export const identityKeyOf = (platform: string, identity: string): string => keyOf('identity', platform, identity);

/** The key of an Avatar in the map, 64 hex digits. */
export const avatarKeyOf = (avatar: string): string => keyOf('avatar', avatar);

/**
 * The map after the entries of a log as docs/verify.md, 13, has it, in the plainest way: all is computed anew for each
 * root. Shares no code with the service. A test that forges a map changes what is in it.
 */
export class MapReplay {
  private index = 0;
  readonly avatars = new Map<string, AvatarCounts>();
  /** By the key of the identity, then by Avatar: the entry of the link that made the binding. */
  readonly identities = new Map<string, Map<string, number>>();
  /** By the number of a link: its entry, and the key of its identity. */
  private readonly entryOfLink = new Map<number, { index: number; name: string }>();

  apply({ kind, avatar, id, action, identity_key: name }: ReplayedEntry): void {
    const index = this.index++;
    const counts = this.avatars.get(avatar) ?? { link: null, links: 0, patch: null, patches: 0 };
    if (kind === 'kv') this.avatars.set(avatar, { ...counts, patch: index, patches: counts.patches + 1 });
    if (kind === 'link') {
      this.avatars.set(avatar, { ...counts, link: index, links: counts.links + 1 });
      this.entryOfLink.set(id, { index, name: name! });
      const held = this.identities.get(name!) ?? new Map<string, number>();
      this.identities.set(name!, held);
      if (action === 'create') held.set(avatar, index);
      else held.delete(avatar);
    }
    if (kind !== 'erased_link') return;
    const made = this.entryOfLink.get(id)!;
    const held = this.identities.get(made.name)!;
    if (held.get(avatar) === made.index) held.delete(avatar);
  }

  /** Counts an entry of the map itself. */
  pass(): void {
    this.index += 1;
  }

  /** 64 hex digits. */
  root(): string {
    return rootOf(this.trees().get('')!);
  }

  /** All trees: that of the map under an empty name, those of holders under the keys of their identities. */
  trees(): Map<string, Map<string, ReplayedLeaf>> {
    const map = new Map<string, ReplayedLeaf>();
    const trees = new Map([['', map]]);
    for (const [avatar, { link, links, patch, patches }] of this.avatars) {
      map.set(avatarKeyOf(avatar), { value: JSON.stringify({ link, links, patch, patches }) });
    }
    for (const [name, held] of this.identities) {
      if (held.size === 0) continue;
      const leaves = [...held].map(([avatar, link]) => ({ avatar, value: JSON.stringify({ link }) }));
      const holders = new Map(leaves.map((leaf) => [keyOf('holder', leaf.avatar), leaf]));
      trees.set(name, holders);
      map.set(name, { value: JSON.stringify({ holders: held.size, root: rootOf(holders) }) });
    }
    return trees;
  }
}

/** The root over keys (hex) with values. */
function rootOf(leaves: Map<string, ReplayedLeaf>): string {
  const sorted = [...leaves].sort(([one], [other]) => (one < other ? -1 : 1));
  return subtree(
    sorted.map(([key, { value }]) => ({ key: Buffer.from(key, 'hex'), value })),
    0,
  ).toString('hex');
}

function subtree(leaves: { key: Buffer; value: string }[], depth: number): Buffer {
  if (leaves.length === 0) return Buffer.alloc(32);
  if (leaves.length === 1) return sha256(Buffer.of(2), leaves[0]!.key, sha256(leaves[0]!.value));
  const isRight = ({ key }: { key: Buffer }) => ((key[depth >> 3]! >> (7 - (depth % 8))) & 1) === 1;
  const left = leaves.filter((leaf) => !isRight(leaf));
  return sha256(Buffer.of(3), subtree(left, depth + 1), subtree(leaves.slice(left.length), depth + 1));
}

/** What is wrong with the entries of the map of a log. */
export function problemsOfMap(entries: { bytes: Uint8Array; entry: ReplayedEntry }[]): string[] {
  const replay = new MapReplay();
  const problems: string[] = [];
  for (const [index, { bytes, entry }] of entries.entries()) {
    if (entry.kind !== 'map') {
      replay.apply(entry);
      continue;
    }
    const { root, size } = JSON.parse(Buffer.from(bytes).toString()) as { root: string; size: number };
    if (size !== index) problems.push(`entry ${index} commits to the map of ${size} entries`);
    if (root !== replay.root()) problems.push(`entry ${index} commits to another map than its entries give`);
    replay.pass();
  }
  return problems;
}
