/** Questions to a person at a terminal, and the line that says what is waited for. */
import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { UsageError } from '../exit.js';
import type { Io } from './io.js';

/** Asks on standard error, so that results can go elsewhere; never where standard input is not a terminal. */
export class Prompter {
  private reader: Interface | undefined;
  private isSecret = false;
  private readonly lines: string[] = [];
  private waiting: { resolve: (line: string) => void; reject: (reason: unknown) => void } | undefined;
  private isEnded = false;

  constructor(
    private readonly io: Io,
    private readonly interrupt: () => void,
  ) {}

  /** Whether a person can be asked: standard input is a terminal. */
  get isPossible(): boolean {
    return this.io.stdin.isTTY === true;
  }

  /**
   * The answer to a question, without the blanks around it.
   * @throws UsageError with `otherwise`, which says what to do without a terminal
   */
  async ask(question: string, otherwise: string): Promise<string> {
    return (await this.read(`${question} `, otherwise, false)).trim();
  }

  /** Asks for a secret: what is typed is not shown, and nothing of it is cut off. */
  async askSecret(question: string, otherwise: string): Promise<string> {
    return this.read(`${question} `, otherwise, true);
  }

  /** Gives the terminal back. */
  close(): void {
    this.reader?.close();
  }

  private async read(question: string, otherwise: string, isSecret: boolean): Promise<string> {
    if (!this.isPossible)
      throw new UsageError(`Standard input is not a terminal, so nobody can be asked: ${otherwise}`);
    this.io.signal.throwIfAborted();
    const reader = (this.reader ??= this.open());
    this.isSecret = false;
    reader.setPrompt(isSecret ? '' : question);
    if (isSecret) this.io.stderr.write(question);
    else reader.prompt();
    this.isSecret = isSecret;
    try {
      return this.lines.shift() ?? (await this.nextLine());
    } finally {
      if (isSecret) this.io.stderr.write('\n');
      this.isSecret = false;
    }
  }

  private nextLine(): Promise<string> {
    if (this.isEnded) throw new UsageError('The input ended before the answer.');
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.io.signal.addEventListener('abort', () => reject(this.io.signal.reason as Error), { once: true });
    });
  }

  private open(): Interface {
    const output = new Writable({
      write: (part: Buffer, _encoding, done) => {
        if (!this.isSecret) this.io.stderr.write(part);
        done();
      },
    });
    const reader = createInterface({ input: this.io.stdin, output, terminal: true, historySize: 0 });
    // Lines that are typed ahead wait for their question.
    reader.on('line', (line) => {
      const { waiting } = this;
      this.waiting = undefined;
      if (waiting) waiting.resolve(line);
      else this.lines.push(line);
    });
    // The terminal is in raw mode, so Ctrl-C is a key.
    reader.on('SIGINT', this.interrupt);
    reader.on('close', () => {
      this.isEnded = true;
      this.waiting?.reject(new UsageError('The input ended before the answer.'));
    });
    return reader;
  }
}

/** One line on standard error that says what is waited for; where that is not a terminal, a line for each change. */
export class ProgressLine {
  private length = 0;

  constructor(private readonly io: Io) {}

  show(text: string): void {
    const { stderr } = this.io;
    if (!stderr.isTTY) {
      stderr.write(`${text}\n`);
      return;
    }
    const shown = [...text].slice(0, (stderr.columns ?? 80) - 1).join('');
    stderr.write(`\r${shown}${' '.repeat(Math.max(0, this.length - shown.length))}`);
    this.length = shown.length;
  }

  /** Removes the line. */
  clear(): void {
    if (this.length > 0) this.io.stderr.write(`\r${' '.repeat(this.length)}\r`);
    this.length = 0;
  }
}
