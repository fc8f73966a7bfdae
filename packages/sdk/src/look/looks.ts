/** Own looks at posts, for `client.look` and for clients with `verify: 'posts'`. */
import { type CheckedLink, type Step, WALLET_PLATFORMS } from '@signet/verify';
import type { ChainLink, Evidence, ProofRecord } from '../answers.js';
import { compressed, refuse } from '../checks.js';
import { nullWhereNotFound, VerificationError } from '../errors.js';
import type { Look, Looker } from './look.js';
import type { BindingName, CallOptions } from '../client/call-options.js';
import { bindingNamed, nameOf } from '../client/shown.js';
import type { Transport } from '../transport.js';

/** What the server says of a binding, and where the look at it is put. */
type Said = Pick<ProofRecord, 'is_valid' | 'look'>;

/** A binding, and what its platform showed to this program. */
export interface PostLook extends Look, BindingName {}

/** How a client looks. */
export interface PostOptions {
  /** For `verify: 'posts'`: which bindings are looked at; all when absent. */
  which?: ((binding: BindingName) => boolean) | undefined;
  /**
   * For `verify: 'posts'`. `seen`: a binding that is looked at, and that the server says is valid, is refused unless it
   * was seen. When absent it is refused only where an answer of the platform was read that does not bear it out.
   */
  demand?: 'seen' | undefined;
}

/** What a look asks of the server. */
interface BindingReads {
  readonly transport: Transport;
  /** @throws VerificationError for a bad chain, and for one from which links are left out that the map counts */
  wholeChainOf(avatar: string, signal: AbortSignal | undefined): Promise<ChainLink[]>;
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
    const avatar = compressed(name.avatar);
    const made = bindingNamed(avatar, await reads.wholeChainOf(avatar, signal), name);
    if (!made) refuse('The binding', `No signed link binds ${JSON.stringify(name.identity)} to ${name.avatar}.`);
    const { platform, identity } = made.link;
    return { platform, identity, avatar, ...(await this.lookAt(reads, avatar, made, signal)) };
  }

  /**
   * Looks at the bindings that checked links made, one of a platform after the other, and puts each look beside what
   * the server says.
   * @throws VerificationError (`not_seen`) that names those which the server says are valid, and which are not
   */
  async demand(
    reads: BindingReads,
    avatar: string,
    made: CheckedLink[],
    said: Said[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { which = () => true, demand } = this.options;
    const chosen = made.flatMap((one, index) => {
      const { platform, identity } = one.link;
      return which({ platform, identity, avatar }) ? [{ made: one, said: said[index]! }] : [];
    });
    const platforms = new Set(chosen.map((one) => one.made.link.platform));
    await Promise.all(
      [...platforms].map(async (platform) => {
        for (const one of chosen.filter((other) => other.made.link.platform === platform)) {
          one.said.look = await this.lookAt(reads, avatar, one.made, signal);
        }
      }),
    );
    const isRefused = ({ state }: Look) => (demand === 'seen' ? state !== 'seen' : state === 'not_seen');
    const refused = chosen.filter((one) => one.said.is_valid && isRefused(one.said.look!));
    if (refused.length === 0) return;
    const names = refused.map((one) => nameOf(one.made.link));
    const steps = refused.map(({ made: { link }, said: { look } }): Step => {
      return {
        name: 'post',
        state: look!.state === 'not_seen' ? 'failed' : 'not_checkable',
        detail: `${nameOf(link)}: ${look!.reason}`,
      };
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
