import { Token, Tokenizer, TokenizerMode } from 'parse5';

/** Elements that stand in the head of a page; the first other one, or a text outside of them, begins its body. */
const IN_HEAD = new Set('html head title meta link base script style noscript template'.split(' '));
/** Elements whose text is read up to their end tag, with the way in which it is. */
const MODES: Record<string, keyof typeof TokenizerMode> = {
  script: 'SCRIPT_DATA',
  style: 'RAWTEXT',
  noscript: 'RAWTEXT',
  title: 'RCDATA',
};

/** End tags behind which a page has no head (HTML Standard 13.2.6.4.4). */
const ENDS_HEAD = new Set(['head', 'body', 'html', 'br']);

/** What a page says in its head: the contents of `<meta name=…>`, and the addresses of `<link rel="me">`. */
export interface HeadTexts {
  contents: string[];
  me: string[];
}

/**
 * Reads the head of a page, of which perhaps only the beginning is there.
 * @param name of the meta elements, in small letters
 */
export function readHead(html: string, name: string): HeadTexts {
  const texts: HeadTexts = { contents: [], me: [] };
  let isInHead = true;
  /** How many templates are open: what stands in one is no part of the page. */
  let templates = 0;
  /** The element of `MODES` whose text is read; '' outside of them. */
  let reading = '';
  const onText = () => {
    if (reading === '' && templates === 0) isInHead = false;
  };
  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag(tag) {
        isInHead &&= IN_HEAD.has(tag.tagName);
        if (tag.tagName === 'template') templates += 1;
        if (isInHead && templates === 0) takeElement(tag, name, texts);
        const mode = Object.hasOwn(MODES, tag.tagName) ? MODES[tag.tagName] : undefined;
        if (mode === undefined) return;
        tokenizer.state = TokenizerMode[mode];
        reading = tag.tagName;
      },
      onEndTag({ tagName }) {
        if (ENDS_HEAD.has(tagName)) isInHead = false;
        if (tagName === reading) reading = '';
        if (tagName === 'template') templates = Math.max(0, templates - 1);
      },
      onCharacter: onText,
      onWhitespaceCharacter: () => {},
      onNullCharacter: onText,
      onComment: () => {},
      onDoctype: () => {},
      onEof: () => {},
    },
  );
  tokenizer.write(html, true);
  return texts;
}

function takeElement(tag: Token.TagToken, name: string, { contents, me }: HeadTexts): void {
  const attribute = (of: string) => Token.getTokenAttr(tag, of) ?? '';
  if (tag.tagName === 'meta' && attribute('name').toLowerCase() === name) contents.push(attribute('content'));
  const isMe = tag.tagName === 'link' && attribute('rel').toLowerCase().split(/\s+/).includes('me');
  if (isMe) me.push(attribute('href').trim());
}
