import { patchText } from '../../src/kv/patches/patch-text.js';

const LIMITS = { KV_MAX_DEPTH: 3, KV_MAX_PATCH_BYTES: 40 };

function textOf(json: string, limits = LIMITS): string {
  return patchText(JSON.parse(json) as object, limits);
}

/** `value`, which counts how many of its members, at any depth, are read. */
function counting(value: object, reads: { count: number }): object {
  return new Proxy(value, {
    get(target, name): unknown {
      const member: unknown = Reflect.get(target, name);
      if (!Object.hasOwn(target, name) || name === 'length') return member;
      reads.count += 1;
      return typeof member === 'object' && member !== null ? counting(member, reads) : member;
    },
  });
}

describe('the canonical text of a patch', () => {
  it('is the same for any order of names and spelling of numbers', () => {
    expect(textOf('{ "b": 1.0, "a": 1e2, "c": -0 }')).toBe('{"a":100,"b":1,"c":0}');
    expect(textOf('{"a":100.0,"c":0,"b":1}')).toBe('{"a":100,"b":1,"c":0}');
  });

  it('takes the last of duplicate names', () => {
    expect(textOf('{"a":1,"a":2}')).toBe('{"a":2}');
  });

  it('counts bytes of UTF-8, and takes exactly as many as allowed', () => {
    const fits = `{"a":"${'é'.repeat(16)}"}`; // 8 bytes around 32

    expect(textOf(fits)).toBe(fits);
    expect(() => textOf(`{"a":"${'é'.repeat(16)}x"}`)).toThrow(
      expect.objectContaining({
        code: 'patch_too_large',
        message: expect.stringMatching(/more than 40 bytes/) as string,
      }) as Error,
    );
  });

  it('takes as many levels as allowed', () => {
    expect(textOf('{"a":[{}]}')).toBe('{"a":[{}]}');
    expect(() => textOf('{"a":[{"b":[]}]}')).toThrow(
      expect.objectContaining({
        code: 'nesting_too_deep',
        message: expect.stringMatching(/more than 3 levels/) as string,
      }) as Error,
    );
  });

  it('refuses a patch so deep that it would overflow the stack', () => {
    const deep = JSON.parse(`{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`) as object;

    expect(() => patchText(deep, { ...LIMITS, KV_MAX_PATCH_BYTES: 1_000_000 })).toThrow(
      expect.objectContaining({ code: 'nesting_too_deep' }) as Error,
    );
  });

  it.each<[string, object]>([
    ['many names', Object.fromEntries(Array.from({ length: 120_000 }, (_, index) => [`n${index}`, 1]))],
    ['many lists', { a: Array.from({ length: 300_000 }, () => []) }],
    ['many numbers', { a: Array.from({ length: 500_000 }, () => 1) }],
    ['long texts', { a: ['x'.repeat(1_000_000)] }],
    ['many levels', JSON.parse(`{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`) as object],
  ])('looks no further into a patch of %s than its limit goes', (_what, patch) => {
    const reads = { count: 0 };

    expect(() => patchText(counting(patch, reads), { KV_MAX_DEPTH: 64, KV_MAX_PATCH_BYTES: 65_536 })).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/patch_too_large|nesting_too_deep/) as string }) as Error,
    );

    // Each value has a byte at least, so no more values than bytes are read before the patch is known to be too large.
    expect(reads.count).toBeLessThan(70_000);
  });

  it('counts no byte too many before it makes a patch canonical', () => {
    for (const text of ['{"a":[],"b":{},"c":[1,-2,true,null,""],"d":{"e":"\\u0001"}}', '{}', '{"":0}']) {
      const canonical = JSON.stringify(JSON.parse(text));
      const limits = { KV_MAX_DEPTH: 9, KV_MAX_PATCH_BYTES: Buffer.byteLength(canonical) };

      expect(textOf(text, limits)).toBe(canonical);
    }
  });

  it.each<[string, object, number]>([
    ['a text', { a: `${'x'.repeat(32)}\0` }, 40],
    ['a text behind others that are as long as allowed', { a: 'x'.repeat(27), b: '\0' }, 40],
    ['a list that begins where the limit is', { a: ['\0'] }, 8],
    ['names', { [`${'x'.repeat(36)}\0`]: 0 }, 41],
  ])('is not looked for where it is longer than allowed already: %s', (_what, patch, bytes) => {
    const coded = (code: string) => expect.objectContaining({ code }) as Error;
    const limits = (limit: number) => ({ KV_MAX_DEPTH: 3, KV_MAX_PATCH_BYTES: limit });

    expect(() => patchText(patch, limits(bytes))).toThrow(coded('patch_too_large'));
    // The least that it takes is not too much by any more: now it is looked at.
    expect(() => patchText(patch, limits(bytes + 5))).toThrow(coded('unstorable_text'));
  });

  it.each([
    ['U+0000 in a value', '{"a":["x\\u0000"]}'],
    ['U+0000 in a name', '{"a":{"x\\u0000":1}}'],
    ['a lone high surrogate in a value', '{"a":"\\ud83d"}'],
    ['a lone low surrogate in a name', '{"\\udc34":1}'],
  ])('refuses %s', (_what, json) => {
    expect(() => textOf(json)).toThrow(expect.objectContaining({ code: 'unstorable_text' }) as Error);
  });

  it('takes whole surrogate pairs', () => {
    expect(textOf('{"\\ud83d\\udc34":"🐴"}')).toBe('{"🐴":"🐴"}');
  });

  it('refuses a number beyond the range of doubles, and takes one that is rounded', () => {
    expect(() => textOf('{"a":[1e400]}')).toThrow(expect.objectContaining({ code: 'number_out_of_range' }) as Error);
    expect(textOf('{"a":9007199254740993,"b":1e-400}')).toBe('{"a":9007199254740992,"b":0}');
  });
});
