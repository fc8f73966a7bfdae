import { isolatedName } from '@signet/verify/unseen';
import { AvatarKey, shortKey } from '../domain/avatar-key.js';
import { escaped } from '../http/markup.js';
import type { HiddenItem } from '../hiding/hidden-item.entity.js';
import type { HiddenItems } from '../hiding/hidden-items.js';
import type { KvQueries } from '../kv/kv.queries.js';
import type { ProfileNames } from '../kv/profile-names.js';
import type { PlatformService } from '../platform/platform.service.js';
import type { ShownBinding, ShownBindings } from '../proof/look-up/shown-bindings.js';
import type { PageDocument } from './page-views.js';
import { PICTURE } from './seal-picture.js';

/** The metadata of a document for search engines and for previews of links. */
export interface PageHead {
  title: string;
  description: string;
  /** Address on this server, from `/` on. */
  path: string;
  /** The key whose seal is its picture, compressed. */
  seal?: string;
  /** Whether the key has a picture of its own, which is shown in place of its seal. */
  hasPicture?: boolean;
  /** Whether the document shows no binding, so that search engines should skip it. */
  isEmpty: boolean;
  /** Answers of this server that the page asks for first, so that they come with its scripts and not behind them. */
  firstAnswers: string[];
  /** The feed of its news, from `/` on. */
  feed?: string;
  /** Addresses of the profiles that the key has proved, for links with `rel="me"`. */
  profiles?: string[];
}

/** Bindings that a description names. */
const NAMED_IN_WORDS = 5;

/** Words for a state, behind the name. */
const STATES = {
  valid: 'is connected to',
  unchecked: 'is connected to (not checked lately)',
  gone: 'was connected to (gone since)',
};

/** What stops a key, behind what it is connected to. */
const STOPPED = {
  frozen: ' The key is frozen: it can write nothing for a while.',
  succeeded: ' The key is no longer in use: another one has taken over from it.',
};

/** The heads of the page's documents for Avatars and bindings: one or two bounded lookups each. */
export class PageHeads {
  constructor(
    private readonly bindings: ShownBindings,
    private readonly content: KvQueries,
    private readonly platforms: PlatformService,
    private readonly hidden: HiddenItems,
    private readonly names: ProfileNames,
    private readonly serviceName: string,
  ) {}

  /** The head for an address below `/p/`: of a binding. Returns null if `rest` names none. */
  async ofBinding(rest: string, now: Date): Promise<PageHead | null> {
    const [platform = '', identityText = ''] = partsOf(rest);
    const verifier = this.platforms.all().find((one) => one.platform === platform);
    const identity = verifier ? this.platforms.findIdentity(verifier, identityText) : null;
    if (!verifier || identity === null) return null;
    const place = `${encodeURIComponent(platform)}/${encodeURIComponent(identity)}`;
    const hidden = this.hidden.find({ kind: 'identity', platform, identity });
    if (hidden) return hiddenHead(`/p/${place}`, hidden);
    const found = await this.bindings.find(verifier, identityText, null, now);
    if (found && this.hidden.find({ kind: 'key', avatar: found.avatar })) return emptyHead(`/p/${place}`);
    const name = `${isolatedName(identity)} on ${platform}`;
    const checked = found?.lastCheckedAt.toISOString().slice(0, 10);
    return {
      title: `${name} · Signet`,
      description: found
        ? `${name} ${STATES[found.state]} the key ${shortKey(found.avatar)}; last checked ${checked}.${stoppedText(found.hold)} Check the signatures in your browser.`
        : `Nobody has connected ${name} here.`,
      path: `/p/${place}`,
      feed: `/p/${place}.atom`,
      // A seal beside a link would look like a valid binding, which this no longer is.
      ...(found && found.state !== 'gone' && { seal: found.avatar }),
      isEmpty: found === null,
      firstAnswers: [
        askedHidden(`identity:${platform}:${identity}`),
        `/v1/proof?${new URLSearchParams({ platform, identity, exact: 'true', page: '1' })}`,
        ...(found
          ? [`/v1/proofchain?public_key=${found.avatar}&page=1`, `/v1/keys/chain?avatar=${found.avatar}&page=1`]
          : []),
      ],
    };
  }

  /** The head for an address below `/a/`: of an Avatar. Returns null if `rest` names none. */
  async ofAvatar(rest: string): Promise<PageHead | null> {
    const avatar = AvatarKey.find(partsOf(rest)[0] ?? '');
    if (!avatar) return null;
    const path = `/a/${avatar.compressed}`;
    const hidden = this.hidden.find({ kind: 'key', avatar: avatar.compressed });
    if (hidden) return hiddenHead(path, hidden);
    const isNamed = this.hidden.find({ kind: 'profile', avatar: avatar.compressed }) === null;
    const [found, hasContent, profile] = await Promise.all([
      this.bindings.ofKey(avatar),
      this.content.hasEntries(avatar),
      isNamed ? this.names.profileOf(avatar.compressed) : null,
    ]);
    const newest = found.newest.filter(
      ({ platform, identity }) => !this.hidden.find({ kind: 'identity', platform, identity }),
    );
    const total = found.total - (found.newest.length - newest.length);
    const named = newest.slice(0, NAMED_IN_WORDS);
    const stopped = stoppedText(found.hold);
    const names = named.map(({ platform, identity }) => `${isolatedName(identity)} (${platform})`).join(', ');
    return {
      title: `${titleOf(avatar.compressed, profile?.name ?? null)} · Signet`,
      description:
        total === 0
          ? `This key has connected nothing here.${stopped}`
          : `Connected to this key: ${names}${total > named.length ? ', …' : ''}.${stopped}`,
      path,
      ...(total > 0 && { seal: avatar.compressed, hasPicture: profile?.picture != null }),
      isEmpty: total === 0,
      profiles: newest.flatMap(({ profile }) => profile ?? []),
      feed: `/a/${avatar.compressed}.atom`,
      firstAnswers: [
        askedHidden(`key:${avatar.compressed}`),
        `/v1/proof?${new URLSearchParams({ platform: this.serviceName, identity: avatar.compressed, exact: 'true', page: '1' })}`,
        `/v1/proofchain?public_key=${avatar.compressed}&page=1`,
        `/v1/keys/chain?avatar=${avatar.compressed}&page=1`,
        `/v1/kv/chain?avatar=${avatar.compressed}&page=1`,
        // Without an entry it would answer 404, which browsers write into their consoles.
        ...(hasContent ? [`/v1/kv?avatar=${avatar.compressed}`] : []),
      ],
    };
  }
}

