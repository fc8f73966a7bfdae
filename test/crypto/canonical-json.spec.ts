import { canonicalJson, type LinkFields, linkPayload } from '@signet/verify';
import { exceedsDepth } from '@signet/verify/internal';
import { hostileText } from '../fuzz/hostile-values.js';
import { SeededRandom } from './seeded-random.js';

/** The double with these 64 bits, given as 16 hex digits. */
function double(bits: string): number {
  return Buffer.from(bits, 'hex').readDoubleBE();
}

/** A text of so many arrays, one in another. */
function nestedArrays(depth: number): unknown {
  return JSON.parse('['.repeat(depth) + ']'.repeat(depth));
}

describe('canonical JSON', () => {
  it('gives the text of RFC 8785, section 3.2.4, for the value of section 3.2.2', () => {
    const value: unknown = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`);

    expect(canonicalJson(value)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it('sorts names by UTF-16 units, as the example of RFC 8785, section 3.2.3', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };

    const order = canonicalJson(value).match(/(?<=:")[^"]+/g);

    expect(order).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });

  // RFC 8785, appendix B.
  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('writes the number %s as %s', (bits, text) => {
    expect(canonicalJson(double(bits))).toBe(text);
  });

  it('keeps names that mean something to JavaScript', () => {
    const text =
      '{"__proto__":{"a":1},"constructor":{"prototype":null},"hasOwnProperty":0,"toJSON":"x","toString":[],"valueOf":{"toJSON":1}}';

    expect(canonicalJson(JSON.parse(text))).toBe(text);
  });

  it('sorts at every depth, also numbers as names, and takes objects without a prototype', () => {
    const inner = Object.assign(Object.create(null) as object, { b: [{ d: 1, c: 2 }], a: '' });

    expect(canonicalJson({ '10': 1, '9': inner, '': 0 })).toBe('{"":0,"10":1,"9":{"a":"","b":[{"c":2,"d":1}]}}');
  });

  it('says the same of names in order and out of it, at every depth', () => {
    const random = new SeededRandom('names in and out of order');
    const names = ['', '10', '9', '__proto__', 'a', 'aa', 'b', 'toJSON', 'ä', '\ufb33', '😀'];
    const someValue = (depth: number): unknown => {
      if (depth === 0 || random.below(3) === 0) return random.below(2) === 0 ? random.below(9) : 'text';
      if (random.below(3) === 0) return Array.from({ length: random.below(3) }, () => someValue(depth - 1));
      const chosen = names.filter(() => random.below(3) === 0);
      if (random.below(2) === 0) chosen.reverse();
      return Object.fromEntries(chosen.map((name) => [name, someValue(depth - 1)]));
    };
    for (let count = 0; count < 500; count++) {
      const value = someValue(4);

      expect(canonicalJson(value)).toBe(sortedText(value));
    }
  });

  it('writes the value of one name or text alone', () => {
    expect(canonicalJson('é😀\u2028/')).toBe('"é😀\u2028/"');
    expect(canonicalJson(null)).toBe('null');
    expect(canonicalJson([])).toBe('[]');
  });

  it.each<[string, unknown]>([
    ['NaN', NaN],
    ['infinity', Infinity],
    ['minus infinity', -Infinity],
    ['undefined', undefined],
    ['a symbol', Symbol('x')],
    ['a function', () => 1],
    ['a bigint', 1n],
    ['the first half of a surrogate pair', 'a\ud83d'],
    ['the second half of a surrogate pair', '\ude00b'],
    ['a surrogate pair in the wrong order', '\ude00\ud83d'],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['bytes', Buffer.from('a')],
    ['a method toJSON', { toJSON: () => 1 }],
  ])('refuses %s, alone and inside', (_, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
    expect(() => canonicalJson([1, value])).toThrow(TypeError);
    expect(() => canonicalJson({ a: { b: value } })).toThrow(TypeError);
  });

  it('refuses what stands behind a name that is out of order, too', () => {
    expect(() => canonicalJson({ b: 1, a: NaN })).toThrow(TypeError);
    expect(() => canonicalJson({ c: { b: 1, a: 1 }, d: [undefined] })).toThrow(TypeError);
    expect(() => canonicalJson([{ b: 1, a: 1 }, new Date(0)])).toThrow(TypeError);
    expect(() => canonicalJson({ b: 1, a: { '\ud83d': 1 } })).toThrow(TypeError);
  });

  it('refuses a hole in an array and half a surrogate pair in a name', () => {
    expect(() => canonicalJson(new Array(2))).toThrow(TypeError);
    expect(() => canonicalJson({ '\ud83d': 1 })).toThrow(TypeError);
  });
});

describe('nesting', () => {
  it.each<[number, unknown]>([
    [0, 'text'],
    [0, null],
    [1, []],
    [1, { a: 1 }],
    [2, [1, {}]],
    [3, { a: [], b: [{ c: 0 }] }],
    [2, JSON.parse('{"__proto__":{}}')],
  ])('is %i for %j', (depth, value) => {
    expect(exceedsDepth(value, depth)).toBe(false);
    if (depth > 0) expect(exceedsDepth(value, depth - 1)).toBe(true);
  });

  it('is counted for 200,000 levels, where recursion would overflow the stack', () => {
    const value = nestedArrays(200_000);

    expect(exceedsDepth(value, 64)).toBe(true);
    expect(exceedsDepth(value, 199_999)).toBe(true);
    expect(exceedsDepth(value, 200_000)).toBe(false);
  });

  it('is counted for a million members beside each other', () => {
    const value = Array.from({ length: 1_000_000 }, () => []);

    expect(exceedsDepth(value, 2)).toBe(false);
    expect(exceedsDepth(value, 1)).toBe(true);
  });

  it('ends for a value that contains itself', () => {
    const value: unknown[] = [];
    value.push(value);

    expect(exceedsDepth(value, 64)).toBe(true);
  });
});

describe('the text of a link', () => {
  it('is the canonical JSON of its fields, whatever they hold', () => {
    const random = new SeededRandom('fields of links');
    const names = ['action', 'avatar', 'created_at', 'identity', 'platform', 'prev', 'uuid'];
    for (let count = 0; count < 500; count++) {
      const values = names.map((name) => [name, name === 'prev' && count % 2 === 0 ? null : hostileText(random)]);
      const fields = Object.fromEntries(values) as unknown as LinkFields;

      expect(outcomeOf(() => linkPayload(fields))).toBe(outcomeOf(() => canonicalJson(fields)));
    }
  });
});

/** Canonical JSON of a value whose numbers and texts are plain. */
function sortedText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(sortedText).join(',')}]`;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${sortedText(member)}`).join(',')}}`;
}

/** The text, or the message of the refusal. */
function outcomeOf(write: () => string): string {
  try {
    return write();
  } catch (error) {
    return (error as Error).message;
  }
}
