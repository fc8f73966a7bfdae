/** Requests that are made to cost time, for any route. */

/** One request, or what makes another one of its kind each time. */
export interface HostileRequest {
  what: string;
  path: string | (() => string);
  init?: { method: string; body?: string };
}

const BODY_BYTES = 1024 * 1024;
/** Characters of an address that the service still reads. */
const LONG = 15_000;
/** Of the longest identity. */
const SHORT = 256;

/** What texts are filled with: letters, what parsers look for, and characters of several bytes. */
const UNITS = [
  ...['a', '0', ' ', '-', '.', '@', '/', ':', '_', '%', '"', '\n', '\0', 'a,', 'a.', '[', 'https://'],
  ...['ä', '\u202e', '😀', `${'A'.repeat(87)} `],
];

const filledWith = (unit: string, size: number): string => unit.repeat(Math.floor(size / unit.length));
/** As many items as fit into a body beside its other members. */
const filled = (item: (index: number) => string, size = BODY_BYTES - 1024): string => {
  const items: string[] = [];
  for (let bytes = 0; bytes < size; bytes += items.at(-1)!.length + 1) items.push(item(items.length));
  items.pop();
  return items.join();
};

/** A GET with each parameter in turn as hostile as it can be, the others as they are given. */
export function hostileQueries(path: string, params: Record<string, string> = {}): HostileRequest[] {
  const query = (changes: object) => new URLSearchParams({ ...params, ...changes }).toString();
  const requests: HostileRequest[] = [
    { what: 'as it is', path: `${path}?${query({})}` },
    { what: 'many parameters', path: `${path}?${query({})}&${filled((n) => `p${n}=`, LONG).replaceAll(',', '&')}` },
    { what: 'parameters without names', path: `${path}?${query({})}${'&'.repeat(LONG)}` },
  ];
  for (const name of Object.keys(params)) {
    requests.push({ what: `${name} again and again`, path: `${path}?${query({})}${filledWith(`&${name}=x`, LONG)}` });
    for (const text of ['%ff', '%', '%00', '%25']) {
      requests.push({
        what: `${name} of ${text}`,
        path: `${path}?${query({ [name]: '' })}&${name}=${filledWith(text, LONG)}`,
      });
    }
    for (const { what, text } of hostileTexts([SHORT, LONG], encodeURIComponent)) {
      requests.push({
        what: `${name} of ${what}`,
        path: `${path}?${query({ [name]: '' })}`.replace(`${name}=`, `${name}=${text}`),
      });
    }
  }
  return requests;
}

/** A GET with each `{}` of the path in turn as hostile as it can be, and `usual` in place of the others. */
export function hostilePaths(path: string, ...usual: string[]): HostileRequest[] {
  const parts = path.split('{}');
  const written = (values: string[]) => parts.map((part, place) => part + (values[place] ?? '')).join('');
  return usual.flatMap((_, place) =>
    hostileTexts([SHORT, 500, LONG], encodeURIComponent).map(({ what, text }) => ({
      what: `a path with ${what}`,
      path: written(usual.map((value, other) => (other === place ? text : value))),
    })),
  );
}

/** A POST with each member of `start` in turn as hostile as it can be, the others as they are given. */
export function hostileMembers(path: string, start: object): HostileRequest[] {
  const post = (what: string, changes: object) => postOf(path, what, JSON.stringify({ ...start, ...changes }));
  const others: unknown[] = [null, 0, -1e308, [], {}, { toString: 1 }, { length: 1e9 }];
  return Object.keys(start).flatMap((name) => [
    ...others.map((value) => post(`${name} of ${JSON.stringify(value)}`, { [name]: value })),
    ...hostileTexts([SHORT]).map(({ what, text }) => post(`${name} of ${what}`, { [name]: text })),
  ]);
}

/** A POST of this body. */
export function postOf(path: string, what: string, body: string): HostileRequest {
  return { what, path, init: { method: 'POST', body } };
}

function hostileTexts(sizes: number[], encoded: (text: string) => string = (text) => text) {
  return sizes.flatMap((size) =>
    UNITS.map((unit) => ({ what: `${size} of ${JSON.stringify(unit)}`, text: filledWith(encoded(unit), size) })),
  );
}

