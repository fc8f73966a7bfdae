import { SaxesParser } from 'saxes';

const ATOM = 'http://www.w3.org/2005/Atom';
/** RFC 3339, as RFC 4287 (3.3) has it, in capitals. */
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

export interface ReadEntry {
  id: string;
  title: string;
  summary: string | null;
  updated: string;
  page: string;
}

export interface ReadFeed {
  id: string;
  updated: string;
  links: Record<string, string>;
  entries: ReadEntry[];
}

/**
 * Reads a feed by a strict parser of XML with namespaces, and holds it to RFC 4287: elements that must be there, once
 * each, ids that are addresses and differ, dates, links with `rel` that differ, an author for each entry.
 * @throws Error that names the rule
 */
export function readAtom(xml: string): ReadFeed {
  const feed = parse(xml);
  if (feed.name !== 'feed') throw new Error('4.1.1: the document is no feed.');
  const links = linksOf(feed);
  if (!links['self']) throw new Error('4.1.1: a feed should name itself.');
  const entries = feed.children.filter(({ name }) => name === 'entry').map(readEntry);
  const ids = entries.map(({ id }) => id);
  if (new Set(ids).size < ids.length) throw new Error('4.1.1: two entries have one id.');
  const { id, updated } = common(feed);
  return { id, updated, links, entries };
}

function readEntry(entry: Element): ReadEntry {
  const links = linksOf(entry);
  if (!links['alternate']) throw new Error('4.1.2: an entry without content needs an alternate link.');
  const author = only(entry, 'author');
  if (only(author, 'name').text === '') throw new Error('3.2.1: an author has no name.');
  absolute(only(author, 'uri').text);
  date(only(entry, 'published').text);
  const summary = entry.children.find(({ name }) => name === 'summary')?.text ?? null;
  return { ...common(entry), summary, page: links['alternate'] };
}

function common(element: Element): { id: string; title: string; updated: string } {
  const [id, title, updated] = ['id', 'title', 'updated'].map((name) => only(element, name).text) as [
    string,
    string,
    string,
  ];
  absolute(id);
  date(updated);
  return { id, title, updated };
}

function only(element: Element, name: string): Element {
  const found = element.children.filter((child) => child.name === name);
  if (found.length !== 1) throw new Error(`${element.name} has ${found.length} of ${name}.`);
  return found[0]!;
}

function linksOf(element: Element): Record<string, string> {
  const links = element.children.filter(({ name }) => name === 'link');
  const read = links.map(({ attributes: { rel = 'alternate', href = '' } }) => [rel, absolute(href)] as const);
  if (new Set(read.map(([rel]) => rel)).size < read.length) throw new Error('4.1.1: two links have one rel.');
  return Object.fromEntries(read);
}

function absolute(address: string): string {
  if (!/^(?:https?:\/\/[^/]+\/|urn:uuid:[0-9a-f-]{36}$)/.test(address))
    throw new Error(`${address} is no absolute IRI.`);
  return address;
}

function date(text: string): void {
  if (!DATE.test(text) || Number.isNaN(Date.parse(text))) throw new Error(`3.3: ${text} is no date.`);
}

function parse(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ local, uri, attributes }) => {
    if (uri !== ATOM) throw new Error(`<${local}> is not of Atom.`);
    const values = Object.entries(attributes).map(([name, { value }]) => [name, value]);
    const element = { name: local, attributes: Object.fromEntries(values), children: [], text: '' };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    open.at(-1)!.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return root.children[0]!;
}
