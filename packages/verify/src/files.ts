/**
 * Files that people have saved: their bytes as text, and private keys that are encrypted in them. No input, no output;
 * `openKeyFile` and `makeKeyFile` need Web Crypto, which browsers have on secure origins only.
 */
export type { KeyFileNames, KeyFileProblem } from './files/key-file.js';
export { describeKeyFile, KeyFileError, looksLikeKeyFile, openKeyFile } from './files/key-file.js';
export type { ScryptCost } from './files/make-key-file.js';
export { makeKeyFile } from './files/make-key-file.js';
export { readTextFile, TextFileError } from './files/text-file.js';
