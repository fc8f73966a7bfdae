/** Own looks at posts, for `client.look` and for clients with `demand: { posts }`. */
import { type CheckedLink, type Step, WALLET_PLATFORMS } from '@signet/verify';
import type { ChainLink, Evidence } from '../answers.js';
import { askedKey, refuse } from '../checks.js';
import { nullWhereNotFound, VerificationError } from '../errors.js';
import type { Look, Looker } from './look.js';
import type { BindingName, CallOptions } from '../client/call-options.js';
import { nameOf } from '../client/resting.js';
import { bindingNamed } from '../rules.js';
import type { Transport } from '../transport.js';

/** A binding, and what its platform showed to this program. */
export interface PostLook extends Look, BindingName {}

/** How a client looks. */
export interface PostOptions {
  /** For `demand: { posts }`: which bindings are looked at; all when absent. */
  which?: ((binding: BindingName) => boolean) | undefined;
}

/** What a look asks of the server. */
interface BindingReads {
  readonly transport: Transport;
  /** @throws VerificationError for a bad chain, and for one from which links are left out that the map counts */
  wholeChainOf(avatar: string, signal: AbortSignal | undefined): Promise<{ links: ChainLink[] }>;
}

/** Looks at the bindings that clients name. */
export class Looks {
  /** By the address of the server. */
  private readonly serviceNames = new Map<string, Promise<string>>();

  constructor(
    private readonly looker: Looker,
    private readonly options: PostOptions,
  ) {}

  /** @throws VerificationError where no signed link makes the binding */
  async look(reads: BindingReads, name: BindingName, { signal }: CallOptions): Promise<PostLook> {
    const avatar = askedKey(name?.avatar);
    const { links } = await reads.wholeChainOf(avatar, signal);
    const made = bindingNamed(avatar, links, name);
    if (!made) refuse('The answer', `No signed link binds ${JSON.stringify(name.identity)} to ${avatar}.`);
    const { platform, identity } = made.link;
    return { platform, identity, avatar, ...(await this.lookAt(reads, avatar, made, signal)) };
  }

  /**
   * Looks at the bindings that checked links made, one of a platform after the other.
   * @param areValid whether the server says so of each
   * @returns the look at each; null where it was not chosen
   * @throws VerificationError (`not_seen`) that names those which the server says are valid, and which are not
   */
  async demand(
    reads: BindingReads,
    avatar: string,
    made: CheckedLink[],
    areValid: boolean[],
    signal: AbortSignal | undefined,
  ): Promise<(Look | null)[]> {
    const { which = () => true } = this.options;
    const looks = made.map((): Look | null => null);
    const platforms = new Set(made.map(({ link }) => link.platform));
    const lookAtThoseOf = async (platform: string) => {
      for (const [index, one] of made.entries()) {
        const { identity } = one.link;
        if (one.link.platform !== platform || !which({ platform, identity, avatar })) continue;
        looks[index] = await this.lookAt(reads, avatar, one, signal);
      }
    };
    await Promise.all([...platforms].map(lookAtThoseOf));
    const refused = made.filter((_, index) => areValid[index] && looks[index]?.state === 'not_seen');
    if (refused.length === 0) return looks;
    const names = refused.map((one) => nameOf(one.link));
    const steps = refused.map((one): Step => {
      const { reason } = looks[made.indexOf(one)]!;
      return { name: 'post', state: 'failed', detail: `${nameOf(one.link)}: ${reason}` };
    });
    const message = `The server says that these are valid, and a look did not see them: ${names.join(', ')}.`;
    throw new VerificationError(message, steps, 'not_seen');
  }

  private async lookAt(
    reads: BindingReads,
    avatar: string,
    { link }: CheckedLink,
    signal: AbortSignal | undefined,
  ): Promise<Look> {
    const [accountId, serviceName] = await Promise.all([
      accountIdOf(reads, { ...link, avatar }, signal),
      this.serviceName(reads, signal),
    ]);
    return this.looker.look({ avatar, link, accountId, serviceName }, { signal });
  }

  private serviceName({ transport }: BindingReads, signal: AbortSignal | undefined): Promise<string> {
    const { baseUrl } = transport;
    const known = this.serviceNames.get(baseUrl);
    if (known) return known;
    const asked = transport.call<{ service_name: string }>({ path: '/v1/platforms', signal });
    const name = asked.then((answer) => answer.service_name);
    name.catch(() => this.serviceNames.delete(baseUrl));
    this.serviceNames.set(baseUrl, name);
    return name;
  }
}

/** The account id that the server saw when the binding was made, so that a name which changed hands is noticed. */
async function accountIdOf(
  { transport }: BindingReads,
  { platform, identity, avatar }: BindingName,
  signal: AbortSignal | undefined,
): Promise<string> {
  if (WALLET_PLATFORMS.includes(platform)) return '';
  const query = { platform, identity, public_key: avatar };
  const call = transport.call<Evidence>({ path: '/v1/proof/evidence', query, signal });
  return (await call.catch(nullWhereNotFound))?.account_id ?? '';
}
