/**
 * COPY ... FROM STDIN for `pg`, which has no public way to do it: a query object that sends rows when the server asks
 * for them. Rows are pulled from an iterator and sent with back-pressure, so memory stays bounded whatever the number
 * of rows.
 */

/**
 * @typedef {string | number | boolean | null} Cell
 *
 * What `pg` gives to a query object; none of it is among its types.
 * @typedef {object} CopyConnection
 * @property {(text: string) => void} query
 * @property {(chunk: Buffer) => void} sendCopyFromChunk
 * @property {() => void} endCopyFrom
 * @property {import('node:net').Socket} stream
 */

const CHUNK_BYTES = 64 * 1024;

/**
 * Copies `rows` (arrays of text, numbers or null) into `table (columns)`.
 * @param {import('pg').Client} client
 * @param {string} table
 * @param {string[]} columns
 * @param {Iterable<Cell[]>} rows
 * @returns {Promise<number>} the number of rows
 */
export async function copyIn(client, table, columns, rows) {
  return new Promise((resolve, reject) => {
    client.query(new CopyIn(`copy ${table} (${columns.join(', ')}) from stdin`, rows, resolve, reject));
  });
}

/** What `pg` calls back while the statement runs; the names are those of its protocol messages. */
class CopyIn {
  /**
   * @param {string} text
   * @param {Iterable<Cell[]>} rows
   * @param {(count: number) => void} resolve
   * @param {(error: Error) => void} reject
   */
  constructor(text, rows, resolve, reject) {
    this.text = text;
    this.rows = rows[Symbol.iterator]();
    this.resolve = resolve;
    this.reject = reject;
    this.count = 0;
  }

  /** @param {CopyConnection} connection */
  submit(connection) {
    connection.query(this.text);
  }

  /** @param {CopyConnection} connection */
  handleCopyInResponse(connection) {
    this.send(connection);
  }

  /**
   * Fills the socket's buffer, then waits until it has drained.
   * @param {CopyConnection} connection
   */
  send(connection) {
    for (;;) {
      let chunk = '';
      while (chunk.length < CHUNK_BYTES) {
        const { value, done } = this.rows.next();
        if (done) {
          if (chunk) connection.sendCopyFromChunk(Buffer.from(chunk));
          connection.endCopyFrom();
          return;
        }
        chunk += `${value.map(field).join('\t')}\n`;
        this.count++;
      }
      connection.sendCopyFromChunk(Buffer.from(chunk));
      if (connection.stream.writableNeedDrain) {
        connection.stream.once('drain', () => this.send(connection));
        return;
      }
    }
  }

  handleCommandComplete() {}

  /** @param {Error} error */
  handleError(error) {
    this.error = error;
    this.reject(error);
  }

  handleReadyForQuery() {
    if (!this.error) this.resolve(this.count);
  }
}

/** @type {Record<string, string>} */
const ESCAPED = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/**
 * The text format of COPY: backslash, tab and line ends are escaped, null is `\N`.
 * @param {Cell} value
 */
function field(value) {
  if (value === null) return '\\N';
  const text = String(value);
  return /[\\\t\n\r]/.test(text) ? text.replace(/[\\\t\n\r]/g, (character) => ESCAPED[character]) : text;
}