/** About 120,000 in a whole body, which is more than a body may hold. */
const members = (size?: number): string => filled((index) => `"m${index}":0`, size);
/** As many as a body may hold. */
const LONG_MEMBERS = filled((index) => `"unknown member ${index}${' '.repeat(70)}":0`);

/** Members of the whole size, for bodies of any route. */
const WHOLE_MEMBERS: [string, string][] = [
  ['unknown members', members()],
  ['as many unknown members as are read', LONG_MEMBERS],
  ['the same member again and again', filled(() => '"m":0')],
  ['members that look like indexes of a list', filled((index) => `"${index * 7919}":0`)],
  ['one list of numbers', `"list":[${filled(() => '0')}]`],
  ['one list of objects', `"list":[${filled(() => '{}')}]`],
  ['a text with an escape for each character', `"text":"${'\\u0061'.repeat(BODY_BYTES / 6 - 200)}"`],
  ['a text of the whole size', `"text":"${'x'.repeat(BODY_BYTES - 2048)}"`],
  ['white space', `"text":0${' '.repeat(BODY_BYTES - 2048)}`],
  ['structures as deep as they come', `"deep":${'['.repeat(500_000)}${']'.repeat(500_000)}`],
  [
    'many structures of the depth that is allowed',
    filled((index) => `"d${index}":${'['.repeat(590)}${']'.repeat(590)}`),
  ],
];
const LIST_OF_TEXTS = `[${filled(() => '"one of very many texts"')}]`;

/** Bodies of the whole size: `start`, and behind it members that are made to cost time. */
export function hostileBodies(path: string, start: object, text = 'identity'): HostileRequest[] {
  const rests: [string, string][] = [
    ...WHOLE_MEMBERS,
    ['a declared text that is an object', `"${text}":{${LONG_MEMBERS}}`],
    ['a declared text that is a list', `"${text}":${LIST_OF_TEXTS}`],
    ['a declared text of the whole size', `"${text}":"${'x'.repeat(BODY_BYTES - 2048)}"`],
  ];
  return rests.map(([what, rest]) => bodyWith(path, what, start, rest));
}

const WHOLE_PATCHES: [string, string][] = [
  ['of members', `{${LONG_MEMBERS}}`],
  ['of members that just pass', `{${members(64_000)}}`],
  ['of objects', `{"list":[${filled(() => `{"one of":"very many objects in a list${' '.repeat(55)}"}`)}]}`],
  ['of numbers', `{"list":[${filled(() => '1.234567890123456e+300')}]}`],
  ['of escapes', `{"text":"${'\\u0061'.repeat(BODY_BYTES / 6 - 300)}"}`],
  ['of one text', `{"text":"${'x'.repeat(BODY_BYTES - 2048)}"}`],
  ['that is deep', `${'{"a":'.repeat(500)}0${'}'.repeat(500)}`],
];

/** Bodies of the whole size with a hostile `patch`. */
export function hostilePatches(path: string, start: object): HostileRequest[] {
  return WHOLE_PATCHES.map(([what, patch]) => bodyWith(path, `a patch ${what}`, start, `"patch":${patch}`));
}

/** A POST of the members of `start`, and more behind them. */
export function bodyWith(path: string, what: string, start: object, rest: string): HostileRequest {
  return postOf(path, what, `${JSON.stringify(start).slice(0, -1)},${rest}}`);
}

/** Texts in which a signature is looked for, of as many characters, made to cost time. */
export function hostilePosts(size: number): [string, string][] {
  const other = (n: number, length = 87) => `${'/'.repeat(24)}${n}`.padEnd(length - 1, 'b') + 'A';
  return [
    ['words of markers alone', filledWith(`${'_'.repeat(93)} `, size)],
    ['lines of one letter', filledWith('a\n', size)],
    ['empty quotations', filledWith('> \n', size)],
    ['words that end as signatures do', filled((n) => `______${other(n)} `, size)],
    ['halves that end as signatures do', filled((n) => `${other(n, 43)}\n`, size).replaceAll(',', '')],
    ['web addresses', filledWith('http:// ', size)],
  ];
}
