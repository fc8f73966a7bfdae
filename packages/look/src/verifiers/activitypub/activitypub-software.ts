import type { Handle } from './activitypub-handle.js';
import { unusable, type FediverseRequests } from './activitypub-requests.js';

/** Addresses of posts that servers ask each other for: below that of the actor, or `/notes/<id>`. */
export type ObjectPath = 'statuses' | 'notes';

/**
 * The ways to read a post without an account: the API of Mastodon, the same as Pleroma speaks it, that of Misskey, and
 * objects by signed requests.
 */
export type FediverseApi = 'mastodon' | 'pleroma' | 'misskey' | ObjectPath;

const MAX_KNOWN_HOSTS = 1000;
const KNOWN_FOR_MS = 60 * 60 * 1000; // servers change their software hardly ever, and may be updated to show more
const SCHEMAS = ['2.1', '2.0', '1.1', '1.0'].map((version) => `http://nodeinfo.diaspora.software/ns/schema/${version}`);

const MASTODON: FediverseApi[] = ['mastodon', 'statuses'];
/** Servers with the same API and other addresses of posts. */
const LIKE_MASTODON: FediverseApi[] = ['mastodon'];
const PLEROMA: FediverseApi[] = ['pleroma'];
const MISSKEY: FediverseApi[] = ['misskey', 'notes'];
const BOTH: FediverseApi[] = ['mastodon', 'misskey'];
/** For servers of which nothing is known: the rule of Pleroma for a 404 is the more careful one. */
const UNKNOWN: FediverseApi[] = ['pleroma', 'misskey'];

/**
 * Names in nodeinfo, in lower case (docs/design/platforms.md 10). Pixelfed and Friendica often show nothing without an
 * account.
 */
const SOFTWARE: Record<string, FediverseApi[]> = {
  mastodon: MASTODON,
  hometown: MASTODON,
  fedibird: MASTODON,
  kmyblue: MASTODON,
  pleroma: PLEROMA,
  akkoma: PLEROMA,
  rebased: PLEROMA,
  takahe: LIKE_MASTODON,
  mitra: LIKE_MASTODON,
  pixelfed: LIKE_MASTODON,
  friendica: LIKE_MASTODON,
  gotosocial: ['statuses'],
  iceshrimp: BOTH,
  'iceshrimp.net': BOTH,
  catodon: BOTH,
  misskey: MISSKEY,
  foundkey: MISSKEY,
  calckey: MISSKEY,
  firefish: MISSKEY,
  sharkey: MISSKEY,
  cherrypick: MISSKEY,
};

/** The parts of nodeinfo that we read. Every member is optional: we did not write that server. */
interface NodeinfoIndex {
  links?: unknown;
}
interface Nodeinfo {
  software?: { name?: unknown } | null;
  metadata?: { upstream?: { name?: unknown } | null; features?: unknown } | null;
}

/** Which API a host speaks, remembered for a while. */
export class FediverseSoftware {
  private readonly known = new Map<string, { apis: FediverseApi[]; untilMs: number }>();

  /**
   * The APIs to try on `apiHost`, in order. A server without nodeinfo and software of an unknown name are tried with
   * both, and so is every server where nodeinfo cannot be counted on, as in browsers (Mastodon allows other origins for
   * its API alone: mastodon/mastodon issue 23135).
   * @throws PlatformUnavailableError if nodeinfo cannot be read
   */
  async apisOf(requests: FediverseRequests, apiHost: string, handle: Handle): Promise<FediverseApi[]> {
    const known = this.known.get(apiHost);
    if (known && known.untilMs > Date.now()) return known.apis;
    if (requests.isCrossOrigin) return UNKNOWN;
    const nodeinfo = await readNodeinfo(requests, apiHost, handle);
    const apis = apisBy(nodeinfo);
    this.remember(apiHost, apis);
    return apis;
  }

  /** Keeps what was read or found out by trying. The host that was learned longest ago is dropped. */
  remember(apiHost: string, apis: FediverseApi[]): void {
    this.known.delete(apiHost);
    this.known.set(apiHost, { apis, untilMs: Date.now() + KNOWN_FOR_MS });
    const [oldest] = this.known.keys();
    if (this.known.size > MAX_KNOWN_HOSTS) this.known.delete(oldest!);
  }
}

/** @returns null where the server has no nodeinfo, or none of a version that we know */
async function readNodeinfo(requests: FediverseRequests, apiHost: string, handle: Handle): Promise<Nodeinfo | null> {
  const index = await requests.getJson<NodeinfoIndex>(`https://${apiHost}/.well-known/nodeinfo`);
  if (index.status === 404 || index.status === 400) return null;
  if (index.status !== 200 || !Array.isArray(index.json?.links)) throw unusable();
  const links = index.json.links.map((link) => (link ?? {}) as { rel?: unknown; href?: unknown });
  const newest = SCHEMAS.map((schema) => links.find(({ rel }) => rel === schema)).find((link) => link !== undefined);
  if (!newest) return null;
  if (!isOn(newest.href, [apiHost, handle.host])) throw unusable();
  const { status, json } = await requests.getJson<Nodeinfo>(newest.href);
  if (status !== 200 || typeof json !== 'object' || json === null) throw unusable();
  return json;
}

/** Whether this is an https address of one of the hosts: a server must not send us elsewhere. */
function isOn(href: unknown, hosts: string[]): href is string {
  return typeof href === 'string' && hosts.some((host) => href.startsWith(`https://${host}/`));
}

function apisBy(nodeinfo: Nodeinfo | null): FediverseApi[] {
  const name = lowercase(nodeinfo?.software?.name);
  if (Object.hasOwn(SOFTWARE, name)) return SOFTWARE[name]!;
  const features: unknown[] = Array.isArray(nodeinfo?.metadata?.features) ? nodeinfo.metadata.features : [];
  if (features.includes('pleroma_api')) return PLEROMA;
  const isLikeMastodon =
    lowercase(nodeinfo?.metadata?.upstream?.name) === 'mastodon' || features.includes('mastodon_api');
  return isLikeMastodon ? LIKE_MASTODON : BOTH;
}

function lowercase(value: unknown): string {
  return typeof value === 'string' ? value.toLowerCase() : '';
}
