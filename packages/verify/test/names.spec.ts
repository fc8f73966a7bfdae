import { asciiHost, canonicalForm, findCanonicalName, isSameName, NAME_PATTERNS } from '../src/names/canonical-name.js';

// What verifiers read beside this, and refuse, is in the specs of packages/look.
describe('the canonical form of a name', () => {
  it.each([
    ['activitypub', 'acct:Alice@Social.Example.com', 'alice@social.example.com'],
    ['activitypub', '@alice@BÜCHER.example.com', 'alice@xn--bcher-kva.example.com'],
    ['activitypub', 'alice@social.example.com@evil.example.com', null],
    ['discord', '@Alice.Demo', 'alice.demo'],
    ['discord', 'alice..demo', null],
    ['discord', 'Jose\u0301#0001', 'José#0001'],
    ['discord', '\u212aim#0001', null],
    ['discord', 'a\u0007b#0001', null],
    ['dns', 'Alice.Example.Org.', 'alice.example.org'],
    ['dns', 'FAß.de', 'xn--fa-hia.de'],
    ['dns', '127.0.0.1', null],
    ['dns', 'localhost', null],
    ['dns', 'alice.example.org/path', null],
    ['dotbit', 'Alice.BIT', 'alice.bit'],
    ['dotbit', 'main#sub.bit', 'sub.main.bit'],
    ['dotbit', '\u212a.bit', null],
    ['dotbit', '\ud800.bit', null],
    ['dotbit', `${'a'.repeat(250)}.bit`, null],
    ['ethereum', `eip155:137:0x${'AB'.repeat(20)}`, `0x${'ab'.repeat(20)}`],
    ['ethereum', `ethereum:0x${'ab'.repeat(20)}@1`, `0x${'ab'.repeat(20)}`],
    ['ethereum', 'alice.eth', null],
    ['github', '@Alice-Demo', 'alice-demo'],
    ['github', '\uff20alice', 'alice'],
    ['github', 'https://github.com/alice', null],
    ['keybase', 'alice__demo', null],
    ['solana', '3xar6tMnoR7k2V1vxRnyuvxYXCJM3UfKH4nJB7gZsGRT', '3xar6tMnoR7k2V1vxRnyuvxYXCJM3UfKH4nJB7gZsGRT'],
    ['twitter', 'ALICE_demo', 'alice_demo'],
    ['reddit', 'alice', null],
    ['constructor', 'alice', null],
  ])('on %s of %j is %j', (platform, text, canonical) => {
    expect(canonicalForm(platform, text)).toBe(canonical);
    expect(findCanonicalName(platform, `“${text}”\u00a0`)).toBe(canonical);
    if (canonical === null) return;
    expect(canonicalForm(platform, canonical)).toBe(canonical);
    expect(isSameName({ platform, identity: canonical }, text)).toBe(true);
  });

  it.each(Object.entries(NAME_PATTERNS))(
    'has a pattern on %s that programs without flags read too',
    (_platform, pattern) => {
      expect(new RegExp(pattern).source).toBe(pattern);
    },
  );
});

it.each([
  ['Social.Example.com', 'social.example.com'],
  ['faß.de', 'xn--fa-hia.de'],
  ['a b.de', ''],
  ['a.de:443', ''],
  ['user@a.de', ''],
  ['', ''],
])('reads the name of the host %j as %j', (text, host) => {
  expect(asciiHost(text)).toBe(host);
});
