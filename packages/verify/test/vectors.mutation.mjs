/**
 * The shared vectors, one by one and in this process, for `npm run test:mutation`, which sees only what runs in it.
 * `npm test` has all of them judged by the built package: see shared-vectors.spec.ts.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { canonicalJson } from '../src/index.js';
import { JUDGES } from '../../../scripts/vectors/package-verifier.mjs';

const FOLDER = fileURLToPath(new URL('../../../vectors/', import.meta.url));

describe.each(Object.entries(JUDGES))('vectors/%s', (file, judge) => {
  const { vectors } = JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8'));

  it.each(vectors.map((vector) => [vector.id, vector]))('is judged as it says: %s', async (_id, vector) => {
    const seen = JSON.parse(JSON.stringify(await judge(vector, FOLDER)));

    expect(canonicalJson(seen)).toBe(canonicalJson(vector.expected));
  });
});
