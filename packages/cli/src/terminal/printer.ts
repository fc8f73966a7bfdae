/** What is printed: tables and sentences for people, or one JSON object a line for programs. */
import { RefusedError } from '../exit.js';
import type { Io, Output } from './io.js';

/** Escape sequences of a terminal (ECMA-48, "Select graphic rendition"). */
const STYLES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;
export type Style = keyof typeof STYLES;

/**
 * Control characters and those that turn the direction of writing: text of others must not move the cursor, colour what
 * it likes or pass for another name.
 */
const UNPRINTABLE = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

/**
 * What a terminal acts on, without what texts of people hold, such as the joiners of emoji: C0 but line feed and
 * tab, DEL, C1, and the marks that turn the direction of writing (Unicode, "Bidirectional Algorithm").
 */
const STEERING = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** What `Printer.styled` writes, which stays. */
const STYLE_SOURCE = `${String.fromCharCode(27)}\\[[0-3]{1,2}m`;
const STYLE = new RegExp(`^${STYLE_SOURCE}$`);
const STEERING_OR_STYLE = new RegExp(`${STYLE_SOURCE}|${STEERING.source}`, 'gu');

/** A column of a table. */
export interface Column<Row> {
  title: string;
  text: (row: Row) => string;
  style?: (row: Row) => Style | undefined;
}

/** Text of others for a terminal: what could do harm is shown as `\u{1b}`. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/** Text of others that has to stay as it is, such as a post: only what steers a terminal is shown otherwise. */
export function printableText(text: string): string {
  return text.replace(STEERING, printable);
}

/** Whether a text holds what steers a terminal. */
export function steersTerminal(text: string): boolean {
  return text.search(STEERING) >= 0;
}

/** One line of JSON in which nothing can steer a terminal either. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(UNPRINTABLE, escaped);
}

/**
 * JSON for a file, which may be shown on a terminal: as `JSON.stringify` writes it, but with `\u202e` and its like for
 * the characters that steer one. Every reader reads the same of it.
 */
export function jsonFile(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(STEERING, escaped);
}

/** As JSON writes a character of the Basic Multilingual Plane (RFC 8259, section 7). */
function escaped(character: string): string {
  return `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`;
}

/** A time for people: UNIX seconds, as text or number, in UTC. */
export function timeText(unixSeconds: string | number): string {
  const time = new Date(Number(unixSeconds) * 1000);
  return Number.isNaN(time.getTime()) ? printable(String(unixSeconds)) : time.toISOString().replace('.000Z', 'Z');
}

/** Prints results in one of the two forms. */
export class Printer {
  constructor(
    private readonly io: Io,
    readonly isJson: boolean,
  ) {}

  /** One object a line with `--json`; nothing otherwise. */
  json(value: unknown): void {
    if (this.isJson) this.write(this.io.stdout, jsonLine(value));
  }

  /** A line for people; nothing with `--json`. Text of others goes through `printable` first. */
  line(text = ''): void {
    if (!this.isJson) this.write(this.io.stdout, text);
  }

  /** A line beside the result, such as a hint: on standard error, in both forms. */
  note(text: string): void {
    this.write(this.io.stderr, text);
  }

  /**
   * Prints exactly this text, in both forms of output: for files.
   * @throws RefusedError for a text that steers terminals
   */
  raw(text: string): void {
    if (steersTerminal(text)) {
      throw new RefusedError('What was to be written holds control characters, so it was not.', 'control_characters');
    }
    this.write(this.io.stdout, text);
  }

  /** In colour where standard output is a terminal and NO_COLOR is not set (https://no-color.org). */
  styled(text: string, style: Style | undefined): string {
    return style && hasColours(this.io.stdout, this.io) ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text;
  }

  /** Rows under titles. With `--json` each row is one line. */
  table<Row>(rows: Row[], columns: Column<Row>[]): void {
    if (this.isJson) {
      for (const row of rows) this.json(row);
      return;
    }
    const texts = rows.map((row) => columns.map(({ text }) => printable(text(row))));
    const widths = columns.map(({ title }, at) =>
      Math.max(title.length, ...texts.map((cells) => [...cells[at]!].length)),
    );
    const pad = (text: string, at: number) =>
      at === columns.length - 1 ? text : text + ' '.repeat(widths[at]! - [...text].length);
    this.line(this.styled(columns.map(({ title }, at) => pad(title, at)).join('  '), 'dim'));
    for (const [index, cells] of texts.entries()) {
      this.line(cells.map((text, at) => this.styled(pad(text, at), columns[at]!.style?.(rows[index]!))).join('  '));
    }
  }

  /** Names and values, one below the other. With `--json` one object. */
  fields(value: { [name: string]: string | number | boolean | null | undefined }): void {
    if (this.isJson) {
      this.json(value);
      return;
    }
    const shown = Object.entries(value).filter(([, text]) => text !== undefined && text !== null && text !== '');
    const width = Math.max(...shown.map(([name]) => name.length));
    for (const [name, text] of shown) {
      this.line(`${this.styled(name.padEnd(width), 'dim')}  ${printable(String(text))}`);
    }
  }

  /** Text of others is made printable by the callers; what one of them forgot cannot steer the terminal either. */
  private write(stream: Output, text: string): void {
    const isColoured = hasColours(stream, this.io);
    const shown = text.replace(STEERING_OR_STYLE, (found) =>
      isColoured && STYLE.test(found) ? found : printable(found),
    );
    stream.write(`${shown}\n`);
  }
}

function hasColours(stream: Output, { env }: Io): boolean {
  return stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}
