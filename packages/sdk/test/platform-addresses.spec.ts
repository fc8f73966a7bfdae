import { fillAddress, fillFileName, identityInAddress } from '../src/index.js';

const alice = { identity: 'alice', location: '42' };

describe('the address of a template', () => {
  it.each([
    ['https://github.com/{identity}', 'https://github.com/alice'],
    ['https://x.example/{identity}/status/{location}', 'https://x.example/alice/status/42'],
    ['http://forge.example:8080/{identity}?page={location}', 'http://forge.example:8080/alice?page=42'],
    ['https://gist.github.com/', 'https://gist.github.com/'],
    ['https://gist.github.com', 'https://gist.github.com/'],
  ])('is filled: %s', (template, address) => {
    expect(fillAddress(template, alice)).toBe(address);
  });

  it('takes both parts of a name with a host', () => {
    const values = { identity: 'a@b@social.example', text: 'a b&c' };

    expect(fillAddress('https://{host}/share?text={text}', values)).toBe('https://social.example/share?text=a%20b%26c');
    expect(fillAddress('https://example.org/{user}', values)).toBe('https://example.org/a%40b');
  });

  it.each([
    ['another scheme', 'javascript:alert(1)//{identity}'],
    ['a scheme from a value', '{identity}://example.org/'],
    ['data', 'data:text/html,{identity}'],
    ['no host', 'https:///{identity}'],
    ['a user in front of the host', 'https://example.org@evil.example/{identity}'],
    ['a backslash behind the host', 'https://example.org\\@evil.example/{identity}'],
    ['a value within the host', 'https://{identity}.example/'],
    ['a value as the port', 'https://example.org:{location}/'],
    ['a variable that nobody knows', 'https://example.org/{constructor}'],
    ['a variable without a value', 'https://example.org/{text}'],
    ['a relative address', '/{identity}'],
  ])('is none for %s', (_what, template) => {
    expect(fillAddress(template, alice)).toBeNull();
  });

  it.each([
    ['alice/../../evil', 'https://example.org/alice%2F..%2F..%2Fevil/x'],
    ['alice?x#y', 'https://example.org/alice%3Fx%23y/x'],
    ['//evil.example', 'https://example.org/%2F%2Fevil.example/x'],
    ['{location}', 'https://example.org/%7Blocation%7D/x'],
    ['$&', 'https://example.org/%24%26/x'],
  ])('holds the value %s as one part', (identity, address) => {
    expect(fillAddress('https://example.org/{identity}/x', { identity, location: '1' })).toBe(address);
  });

  it.each(['.', '..', '', '\ud800'])('is none for the value %j', (identity) => {
    expect(fillAddress('https://example.org/{identity}', { identity })).toBeNull();
  });

  it.each(['alice@evil.example/x', 'alice@evil.example#', 'alice@a b', 'alice@', 'alice', 'alice@[::1]', 'alice@x:1'])(
    'has no host from %j',
    (identity) => {
      expect(fillAddress('https://{host}/share', { identity })).toBeNull();
    },
  );

  it('is none where an older server has no template, or a server answers another type', () => {
    expect(fillAddress(undefined, alice)).toBeNull();
    expect(fillAddress(7 as unknown as string, alice)).toBeNull();
    expect(fillFileName(undefined, alice)).toBeNull();
  });

  it('is none for a file name, which is filled as it is', () => {
    expect(fillFileName('{avatar}.json', { avatar: '0x02ab' })).toBe('0x02ab.json');
    expect(fillFileName('{avatar}.json', {})).toBeNull();
  });
});

describe('the identity in the address of a profile', () => {
  const GITHUB = 'https://github.com/{identity}';

  it.each([
    'https://github.com/Alice',
    'http://www.github.com/Alice/',
    'github.com/@Alice',
    ' GitHub.com/Alice?tab=repositories#top ',
    'https://github.com/%41lice',
  ])('is found in %j', (address) => {
    expect(identityInAddress(GITHUB, address)).toBe('Alice');
  });

  it.each([
    'alice',
    'https://gitlab.com/alice',
    'https://github.com/',
    'https://github.com/alice/repository',
    'https://github.com.evil.example/alice',
    'https://github.com/%',
    'https://github.com/a b',
  ])('is not found in %j', (address) => {
    expect(identityInAddress(GITHUB, address)).toBeNull();
  });

  it('stands before what a template has behind it', () => {
    expect(identityInAddress('https://example.org/u/{identity}/profile/', 'example.org/u/alice/profile')).toBe('alice');
    expect(identityInAddress('https://example.org/u/{identity}/profile', 'example.org/u/alice')).toBeNull();
  });

  it('is not looked for by templates of another form', () => {
    expect(identityInAddress('https://{host}/@{user}', 'https://social.example/@alice')).toBeNull();
    expect(identityInAddress('https://example.org/', 'https://example.org/')).toBeNull();
    expect(identityInAddress('javascript:{identity}', 'javascript:alice')).toBeNull();
  });
});
