/**
 * `<signet-proof platform="github" identity="alice" avatar="0x02…">`: shows a binding in a page of any other site, and
 * checks the signatures of its chain by itself before it says so. The one file of it makes requests to nobody but its
 * own server, and needs nothing of the page that it stands in: neither inline styles nor markup from text.
 *
 * What the server says and what was checked here stand apart: the first without a sign, the second with one.
 */
import { sealPathOfDigest } from '@signet/verify/seal-of-digest';
import { withUnseen } from '@signet/verify/unseen';
import { type Asked, type Found, findBinding } from './find-binding.js';
import { hexToBytes } from './small-bytes.js';
import { style } from './style.js';
import { type Texts, textsOf } from './texts.js';

/** The server that the file was loaded from. */
const OWN_SERVER = new URL(import.meta.url).origin;
const SVG = 'http://www.w3.org/2000/svg';
/** Signs of what was found here; the server's word has none. */
const SIGNS = { checked: '✓ ', checked_post: '✓ ', failed: '✕ ', unknown: '' };

class SignetProof extends HTMLElement {
  static readonly observedAttributes = ['platform', 'identity', 'avatar', 'server'];
  private readonly content = this.attachShadow({ mode: 'open' });
  private asking: AbortController | undefined;

  connectedCallback(): void {
    this.content.adoptedStyleSheets = [style()];
    this.ask();
  }

  disconnectedCallback(): void {
    this.asking?.abort();
    this.asking = undefined;
  }

  attributeChangedCallback(): void {
    if (this.asking) this.ask();
  }

  private ask(): void {
    this.asking?.abort();
    const { signal } = (this.asking = new AbortController());
    const text = (name: string) => this.getAttribute(name)?.trim() ?? '';
    const asked: Asked = {
      server: (text('server') || OWN_SERVER).replace(/\/$/, ''),
      platform: text('platform'),
      identity: text('identity'),
      avatar: text('avatar').toLowerCase(),
    };
    const language = this.closest<HTMLElement>('[lang]')?.lang ?? navigator.language;
    const words = textsOf(language);
    const show = (child: Node) => void (signal.aborted || this.content.replaceChildren(child));
    show(status(words.checking));
    findBinding(asked, signal)
      .then((found) => frameOf(asked, found, words, language))
      .then(show, () => show(status(words.unreachable)));
  }
}

function status(text: string): HTMLElement {
  return element('p', { role: 'status' }, text);
}

/** The binding as one link to its page, which opens apart; why it is hidden where the operator hides it. */
async function frameOf(asked: Asked, found: Found, words: Texts, language: string): Promise<HTMLElement> {
  const { server, platform } = asked;
  const { avatar, identity, state, checkedAt, here, reason, profile, hold, hidden } = found;
  if (hidden !== null) return status(words.hidden.replace('{reason}', () => withUnseen(hidden)));
  const day = new Date(checkedAt * 1000).toLocaleDateString(language, { dateStyle: 'medium' });
  const lines = [
    // Somebody's own words, so in quotes.
    ...(profile?.name ? [element('span', { class: 'name' }, '“', element('bdi', {}, profile.name), '”')] : []),
    element('span', {}, `${platform} `, element('b', {}, element('bdi', {}, withUnseen(identity)))),
    element('small', {}, words[state].replace('{time}', day)),
    ...(hold ? [element('small', {}, words[hold])] : []),
    ...(state === 'not_bound' ? [] : [element('span', { class: here, title: reason }, SIGNS[here] + words[here])]),
  ];
  const href = `${server}/p/${encodeURIComponent(platform)}/${encodeURIComponent(identity)}`;
  return element(
    'a',
    { href, target: '_blank', rel: 'noopener' },
    ...(await sealOf(avatar)),
    ...(profile?.picture ? await faceOf(profile.picture) : []),
    element('span', {}, ...lines),
  );
}

/** The seal of the key. A page without https has no SHA-256, and shows none. */
async function sealOf(avatar: string): Promise<Element[]> {
  if (avatar === '' || !globalThis.crypto?.subtle) return [];
  const bytes = hexToBytes(avatar.slice(2));
  const path = document.createElementNS(SVG, 'path');
  const seal = document.createElementNS(SVG, 'svg');
  setAll(path, {
    fill: 'currentColor',
    'fill-rule': 'evenodd',
    d: sealPathOfDigest(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))),
  });
  setAll(seal, { viewBox: '-50 -50 100 100', width: '52', height: '52', 'aria-hidden': 'true' });
  seal.append(path);
  return [seal];
}

/** The picture of a profile. Its pixels are drawn, because the policy of a site may allow no pictures of `data:`. */
async function faceOf(picture: string): Promise<Element[]> {
  const [, type, base64] = /^data:(.*);base64,(.*)$/.exec(picture)!;
  const bytes = Uint8Array.from(atob(base64!), (character) => character.charCodeAt(0));
  try {
    const pixels = await createImageBitmap(new Blob([bytes], { type: type! }));
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [pixels.width, pixels.height];
    setAll(canvas, { 'aria-hidden': 'true' });
    canvas.getContext('bitmaprenderer')!.transferFromImageBitmap(pixels);
    return [canvas];
  } catch {
    // What only looks like a picture by its header.
    return [];
  }
}

function element(name: string, attributes: Record<string, string>, ...children: (Node | string)[]): HTMLElement {
  const made = document.createElement(name);
  setAll(made, attributes);
  made.append(...children);
  return made;
}

function setAll(target: Element, attributes: Record<string, string>): void {
  for (const [name, value] of Object.entries(attributes)) target.setAttribute(name, value);
}

if (!customElements.get('signet-proof')) customElements.define('signet-proof', SignetProof);
