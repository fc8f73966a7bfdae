/**
 * COPY ... FROM STDIN for `pg`, which has no public way to do it: a query object that sends rows when the server asks
 * for them. Rows are pulled from an iterator and sent with back-pressure, so memory stays bounded whatever the number
 * of rows.
 */

const CHUNK_BYTES = 64 * 1024;

/**
 * Copies `rows` (arrays of text, numbers or null) into `table (columns)`.
 * @param {import('pg').Client} client @param {Iterable<(string | number | null)[]>} rows @returns {Promise<number>} the
 *   number of rows
 */
export async function copyIn(client, table, columns, rows) {
  return new Promise((resolve, reject) => {
    client.query(new CopyIn(`copy ${table} (${columns.join(', ')}) from stdin`, rows, resolve, reject));
  });
}

/** What `pg` calls back while the statement runs; the names are those of its protocol messages. */
class CopyIn {
  constructor(text, rows, resolve, reject) {
    this.text = text;
    this.rows = rows[Symbol.iterator]();
    this.resolve = resolve;
    this.reject = reject;
    this.count = 0;
  }

  submit(connection) {
    connection.query(this.text);
  }

  handleCopyInResponse(connection) {
    this.send(connection);
  }

  /** Fills the socket's buffer, then waits until it has drained. */
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

  handleError(error) {
    this.error = error;
    this.reject(error);
  }

  handleReadyForQuery() {
    if (!this.error) this.resolve(this.count);
  }
}

/** The text format of COPY: backslash, tab and line ends are escaped, null is `\N`. */
function field(value) {
  if (value === null) return '\\N';
  const text = String(value);
  return /[\\\t\n\r]/.test(text)
    ? text.replace(/[\\\t\n\r]/g, (character) => ({ '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' })[character])
    : text;
}
