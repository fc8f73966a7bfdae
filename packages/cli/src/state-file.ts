import { readFile } from 'node:fs/promises';
import type { HeadStore, KeptReceipt, ReceiptStore, StoredHead } from '@signet/sdk/log';
import { UsageError } from './exit.js';
import { jsonFile } from './terminal/printer.js';
import { replaceFile } from './terminal/written-file.js';

/**
 * The JSON object in a file, or null where there is no file.
 * @param isItem whether a member of the object is one of such a state
 * @throws UsageError where it cannot be read, or is the file of something else
 */
export async function readState<State extends object>(
  name: string,
  isItem: (value: unknown, key: string) => boolean = () => true,
): Promise<State | null> {
  let state: unknown;
  try {
    state = JSON.parse(await readFile(name, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new UsageError(`${name} cannot be read (${code ?? 'it is not JSON'}).`);
  }
  const isOne = typeof state === 'object' && state !== null && !Array.isArray(state);
  if (isOne && Object.entries(state as object).every(([key, value]) => isItem(value, key))) return state as State;
  throw new UsageError(`${name} is not a file that this command has written: name another one, or remove it.`);
}

async function writeState(name: string, state: unknown): Promise<void> {
  await replaceFile(name, `${jsonFile(state)}\n`);
}

/** Of the time, what may go into keeping a state that changes all the while. */
const PART_FOR_KEEPING = 1 / 20;

/** Keeps a state in a file, if there is one. */
export class StateKeeper {
  private dueAt = 0;

  constructor(
    private readonly file: string | undefined,
    private readonly now = () => performance.now(),
  ) {}

  async keep(state: unknown): Promise<void> {
    if (this.file === undefined) return;
    const startedAt = this.now();
    await writeState(this.file, state);
    const endedAt = this.now();
    this.dueAt = endedAt + (endedAt - startedAt) / PART_FOR_KEEPING;
  }

  /** Writes the state unless writing takes too much of the time: that of a long log has a line for each Avatar. */
  async keepSometimes(state: unknown): Promise<void> {
    if (this.now() >= this.dueAt) await this.keep(state);
  }
}

/** Heads of logs in a file, by the base URL of the server, so that a second history is noticed by a later run. */
export class FileHeadStore implements HeadStore {
  constructor(private readonly name: string) {}

  async get(key: string): Promise<StoredHead | null> {
    return (await this.all())[key] ?? null;
  }

  async replace(key: string, previous: StoredHead | null, head: StoredHead): Promise<boolean> {
    const heads = await this.all();
    if ((heads[key]?.note ?? null) !== (previous?.note ?? null)) return false;
    await writeState(this.name, { ...heads, [key]: head });
    return true;
  }

  private async all(): Promise<{ [key: string]: StoredHead }> {
    return (await readState<{ [key: string]: StoredHead }>(this.name, isHead)) ?? {};
  }
}

/** Receipts of writes in a file, by the base URL of the server, for `signet log receipts`. */
export class FileReceiptStore implements ReceiptStore {
  /** `onProblem` gets why a receipt could not be kept, which is no reason to call a write failed. */
  constructor(
    private readonly name: string,
    private readonly onProblem: (problem: string) => void,
  ) {}

  async all(key: string): Promise<KeptReceipt[]> {
    return (await this.read())[key] ?? [];
  }

  async add(key: string, kept: KeptReceipt): Promise<void> {
    const add = this.replace(key, (all) => [...all.filter(({ uuid }) => uuid !== kept.uuid), kept]);
    await add.catch((error: Error) => this.onProblem(error.message));
  }

  async remove(key: string, uuid: string): Promise<void> {
    await this.replace(key, (all) => all.filter((one) => one.uuid !== uuid));
  }

  private async replace(key: string, change: (all: KeptReceipt[]) => KeptReceipt[]): Promise<void> {
    const receipts = await this.read();
    await writeState(this.name, { ...receipts, [key]: change(receipts[key] ?? []) });
  }

  private async read(): Promise<{ [key: string]: KeptReceipt[] }> {
    return (await readState<{ [key: string]: KeptReceipt[] }>(this.name, areReceipts)) ?? {};
  }
}

function isHead(value: unknown): boolean {
  return hasTexts(value, 'note', 'verifierKey');
}

function areReceipts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => hasTexts(one, 'uuid', 'receipt', 'verifierKey'));
}

function hasTexts(value: unknown, ...names: string[]): boolean {
  return names.every((name) => typeof (value as { [name: string]: unknown } | null)?.[name] === 'string');
}
