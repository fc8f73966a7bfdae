import { applyMergePatch, canonicalJson } from '@signet/verify';
import { readVectors } from '../crypto/vectors.js';

interface MergeVectors {
  appendix_a: { id: string; original: unknown; patch: unknown; result: unknown }[];
  further: { id: string; original_json: string; patch_json: string; result_json: string }[];
}

const { appendix_a: appendixA, further } = readVectors<MergeVectors>('merge-patch.json');

/** Merges JSON texts; the answer is canonical JSON, so that members named `__proto__` are compared too. */
function merged(original: string, patch: string): string {
  return canonicalJson(applyMergePatch(JSON.parse(original), JSON.parse(patch)));
}

describe('the examples of RFC 7396', () => {
  it.each(appendixA.map((row) => [row.id, row] as const))('merges %s', (_id, { original, patch, result }) => {
    expect(merged(JSON.stringify(original), JSON.stringify(patch))).toBe(canonicalJson(result));
  });

  it('has all fifteen of them', () => {
    expect(appendixA).toHaveLength(15);
  });
});

describe('further cases of merge patches', () => {
  it.each(further.map((row) => [row.id, row] as const))('merges %s', (_id, row) => {
    expect(merged(row.original_json, row.patch_json)).toBe(canonicalJson(JSON.parse(row.result_json)));
  });
});

describe('names that mean something to JavaScript', () => {
  const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'toJSON', '', '0', '10'];

  it.each(NAMES)('keeps a member named "%s" as plain data', (name) => {
    const member = JSON.stringify(name);

    expect(merged('{"a":1}', `{${member}:{"x":1}}`)).toBe(canonicalJson(JSON.parse(`{"a":1,${member}:{"x":1}}`)));
    expect(merged(`{${member}:{"x":1}}`, `{${member}:{"y":2}}`)).toBe(`{${member}:{"x":1,"y":2}}`);
    expect(merged(`{${member}:1,"a":1}`, `{${member}:null}`)).toBe('{"a":1}');
    expect(merged('{"a":1}', `{${member}:null}`)).toBe('{"a":1}');
  });

  it('merges into nothing inherited: an absent __proto__ starts empty', () => {
    expect(merged('{}', '{"__proto__":{"toString":{"x":1}},"constructor":{"prototype":{"y":null}}}')).toBe(
      '{"__proto__":{"toString":{"x":1}},"constructor":{"prototype":{}}}',
    );
  });

  it('never changes a prototype', () => {
    const before = Reflect.ownKeys(Object.prototype);
    const patch: unknown = JSON.parse(
      '{"__proto__":{"polluted":1,"toString":2},"constructor":{"prototype":{"polluted":1}},"a":{"__proto__":{"polluted":1}}}',
    );

    const once = applyMergePatch({}, patch);
    const twice = applyMergePatch(once, patch) as object;

    expect(Reflect.ownKeys(Object.prototype)).toEqual(before);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(Object.getPrototypeOf(twice)).toBe(Object.prototype);
    expect(String({})).toBe('[object Object]');
  });
});

it('changes neither the content nor the patch it is given', () => {
  const content = JSON.parse('{"a":{"b":[1]},"c":1}') as object;
  const patch = JSON.parse('{"a":{"d":{"e":null,"f":1}},"c":null}') as object;

  applyMergePatch(content, patch);

  expect(content).toEqual({ a: { b: [1] }, c: 1 });
  expect(patch).toEqual({ a: { d: { e: null, f: 1 } }, c: null });
});
