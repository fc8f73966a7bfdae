/** DNS records in wire format without compression, as RFC 9102 has them. */

/** Types of records. */
export const [TXT, DS, RRSIG] = [16, 43, 46];

/** The records of a chain, each a name without compression, ten bytes and its data. @param {Buffer} bytes */
export function recordsOf(bytes) {
  /** @type {Buffer[]} */
  const records = [];
  for (let at = 0; at < bytes.length;) {
    const end = dataOf(bytes, at) + bytes.readUInt16BE(dataOf(bytes, at) - 2);
    records.push(bytes.subarray(at, end));
    at = end;
  }
  return records;
}

/** Where the data of a record begins. @param {Buffer} bytes @param {number} at */
function dataOf(bytes, at) {
  let end = at;
  while (bytes[end] !== 0) end += 1 + bytes[end];
  return end + 11;
}

/** The type of a record, and that which a signature covers; 0 for others. @param {Buffer} record */
export function kindOf(record) {
  const data = dataOf(record, 0);
  const type = record.readUInt16BE(data - 10);
  return { type, covers: type === RRSIG ? record.readUInt16BE(data) : 0 };
}
