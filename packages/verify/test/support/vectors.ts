/** Vectors that others published, in the repository's test/vectors; the README there names their sources. */
import { readFileSync } from 'node:fs';

/** The members of a record of proof-links.json that are read here. */
export interface SignedRecord {
  public_key: string;
  payload: string;
  signature: string;
}

/** Reads a JSON file of test/vectors. */
export function readVectors<T>(file: string): T {
  return JSON.parse(readFileSync(new URL(`../../../../test/vectors/${file}`, import.meta.url), 'utf8')) as T;
}
