import { patchText } from '../../src/kv/patch-text.js';

const LIMITS = { KV_MAX_DEPTH: 3, KV_MAX_PATCH_BYTES: 40 };

function textOf(json: string, limits = LIMITS): string {
  return patchText(JSON.parse(json) as object, limits);
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
        message: expect.stringMatching(/41 bytes.* at most 40/) as string,
      }) as Error,
    );
  });

  it('takes as many levels as allowed and says how many were seen', () => {
    expect(textOf('{"a":[{}]}')).toBe('{"a":[{}]}');
    expect(() => textOf('{"a":[{"b":[]}]}')).toThrow(
      expect.objectContaining({
        code: 'nesting_too_deep',
        message: expect.stringMatching(/4 levels.* at most 3/) as string,
      }) as Error,
    );
  });

  it('refuses a patch so deep that it would overflow the stack', () => {
    const deep = JSON.parse(`{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`) as object;

    expect(() => patchText(deep, LIMITS)).toThrow(
      expect.objectContaining({
        code: 'nesting_too_deep',
        message: expect.stringContaining('200001 levels') as string,
      }) as Error,
    );
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
