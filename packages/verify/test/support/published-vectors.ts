/** Our own vectors, in the repository's vectors/, for examples. */
import { readFileSync } from 'node:fs';

const VECTORS = new URL('../../../../vectors/', import.meta.url);

/** The vector of this id in a file there. */
export function vectorOf<Vector>(file: string, id: string): Vector {
  const { vectors } = JSON.parse(readFileSync(new URL(file, VECTORS), 'utf8')) as { vectors: { id: string }[] };
  const found = vectors.find((vector) => vector.id === id);
  if (!found) throw new Error(`${file} has no vector ${id}.`);
  return found as Vector;
}

/** A whole file, as text. */
export function fileOf(name: string): string {
  return readFileSync(new URL(name, VECTORS), 'utf8');
}
