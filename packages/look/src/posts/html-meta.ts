import { Token, Tokenizer, TokenizerMode } from 'parse5';

/** Elements that stand in the head of a page; the first other one begins its body. */
const IN_HEAD = new Set('html head title meta link base script style noscript template'.split(' '));
const MODES: Record<string, keyof typeof TokenizerMode> = {
  script: 'SCRIPT_DATA',
  style: 'RAWTEXT',
  noscript: 'RAWTEXT',
  title: 'RCDATA',
};

/** The contents of `<meta name=…>` in the head of a page, of which perhaps only the beginning is there. */
export function metaContents(html: string, name: string): string[] {
  const contents: string[] = [];
  let isInHead = true;
  /** How many templates are open: what stands in one is no part of the page. */
  let templates = 0;
  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag(tag) {
        isInHead &&= IN_HEAD.has(tag.tagName);
        if (tag.tagName === 'template') templates += 1;
        const isMeant = tag.tagName === 'meta' && Token.getTokenAttr(tag, 'name')?.toLowerCase() === name;
        if (isInHead && isMeant && templates === 0) contents.push(Token.getTokenAttr(tag, 'content') ?? '');
        const mode = Object.hasOwn(MODES, tag.tagName) ? MODES[tag.tagName] : undefined;
        if (mode !== undefined) tokenizer.state = TokenizerMode[mode];
      },
      onEndTag({ tagName }) {
        if (tagName === 'head') isInHead = false;
        if (tagName === 'template') templates = Math.max(0, templates - 1);
      },
      onCharacter: () => {},
      onWhitespaceCharacter: () => {},
      onNullCharacter: () => {},
      onComment: () => {},
      onDoctype: () => {},
      onEof: () => {},
    },
  );
  tokenizer.write(html, true);
  return contents;
}
