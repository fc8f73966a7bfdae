import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A statement as a server of the service sent it. */
export interface SentStatement {
  text: string;
  /** Values of its first use in the text format of PostgreSQL; those sent as bytes as `\x` and hex. Absent: none. */
  values?: (string | null)[];
  /** Whether it came in the extended query protocol, or as a bare text of one or more statements. */
  isPrepared: boolean;
}

const SSL_REQUEST = 80_877_103;
const PARAMETERS_AS_BYTES = 1;

/**
 * Stands between a server and PostgreSQL, passes everything on, and keeps every distinct statement (PostgreSQL manual,
 * "Message Formats": Parse, Bind, Query).
 */
export class StatementListener {
  readonly statements = new Map<string, SentStatement>();

  private constructor(
    private readonly server: Server,
    /** The database, by the address of the listener. */
    readonly url: string,
  ) {}

  static async start(databaseUrl: string): Promise<StatementListener> {
    const { hostname, port } = new URL(databaseUrl);
    const server = createServer((client) => {
      const upstream = connect(Number(port), hostname);
      const reader = new FrontendReader((statement) => listener.keep(statement));
      client.on('data', (bytes) => reader.read(bytes));
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as [Socket, Socket][]) {
        from.pipe(to);
        from.on('error', () => to.destroy());
        from.on('close', () => to.destroy());
      }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(databaseUrl);
    url.port = String((server.address() as AddressInfo).port);
    const listener = new StatementListener(server, url.href);
    return listener;
  }

  close(): void {
    this.server.close();
  }

  private keep(statement: SentStatement): void {
    const known = this.statements.get(statement.text);
    // The text of a statement comes first, its values with the first use.
    if (!known || (known.values === undefined && statement.values)) this.statements.set(statement.text, statement);
  }
}

/** Cuts what a client sends into messages. */
class FrontendReader {
  private rest = Buffer.alloc(0);
  private isStarted = false;
  private readonly texts = new Map<string, string>();

  constructor(private readonly found: (statement: SentStatement) => void) {}

  read(bytes: Buffer): void {
    this.rest = Buffer.concat([this.rest, bytes]);
    for (;;) {
      const head = this.isStarted ? 1 : 0;
      if (this.rest.length < head + 8 - (this.isStarted ? 4 : 0)) return;
      const length = head + this.rest.readInt32BE(head);
      if (this.rest.length < length) return;
      const message = this.rest.subarray(0, length);
      this.rest = this.rest.subarray(length);
      if (!this.isStarted) this.isStarted = message.readInt32BE(4) !== SSL_REQUEST;
      else this.understand(String.fromCharCode(message[0]!), message.subarray(5));
    }
  }

  private understand(type: string, body: Buffer): void {
    if (type === 'Q') this.found({ text: textAt(body, 0).text, isPrepared: false });
    if (type === 'P') {
      const name = textAt(body, 0);
      const { text } = textAt(body, name.end);
      this.texts.set(name.text, text);
      this.found({ text, isPrepared: true });
    }
    if (type === 'B') {
      const portal = textAt(body, 0);
      const name = textAt(body, portal.end);
      const text = this.texts.get(name.text);
      if (text !== undefined) this.found({ text, values: valuesAt(body, name.end), isPrepared: true });
    }
  }
}

function textAt(bytes: Buffer, start: number): { text: string; end: number } {
  const end = bytes.indexOf(0, start);
  return { text: bytes.toString('utf8', start, end), end: end + 1 };
}

/** Formats of parameters, then their values, each behind its length. */
function valuesAt(body: Buffer, start: number): (string | null)[] {
  const formats = Array.from({ length: body.readInt16BE(start) }, (_, index) =>
    body.readInt16BE(start + 2 + 2 * index),
  );
  let at = start + 2 + 2 * formats.length;
  const count = body.readInt16BE(at);
  at += 2;
  return Array.from({ length: count }, (_, index) => {
    const length = body.readInt32BE(at);
    at += 4;
    if (length < 0) return null;
    const value = body.subarray(at, at + length);
    at += length;
    const format = formats.length === 1 ? formats[0] : formats[index];
    return format === PARAMETERS_AS_BYTES ? `\\x${value.toString('hex')}` : value.toString('utf8');
  });
}
