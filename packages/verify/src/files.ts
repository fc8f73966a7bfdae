/**
 * Files that people have saved: their bytes as text, and private keys that are encrypted in them. No input, no output;
 * `openKeyFile` needs Web Crypto, which browsers have on secure origins only.
 */
export type { KeyFileNames, KeyFileProblem } from './files/key-file.js';
export { describeKeyFile, KeyFileError, looksLikeKeyFile, openKeyFile } from './files/key-file.js';
export type { WordRules, WordsProblem } from './files/key-words.js';
export { problemOfWords, readWords, WORDS_PATH } from './files/key-words.js';
export { readTextFile, TextFileError } from './files/text-file.js';
