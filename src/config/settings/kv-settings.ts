import { IsIn } from 'class-validator';
import { Int } from '../setting-kinds.js';

/** The key-value service. */
export class KvSettings {
  /** `open`: an Avatar writes under any identity of its own; `bound`: it must hold a valid proof of that identity. */
  @IsIn(['open', 'bound'])
  KV_WRITE_POLICY: 'open' | 'bound' = 'open';

  /** Bytes of a patch as canonical JSON. */
  @Int(1)
  KV_MAX_PATCH_BYTES: number = 64 * 1024;

  /** Bytes of the content of one entry as canonical JSON. */
  @Int(1)
  KV_MAX_ENTRY_BYTES: number = 1024 * 1024;

  /** Bytes of all content of one Avatar as canonical JSON. */
  @Int(1)
  KV_MAX_AVATAR_BYTES: number = 4 * 1024 * 1024;

  /** Levels of nesting of a patch and of content. */
  @Int(1, 512)
  KV_MAX_DEPTH: number = 64;

  /** Entries of one Avatar. */
  @Int(1)
  KV_MAX_ENTRIES: number = 1000;
}
