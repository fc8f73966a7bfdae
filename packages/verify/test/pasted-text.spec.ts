import { cleanPasted } from '@signet/verify/internal';

const ADDRESS = '0x8d0afed7b5ef290545b4505f77494600453975ac';

describe('what people paste', () => {
  it.each([
    ['marks of direction around it', `\u202a${ADDRESS}\u202c`, ADDRESS],
    ['a blank of no width within', `${ADDRESS.slice(0, 9)}\u200b${ADDRESS.slice(9)}`, ADDRESS],
    ['soft hyphens and word joiners', 'al\u00adice\u2060', 'alice'],
    ['a byte order mark', '\ufeffalice', 'alice'],
    ['isolates of direction', '\u2068@alice_demo\u2069', '@alice_demo'],
    ['blanks, tabs and line ends', ' \t alice\r\n', 'alice'],
    ['a blank that does not break', '\u00a0alice\u00a0', 'alice'],
    ['a joiner at its end', 'alice\u200d', 'alice'],
    ['letters without a shape at its ends', '\u3164alice\u2800', 'alice'],
    ['straight quotes', '"alice"', 'alice'],
    ['single quotes', "'alice'", 'alice'],
    ['typographic quotes', '“alice”', 'alice'],
    ['German quotes', '„alice“', 'alice'],
    ['French quotes, with their blanks', '«\u202falice\u00a0»', 'alice'],
    ['quotes within brackets', '<"alice">', 'alice'],
    ['code of Markdown', '`alice`', 'alice'],
    ['brackets around an address', '<https://x.com/alice>', 'https://x.com/alice'],
    ['a link of Markdown', '[my post](https://x.com/alice/status/1)', 'https://x.com/alice/status/1'],
    ['a link of Markdown in angle brackets', '[my post](<https://x.com/a>)', 'https://x.com/a'],
    [
      'the code that embeds a gist',
      '<script src="https://gist.github.com/alice/0123abcd.js"></script>',
      'https://gist.github.com/alice/0123abcd.js',
    ],
    [
      'the code that embeds a post, with its script',
      '<iframe class="mastodon-embed" src=\'https://a.example/@alice/1/embed\' width="400"></iframe>\n<script src="https://a.example/embed.js" async="async"></script>',
      'https://a.example/@alice/1/embed',
    ],
    ['a link of HTML', '<a href="https://x.com/a/status/1">my post</a>', 'https://x.com/a/status/1'],
  ])('loses %s', (_what, text, clean) => {
    expect(cleanPasted(text)).toBe(clean);
    expect(cleanPasted(clean)).toBe(clean);
  });

  it.each([
    ['a blank within', 'alice demo'],
    ['joiners within, which emoji and some scripts need', '👩\u200d💻.bit'],
    ['the flag of England, which is made of tags', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
    ['a heart with its variation selector', '❤\ufe0f.bit'],
    ['a quote that has no other', '"alice'],
    ['quotes within a name', '"alice"#1234'],
    ['a pair with nothing between', '""'],
    ['letters of every script', 'büchér.例え.org'],
    ['the mark that turns letters around, for what is seen is another name', '\u202eecila'],
    ['a control character, which is refused where it is read', 'a\u001bb'],
  ])('keeps %s', (_what, text) => {
    expect(cleanPasted(text)).toBe(text);
  });

  it.each([
    ['several addresses', '<p><a href="https://x.com/a">a</a> <a href="https://x.com/b">b</a></p>'],
    ['an address that is none of the web', '<a href="javascript:alert(1)">a</a>'],
    ['an address beside a word', '<a href="https://x.com/a">a</a> and more'],
  ])('are no address where they are code with %s', (_what, text) => {
    expect(cleanPasted(text)).toContain('href=');
  });

  it('are cleaned in time that grows with their length alone', () => {
    const text = `a${' '.repeat(1_000_000)}b${'"'.repeat(1_000_000)}`;
    const code = `<a ${' href="https://x.com/"'.repeat(89)}`;
    const startedAt = process.cpuUsage().user;

    expect(cleanPasted(text)).toBe(text);
    for (let count = 0; count < 100; count += 1) expect(cleanPasted(code)).toBe(code.trim());
    expect(process.cpuUsage().user - startedAt).toBeLessThan(1_000_000);
  });
});
