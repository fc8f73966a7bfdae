import { tilePath, type TilePath } from '@signet/verify/log';

/** Bytes of full tiles and bundles that a process keeps: some 1,000 tiles of hashes, or 300 bundles of entries. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Full tiles and bundles, which never change; those that were not asked for the longest are forgotten. */
export class TileCache {
  private readonly files = new Map<string, Uint8Array>();
  private bytes = 0;

  get(path: TilePath): Uint8Array | undefined {
    const key = tilePath(path);
    const file = this.files.get(key);
    if (!file) return undefined;
    this.files.delete(key);
    this.files.set(key, file);
    return file;
  }

  /** Whether it is there; does not count as asking for it. */
  has(path: TilePath): boolean {
    return this.files.has(tilePath(path));
  }

  set(path: TilePath, file: Uint8Array): void {
    const key = tilePath(path);
    if (this.files.has(key)) return;
    this.files.set(key, file);
    this.bytes += file.byteLength;
    for (const [oldest, { byteLength }] of this.files) {
      if (this.bytes <= MAX_BYTES) return;
      this.files.delete(oldest);
      this.bytes -= byteLength;
    }
  }
}
