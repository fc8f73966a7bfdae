import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DraftState } from '@signet/sdk';
import { UsageError } from './exit.js';
import { type Io, textOf } from './terminal/io.js';
import { configFolder } from './keys/key-store.js';
import { jsonFile } from './terminal/printer.js';

/** What was signed and is not recorded yet, in a file, so that a binding can go on later. Holds no secret. */
export class DraftFile {
  constructor(readonly name: string) {}

  /** Where a draft is kept when no file is named. */
  static placeFor(io: Io, uuid: string): string {
    // The uuid comes from a server, and becomes part of a path.
    return path.join(configFolder(io), 'drafts', `${uuid.replace(/[^0-9a-f-]/g, '')}.json`);
  }

  async write(state: DraftState): Promise<void> {
    await mkdir(path.dirname(path.resolve(this.name)), { recursive: true, mode: 0o700 });
    await writeFile(this.name, `${jsonFile(state, 2)}\n`, { mode: 0o600 });
  }

  /** @throws UsageError where it cannot be read or is not a draft */
  async read(): Promise<DraftState> {
    const text = await textOf(this.name);
    let state: Partial<DraftState> | null = null;
    try {
      state = JSON.parse(text) as Partial<DraftState> | null;
    } catch {
      // Said below.
    }
    const texts = [state?.platform, state?.identity, state?.avatar, state?.uuid, state?.created_at];
    const isDraft = state?.version === 1 && texts.every((value) => typeof value === 'string');
    if (isDraft && state?.extra && state.post_content) return state as DraftState;
    throw new UsageError(`${this.name} is not what signet bind --draft wrote.`);
  }

  exists(): Promise<boolean> {
    return stat(this.name).then(
      () => true,
      () => false,
    );
  }

  async remove(): Promise<void> {
    await rm(this.name, { force: true });
  }
}
