import { isAskedFor } from '../src/names/asked-names.js';

describe('what a look-up asked for', () => {
  it.each([
    ['github', 'alice', ['bob', 'Alice']],
    ['github', 'alice', ['https://www.github.com/Alice/?tab=repositories']],
    ['twitter', 'alice', ['x.com/alice']],
    ['twitter', 'alice', ['https://x.com/@Alice']],
    ['keybase', 'alice', ['keybase://public/alice']],
    ['minds', 'alice', ['https://www.minds.com/alice/']],
    ['activitypub', 'alice@social.example.org', ['https://social.example.org/@alice']],
    ['activitypub', 'alice@xn--tst-qla.example.org', ['täst.example.org/users/Alice']],
    ['activitypub', 'alice@other.example.org', ['https://social.example.org/@alice@other.example.org']],
    ['dns', 'alice.example.org', ['https://Alice.example.org:8443/path']],
    ['dotbit', 'alice.bit', ['https://alice.bit.cc']],
    ['dotbit', '名前.bit', ['https://data.did.id/%E5%90%8D%E5%89%8D.bit']],
    ['solana', '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T', ['solana:4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T']],
    ['bluesky', 'did:plc:ewvi7nxzyoun6zhxrhs64oiz', ['at://did:plc:ewvi7nxzyoun6zhxrhs64oiz/app.bsky.feed.post/3k']],
    ['lens', 'alice', ['lens.xyz/alice']],
  ])('%s: %s is of %j', (platform, identity, written) => {
    expect(isAskedFor({ platform, identity }, platform, written)).toBe(true);
  });

  it.each([
    ['github', 'mallory', ['alice', 'https://github.com/bob']],
    ['github', 'bo', ['https://github.com/bob']],
    ['discord', 'alice', ['a..b']],
    ['activitypub', 'mallory@social.example.org', ['https://social.example.org/@alice']],
    ['activitypub', 'alice@evil.example.org', ['https://social.example.org/@alice']],
    ['dns', 'example.org', ['https://alice.example.org/']],
  ])('%s: %s is not of %j', (platform, identity, written) => {
    expect(isAskedFor({ platform, identity }, platform, written)).toBe(false);
  });

  it('is of the platform that was asked', () => {
    expect(isAskedFor({ platform: 'github', identity: 'alice' }, 'twitter', ['alice'])).toBe(false);
  });
});
