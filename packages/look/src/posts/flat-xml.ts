/** One step through XML: the start of CDATA, a tag with its name, a declaration, or text; in linear time. */
const STEP = /(<!\[CDATA\[)|<(\/?)([A-Za-z_][\w.-]*)[^<>]*?(\/?)>|<[!?][^<>]*>|([^<]+)|</g;
const CDATA_END = ']]>';
const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
/** Documents that are read have some KiB. */
const MAX_CHARACTERS = 256 * 1024;

/**
 * The texts of the elements directly below the root `root`, by name; the first of several with one name counts. Null
 * for what has another root, is too long, or does not close what it opens.
 */
export function textsBelow(root: string, xml: string): Map<string, string> | null {
  if (xml.length > MAX_CHARACTERS) return null;
  const texts = new Map<string, string>();
  const open: string[] = [];
  let text = '';
  let isOver = false;
  const steps = new RegExp(STEP);
  for (let step = steps.exec(xml); step; step = steps.exec(xml)) {
    const [, data, slash, name, isEmpty, written = ''] = step;
    if (data !== undefined) {
      // A section of CDATA is text, whatever it looks like.
      const end = xml.indexOf(CDATA_END, steps.lastIndex);
      if (end < 0) return null;
      if (open.length === 2) text += xml.slice(steps.lastIndex, end);
      steps.lastIndex = end + CDATA_END.length;
      continue;
    }
    if (name === undefined) {
      if (open.length === 2) text += withoutEntities(written);
      continue;
    }
    if (isOver || (open.length === 0 && (slash !== '' || name !== root))) return null;
    if (slash === '') {
      if (open.length === 1) text = '';
      open.push(name);
    }
    if (slash !== '' || isEmpty !== '') {
      if (open.pop() !== name) return null;
      if (open.length === 1 && !texts.has(name)) texts.set(name, text);
      isOver = open.length === 0;
    }
  }
  return isOver ? texts : null;
}

function withoutEntities(text: string): string {
  return text.replace(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => ENTITIES[name]!);
}
