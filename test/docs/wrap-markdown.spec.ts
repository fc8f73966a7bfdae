import { wrapMarkdown } from '../../scripts/reference/wrap-markdown.mjs';

const long = Array.from({ length: 30 }, (_, index) => `word${index}`).join(' ');

describe('the wrapping of Markdown', () => {
  it('fills paragraphs up to 120 columns', () => {
    const lines = wrapMarkdown(`Short lines\nare joined. ${long}`).split('\n');

    expect(lines[0]).toMatch(/^Short lines are joined\. word0 .*/);
    expect(lines.map((line) => line.length > 120)).not.toContain(true);
    expect(lines).toHaveLength(2);
  });

  it('indents what follows the first line of a list item', () => {
    const lines = wrapMarkdown(`1. ${long}\n2. short\n   - nested\n     on`).split('\n');

    expect(lines[1]).toMatch(/^ {3}word/);
    expect(lines.slice(2)).toEqual(['2. short', '   - nested on']);
  });

  it.each([
    ['tables', `| a | b |\n| --- | --- |\n| ${long} | c |`],
    ['code', `\`\`\`sh\n${long}\nmore\n\`\`\``],
    ['code behind a paragraph that begins with backticks', '``` ` * ~ ``` are marks.\n\n```\none\ntwo\n```'],
    ['headings', `## ${long}`],
    ['hard line breaks', 'one  \ntwo'],
  ])('leaves %s as they are', (_what, text) => {
    expect(wrapMarkdown(text)).toBe(text);
  });

  it('does not break code or links, and begins no line with the marker of a list', () => {
    const code = `\`${'a b '.repeat(30)}\``;
    expect(wrapMarkdown(`${long}\n${code}`)).toContain(`\n${code}`);

    const marked = wrapMarkdown(`${'x'.repeat(100)} and then some - more words behind a dash, which is no list`);
    expect(marked).not.toMatch(/^- /m);
    expect(wrapMarkdown(marked)).toBe(marked);
  });
});
