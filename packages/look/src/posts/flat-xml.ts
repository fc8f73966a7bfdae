import { Tokenizer } from 'parse5';

/** Documents that are read have some KiB. */
const MAX_CHARACTERS = 256 * 1024;

/**
 * The texts of the elements directly below the root `root`, by name in lowercase; the first of several with one name
 * counts. Null for what has another root, is too long, or does not close what it opens. Read by the tokens of HTML with
 * sections of CDATA, which are those of XML for documents without a DTD of their own.
 */
export function textsBelow(root: string, xml: string): Map<string, string> | null {
  if (xml.length > MAX_CHARACTERS) return null;
  const texts = new Map<string, string>();
  const open: string[] = [];
  let text = '';
  let isWrong = false;
  let isOver = false;
  const addText = ({ chars }: { chars: string }) => {
    if (open.length === 2) text += chars;
  };
  const close = (name: string) => {
    isWrong ||= open.pop() !== name;
    if (open.length === 1 && !texts.has(name)) texts.set(name, text);
    isOver ||= open.length === 0;
  };
  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag({ tagName, selfClosing }) {
        isWrong ||= isOver || (open.length === 0 && tagName !== root);
        if (open.length === 1) text = '';
        open.push(tagName);
        if (selfClosing) close(tagName);
      },
      onEndTag: ({ tagName }) => close(tagName),
      onCharacter: addText,
      onWhitespaceCharacter: addText,
      onNullCharacter: () => {},
      onComment: () => {},
      onDoctype: () => {},
      onEof: () => {},
    },
  );
  // So that sections of CDATA are read.
  tokenizer.inForeignNode = true;
  tokenizer.write(xml, true);
  return isOver && !isWrong ? texts : null;
}
