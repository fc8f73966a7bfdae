/** What the commands share: options of all of them, a client, a key, a printer. */
import { Command } from 'commander';
import path from 'node:path';
import { type Client, createClient, type LogOptions, type TransportOptions } from '@signet/sdk';
import { UsageError } from './exit.js';
import type { Io } from './terminal/io.js';
import { configFolder, KeyStore } from './keys/key-store.js';
import { Printer } from './terminal/printer.js';
import { Prompter } from './terminal/prompter.js';
import { type CompleteFlags, type HereFlags, policyText, rootKeysIn } from './trust.js';
import { FileHeadStore, FileReceiptStore } from './state-file.js';

/** Options that every command takes. */
export interface GlobalOptions {
  server?: string;
  key?: string;
  json?: boolean;
  timeout?: number;
}

const DEFAULT_SERVER = 'http://localhost:3000';

/** One run of one command. */
export class Session {
  readonly printer: Printer;
  readonly keys: KeyStore;
  readonly baseUrl: string;

  constructor(
    readonly io: Io,
    readonly prompter: Prompter,
    private readonly options: GlobalOptions,
  ) {
    this.printer = new Printer(io, options.json === true);
    this.keys = new KeyStore(io, prompter, options.key);
    this.baseUrl = options.server ?? (io.env['SIGNET_SERVER'] || DEFAULT_SERVER);
  }

  /** Ends requests and waiting when the person presses Ctrl-C. */
  get signal(): AbortSignal {
    return this.io.signal;
  }

  /** A client that checks every answer that has signatures, but for commands that check by themselves. */
  client({
    trustServer = false,
    baseUrl = this.baseUrl,
    log: trust = {},
  }: { trustServer?: boolean; baseUrl?: string; log?: Omit<LogOptions, 'receipts'> } = {}): Client {
    // What was recorded is recorded, also where its receipt cannot be kept.
    const tell = (problem: string) => this.printer.note(`The receipt is not kept: ${problem}`);
    const log = { receipts: new FileReceiptStore(receiptsFile(this.io), tell), ...trust };
    return createClient({ ...this.transportOptions(baseUrl), trustServer, log });
  }

  /**
   * A client that checks every answer. With `--shown-here` it refuses what rests on the word of the server, with
   * `--shown-by-platform` what neither a wallet nor its platform has signed, with `--complete` what the map over the
   * log does not prove to be all; with the latter two it asks the log, whose heads are remembered.
   * @throws UsageError if the policy cannot be used
   */
  async lookUpClient(flags: CompleteFlags & HereFlags): Promise<Client> {
    const { shownHere, shownByPlatform, complete, ...trust } = flags;
    const platform = shownByPlatform === true && { rootKeys: rootKeysIn(flags) };
    const heads = new FileHeadStore(path.join(configFolder(this.io), 'log-heads.json'));
    const policy = await policyText(trust, this.printer);
    return createClient({
      ...this.transportOptions(),
      demand: { complete: complete === true, here: shownHere === true, platform },
      log: complete || platform ? { heads, policy, logKey: trust.logKey, witnessSeconds: trust.witnessSeconds } : {},
    });
  }

  /** How the server is reached. @throws UsageError */
  transportOptions(baseUrl = this.baseUrl): TransportOptions {
    const { timeout } = this.options;
    const limits = timeout === undefined ? {} : { timeoutMs: timeout * 1000, totalTimeoutMs: timeout * 1000 };
    return { baseUrl: checkedUrl(baseUrl), ...limits };
  }
}

/** Where receipts of writes are kept. */
function receiptsFile(io: Io): string {
  return path.join(configFolder(io), 'log-receipts.json');
}

/** A quiet line about the receipt of a write, if there is one. */
export function showReceipt({ printer }: Session, receipt: string | null): void {
  if (receipt !== null) printer.line(printer.styled('Its receipt is kept; signet log receipts checks it.', 'dim'));
}

/** @throws UsageError for what is not the URL of a server */
export function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text;
  throw new UsageError(`${JSON.stringify(text)} is not the URL of a server, such as https://signet.example.`);
}

/** What a command is made of; `commands.ts` lists them. */
export interface CommandDefinition {
  /** Words behind `signet` and arguments, such as `kv get [avatar]`. */
  usage: string;
  /** One line. */
  summary: string;
  /** What else there is to say in the help, where it is wrapped. */
  details?: string;
  /** Lines that work, of at most 96 characters, each with what it does. */
  examples: [command: string, what: string][];
  /** Adds options. */
  options?: (command: Command) => Command;
  /** @throws UsageError, RefusedError, SignetError, … : see exit.ts */
  run: (session: Session, words: (string | undefined)[], options: never, command: Command) => Promise<void> | void;
}

/** A definition whose options have a type. */
export function defineCommand<Options>(
  definition: Omit<CommandDefinition, 'run'> & {
    run: (session: Session, words: (string | undefined)[], options: Options, command: Command) => Promise<void> | void;
  },
): CommandDefinition {
  return definition;
}
