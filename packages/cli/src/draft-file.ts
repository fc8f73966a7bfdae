import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type DraftState, isSameName } from '@signet/sdk';
import { UsageError } from './exit.js';
import { type Io, textOf } from './terminal/io.js';
import { configFolder } from './keys/key-store.js';
import { jsonFile } from './terminal/printer.js';
import { replaceFile } from './terminal/written-file.js';

/** What was signed and is not recorded yet, in a file, so that a binding can go on later. Holds no secret. */
export class DraftFile {
  constructor(readonly name: string) {}

  /** Where a draft is kept when no file is named. */
  static placeFor(io: Io, uuid: string): string {
    // The uuid comes from a server, and becomes part of a path.
    return path.join(configFolder(io), 'drafts', `${uuid.replace(/[^0-9a-f-]/g, '')}.json`);
  }

  async write(state: DraftState): Promise<void> {
    await replaceFile(this.name, `${jsonFile(state, 2)}\n`);
  }

  /**
   * Refuses a file in whose place no draft of this binding is to be written: one that is no draft, or one of another
   * binding. @throws UsageError
   */
  async assertFree(platform: string, identity: string): Promise<void> {
    if (!(await this.exists())) return;
    const kept = await this.read().catch((error: unknown) => {
      if (error instanceof UsageError) return null;
      throw error;
    });
    if (kept?.platform === platform && isSameName(kept, identity)) return;
    const what = kept ? `the draft of ${kept.platform} ${kept.identity}` : 'no draft';
    throw new UsageError(`There is a file ${this.name} already, which is ${what}: name another one.`, 'file_exists');
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