/** The address at which the page asks first whether the operator hides this. */
function askedHidden(item: string): string {
  return `/v1/hidden?${new URLSearchParams({ item })}`;
}

/** A key, and in quotes what it calls itself, which proves nothing about anybody's name. */
function titleOf(avatar: string, name: string | null): string {
  return name === null ? `Key ${shortKey(avatar)}` : `“${isolatedName(name)}” · key ${shortKey(avatar)}`;
}

/** The head of what the operator hides: it says so, and names nothing. */
function hiddenHead(path: string, { reason }: HiddenItem): PageHead {
  return { ...emptyHead(path), description: `The operator of this server hides this: ${reason}` };
}

/** The head of a page of which no preview shall say anything. */
function emptyHead(path: string): PageHead {
  return { title: 'Signet', description: 'Signet', path, isEmpty: true, firstAnswers: [] };
}

/** How readers of feeds find one: Atom Autodiscovery. @param path from `/` on */
export function feedLink(path: string): string {
  return `<link rel="alternate" type="application/atom+xml" href="${escaped(path)}" />`;
}

/** A sentence behind others; empty where nothing stops the key. */
function stoppedText(hold: ShownBinding['hold']): string {
  return hold === null ? '' : STOPPED[hold];
}

/** Puts a head into a document. @param origin with scheme, without a slash; null if the request does not name it */
export function withHead(
  document: PageDocument,
  { title, description, path, seal, hasPicture = false, isEmpty, firstAnswers, feed, profiles = [] }: PageHead,
  origin: string | null,
): PageDocument {
  const lines = [
    `<title>${escaped(title)}</title>`,
    meta('name', 'description', description),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:type', 'profile'),
    meta('property', 'og:site_name', 'Signet'),
    ...(origin === null
      ? []
      : [
          meta('property', 'og:url', origin + path),
          `<link rel="canonical" href="${escaped(origin + path)}" />`,
          ...(seal === undefined ? [] : hasPicture ? faceOf(seal, origin) : pictureOf(seal, origin)),
        ]),
    ...(isEmpty ? [meta('name', 'robots', 'noindex')] : []),
    ...(feed === undefined ? [] : [feedLink(feed)]),
    // Where such a page links back, programs take the two for one person's: https://microformats.org/wiki/rel-me
    ...profiles.map((address) => `<link rel="me" href="${escaped(address)}" />`),
    ...preloads(firstAnswers),
  ];
  return document.fill({ head: lines.join('\n    ') });
}

/** What the page takes for a name as it stands: no key, UUID, address or name of a platform before a name. */
const PLAIN_NAME = /^(?!0x)[a-z0-9_.-]{1,32}$/i;

/** Names the answers in a document that the page asks for first to show what a search for `text` finds. */
export function withFoundNames(document: PageDocument, text: string): PageDocument {
  const asked = ['exact=true&page=1', 'page=1'].map((rest) => `/v1/proof?identity=${text}&${rest}`);
  return document.fill({ answers: preloads(PLAIN_NAME.test(text) ? asked : []).join('\n    ') });
}

/** Lets a browser ask for answers together with the scripts that need them. All views need the list of platforms. */
function preloads(firstAnswers: string[]): string[] {
  return ['/v1/platforms', ...firstAnswers].map(
    (address) => `<link rel="preload" as="fetch" crossorigin="anonymous" href="${escaped(address)}" />`,
  );
}

/** The tags of a picture for previews of links: Open Graph, and the card of X. */
function pictureOf(seal: string, origin: string): string[] {
  return [
    meta('property', 'og:image', `${origin}/seal/${seal}.png`),
    meta('property', 'og:image:type', 'image/png'),
    meta('property', 'og:image:width', String(PICTURE.width)),
    meta('property', 'og:image:height', String(PICTURE.height)),
    meta('property', 'og:image:alt', `The seal of the key ${shortKey(seal)}`),
    meta('name', 'twitter:card', 'summary_large_image'),
  ];
}

/** The tags of the picture in a profile, which is small: the card of X that has one beside its words. */
function faceOf(avatar: string, origin: string): string[] {
  return [
    meta('property', 'og:image', `${origin}/picture/${avatar}`),
    meta('property', 'og:image:alt', `The picture that the key ${shortKey(avatar)} has chosen`),
    meta('name', 'twitter:card', 'summary'),
  ];
}

function meta(attribute: 'name' | 'property', key: string, content: string): string {
  return `<meta ${attribute}="${key}" content="${escaped(content)}" />`;
}

/** Decoded parts of an address; one that cannot be decoded stays as it is. */
function partsOf(rest: string): string[] {
  return rest.split('/').map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
}
