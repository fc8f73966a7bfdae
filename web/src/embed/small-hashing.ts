/**
 * Stands for what the hashes of `@noble/hashes` share, in the one file of `<signet-proof>`: without looks at arguments,
 * which are bytes that the rules made, and for little-endian machines, which all are that have a browser. A test holds
 * the hashes over it against those of the library.
 */

/** One hash that is being computed. */
interface Hashing {
  update(bytes: Uint8Array): { digest(): Uint8Array };
}

export const createHasher = (begin: () => Hashing) => (bytes: Uint8Array) => begin().update(bytes).digest();
export const clean = (...arrays: Uint32Array[]): void => arrays.forEach((array) => array.fill(0));
export const createView = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
export const rotr = (word: number, shift: number): number => (word << (32 - shift)) | (word >>> shift);
export const u32 = (bytes: Uint8Array): Uint32Array =>
  new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);

const nothing = (): void => {};
export {
  nothing as abool,
  nothing as abytes,
  nothing as aexists,
  nothing as anumber,
  nothing as aoutput,
  nothing as checkOpts,
  nothing as oidNist,
  nothing as swap32IfBE,
};
