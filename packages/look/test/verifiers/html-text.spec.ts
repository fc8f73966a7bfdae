import { postOfTweetEmbed, textOfHtml } from '../../src/posts/html-text.js';
import { leastCpuMs } from '../support/cpu-time.js';

describe('the text of a post in HTML', () => {
  it.each([
    ['a line break', '<p>Signature: S<br>UUID: u</p>', 'Signature: S\nUUID: u'],
    ['a line break that is closed', '<p>Signature: S<br />UUID: u</p>', 'Signature: S\nUUID: u'],
    ['paragraphs', '<p>one</p><p>two</p>', 'one\n\ntwo'],
    ['paragraphs without end tags', '<p>one<p>two', 'one\ntwo'],
    ['blocks after bare text', 'one<div>two</div>three', 'one\ntwo\n\nthree'],
    ['lists', '<ul><li>one</li><li>two</li></ul>', 'one\n\ntwo'],
    ['quotations, which are left out', 'one<blockquote>two</blockquote>three', 'one\n\nthree'],
    ['blanks and line ends of the source', '<p>one\n   two </p>\n\n<p> three</p>', 'one two \n\nthree'],
    ['preformatted text', '<pre>one\n  two</pre>three', 'one\n  two\n\nthree'],
    ['no markup at all', 'one', 'one'],
    ['nothing', '', ''],
  ])('breaks lines at %s', (_what, html, text) => {
    expect(textOfHtml(html)).toBe(text);
  });

  it('decodes entities once, after the tags', () => {
    expect(textOfHtml('<p>Tom &amp; Jerry&#39;s &lt;p&gt; &amp;lt;</p>')).toBe("Tom & Jerry's <p> &lt;");
  });

  it('leaves out links, whose text is an address, a name, or the title of a page of somebody else', () => {
    const html =
      '<p>see <a href="https://example.com/abc"><span class="invisible">https://</span><span class="ellipsis">example.com/a</span>' +
      '<span class="invisible">bc</span></a> by <span class="h-card"><a href="https://a.example/@alice">@<span>alice</span></a></span></p>';

    expect(textOfHtml(html)).toBe('see by');
  });

  it('makes two words of what stands before a link and behind it', () => {
    expect(textOfHtml('<p>one<a href="x">two</a>three</p>')).toBe('one three');
  });

  it.each([
    ['scripts', 'a<script>if (1 < 2) "<p>x</p>"</script>b'],
    ['styles', 'a<style>p > b { content: "<x>" }</style>b'],
    ['frames', 'a<iframe>x <b>y</b></iframe>b'],
    ['templates', 'a<template>x<template>y</template>z</template>b'],
    ['titles', 'a<title>x <b></title>b'],
    ['comments', 'a<!-- x -->b'],
    ['attributes', 'a<img alt="x" title="x">b'],
  ])('leaves out %s', (_what, html) => {
    expect(textOfHtml(html)).toBe('ab');
  });

  it.each([
    ['paragraph', '<p class="quote-inline">RE: <a href="https://b.example/1">b.example/1</a></p><p>own</p>'],
    ['paragraph among other classes', '<p class="a quote-inline b">RE: <b>x</b></p>own'],
    ['paragraph that is never closed', '<p class="quote-inline">RE: x<p>own'],
    ['paragraph that a division ends', '<p class="quote-inline">RE: x<div>own</div>'],
    ['span', '<p>own<span class="quote-inline"><br><span>RE:</span> x</span></p>'],
    ['quotation', '<blockquote>x<p>y</p></blockquote>own'],
    ['quotation in a quotation', '<blockquote>x<blockquote>y</blockquote>z</blockquote>own'],
    ['quotation that is never closed', 'own<blockquote>x<p>y</p>'],
    ['quotation in the line', '<p>own <q>x</q><cite>y</cite></p>'],
    ['cited post', 'own<div class="h-cite u-quotation-of"><div>x</div>y</div>'],
    ['shared post with its header', '<div class="shared-wrapper"><div class="shared_header">x</div>y</div>own'],
    ['shared post of Hubzilla', '<div class="shared_container"><div class="reshared-content">x</div></div>own'],
  ])('leaves out what a server writes for a quoted post: a %s', (_what, html) => {
    expect(textOfHtml(html)).toBe('own');
  });

  const LONGEST = 64 * 1024;
  it.each([
    ['nested divisions', '<div>'],
    ['nested spans', '<span>x'],
    ['misnested formatting', '<p><b a><i>x'],
    ['links in links', '<a href=x>'],
    ['quotes that are never closed', '<p class="quote-inline">'],
    ['quotations that are never closed', '<blockquote>'],
    ['quotations that are closed too often', '</blockquote>'],
    ['open tags', '<'],
    ['attributes', 'attributes'],
    ['classes', 'classes'],
    ['entities', '&amp;'],
    ['paragraphs', '<p>'],
    ['words', 'a '],
    ['line ends in preformatted text', '<pre>\n'],
    ['line breaks', '<br>'],
    ['blanks', ' '],
    ['scripts', '<script>'],
    ['comments', '<!--'],
  ])('reads as much HTML as a post may have, all %s, with less than half of what a request may cost', (what, unit) => {
    const numbered = Array.from({ length: LONGEST / 8 }, (_, index) => `a${index}`).join(' ');
    const special: Record<string, string> = { attributes: `<p ${numbered}>`, classes: `<p class="${numbered}">` };
    const html = special[what] ?? unit.repeat(LONGEST / unit.length);

    expect(typeof textOfHtml(html)).toBe('string');
    expect(leastCpuMs(() => textOfHtml(html))).toBeLessThan(25);
  });

  it('leaves a megabyte of HTML unread, which is more than any post has, so that it is refused for its length', () => {
    const html = 'a <p>'.repeat(200_000);

    expect(leastCpuMs(() => textOfHtml(html))).toBeLessThan(1);
    expect(textOfHtml(html)).toBe(html);
    expect(postOfTweetEmbed(html)).toBeNull();
  });
});

describe('the post in an embed of X', () => {
  const embed = (paragraph: string) =>
    `<blockquote class="twitter-tweet" data-dnt="true"><p lang="en" dir="ltr">${paragraph}</p>&mdash; Sig: EVIL (@alice) ` +
    '<a href="https://twitter.com/alice/status/1">May 1, 2026</a></blockquote>\n';

  it('is the first paragraph, with its line breaks and entities', () => {
    const html = embed('It&#39;s me<br>Sig: S<br><a href="https://t.co/x">x.example</a>');

    expect(postOfTweetEmbed(html)).toBe("It's me\nSig: S");
  });

  it('never reaches the name and date behind that paragraph', () => {
    expect(postOfTweetEmbed(embed('mine'))).toBe('mine');
  });

  it.each([
    ['there is no embed', '<p>Sig: S</p>'],
    ['the quote is of another kind', '<blockquote class="quote"><p>Sig: S</p></blockquote>'],
    ['the embed has no paragraph', '<blockquote class="twitter-tweet">&mdash; alice</blockquote><p>Sig: S</p>'],
    ['nobody can say where the paragraph ends', embed('Sig: S').replace('</p>', '')],
    ['another paragraph starts in it', '<blockquote class="twitter-tweet"><p>mine<p>other</p></blockquote>'],
    ['there is nothing', ''],
  ])('is missing when %s', (_when, html) => {
    expect(postOfTweetEmbed(html)).toBeNull();
  });
});
