import type { ClientBase } from 'pg';
import { Environment } from '../config/environment.js';
import { AvatarKey } from '../domain/avatar-key.js';
import { DomainError } from '../domain/domain-errors.js';
import { fromUnixSeconds } from '../domain/unix-time.js';
import { EthereumVerifier } from '../platform/verifiers/ethereum/ethereum.verifier.js';
import { SolanaVerifier } from '../platform/verifiers/solana/solana.verifier.js';
import type { LinkExtra } from '../proof-chain/chain-link.entity.js';
import { WebClient } from '../web/web-client.js';
import type { ChainVisitor, PlaceInChain } from './chain-walk.js';
import { AuditFinding, BadRow, problemOfRow, type SignedRow } from './signed-text.js';

export interface LinkRow extends SignedRow {
  action: 'create' | 'delete';
  platform: string;
  identity: string;
  location: string;
  uuid: string;
  /** UNIX seconds as decimal text. */
  createdAt: string;
  extra: LinkExtra;
}

interface BindingRow {
  avatar: string;
  platform: string;
  identity: string;
  location: string;
  linkId: number;
}

/** A signature of a contract wallet has up to 64 KiB, in its row and nowhere else. */
const BATCH = 200;

const LINKS = `
  select id::float8 as id, avatar, position_in_chain as position, action, platform, identity, proof_location as location, uuid::text as uuid,
    floor(extract(epoch from created_at))::text as "createdAt", signature, signature_payload as text, extra
  from chain_link where (avatar, position_in_chain) > ($1, $2) order by avatar, position_in_chain limit ${BATCH}`;
const BINDINGS = `
  select avatar, platform, identity, proof_location as location, link_id::float8 as "linkId" from proof where avatar = any($1::text[])`;
const STRAY_BINDING = `
  select avatar, platform, identity from proof where not exists (select from chain_link where chain_link.avatar = proof.avatar) limit 1`;
const FEED = 'select coalesce(min(id), 1)::float8 as first, coalesce(max(id), 0)::float8 as last from chain_link';

/** Checks every link against its signatures, and the bindings against the links that they follow from. */
export class LinkAudit implements ChainVisitor<LinkRow> {
  links = 0;
  chains = 0;
  bindings = 0;
  /** Links whose wallet signature only a node of its chain could check. */
  contractWallets = 0;

  /** No RPC endpoint: nobody is asked. */
  private readonly wallets = new Map(
    [new EthereumVerifier(new WebClient(new Environment()), new Environment()), new SolanaVerifier()].map(
      (verifier) => [verifier.platform, verifier],
    ),
  );
  /** Live bindings of the chains that are not finished, by Avatar, then by platform and identity. */
  private readonly live = new Map<string, Map<string, LinkRow>>();

  constructor(private readonly client: ClientBase) {}

  async read({ avatar, position }: PlaceInChain): Promise<LinkRow[]> {
    return (await this.client.query<LinkRow>(LINKS, [avatar, position])).rows;
  }

  /** @throws AuditFinding */
  async visit(link: LinkRow, previous: LinkRow | null): Promise<void> {
    const { action, avatar, platform, identity, uuid, createdAt } = link;
    const fields = { action, avatar, created_at: createdAt, identity, platform, uuid };
    const problem =
      problemOfRow(link, previous, fields) ?? (await this.problemOfWallet(link, previous)) ?? this.apply(link);
    if (problem) throw new BadRow('Link', link, problem);
    if (previous && previous.id > link.id) throw new BadRow('Link', link, 'it is older than the one before it');
    this.links += 1;
  }

  /** @throws AuditFinding */
  async finish(avatars: string[]): Promise<void> {
    const { rows } = await this.client.query<BindingRow>(BINDINGS, [avatars]);
    for (const binding of rows) this.compare(binding);
    for (const avatar of avatars) {
      const missing = [...(this.live.get(avatar)?.values() ?? [])][0];
      if (missing) throw new BadRow('Link', missing, 'the binding that follows from it is missing');
      this.live.delete(avatar);
    }
    this.chains += avatars.length;
  }

  /** What is only seen at the end: holes in the feed, and bindings without a chain. @throws AuditFinding */
  async conclude(): Promise<void> {
    const feed = (await this.client.query<{ first: number; last: number }>(FEED)).rows[0]!;
    if (feed.first !== 1 || feed.last !== this.links) {
      throw new AuditFinding(`The feed has holes: ${this.links} links have ids from ${feed.first} to ${feed.last}.`);
    }
    const stray = (await this.client.query<BindingRow>(STRAY_BINDING)).rows[0];
    if (stray) throw new AuditFinding(`The Avatar ${stray.avatar} has a binding on ${stray.platform} and no chain.`);
  }

  /** Only wallets: what a post said is evidence, which the platform alone could repeat. */
  private async problemOfWallet(link: LinkRow, previous: LinkRow | null): Promise<string | null> {
    const verifier = this.wallets.get(link.platform);
    if (!verifier || link.action === 'delete') return null;
    try {
      const verdict = await verifier.verify({
        avatar: AvatarKey.parse(link.avatar),
        identity: link.identity,
        signPayload: link.text,
        uuid: link.uuid,
        createdAt: fromUnixSeconds(Number(link.createdAt)),
        previous: previous?.signature ?? null,
        proofLocation: link.location,
        walletSignature: link.extra.wallet_signature,
        walletMessage: link.extra.wallet_message,
      });
      if (verdict.valid) return null;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
    if (link.platform !== 'ethereum' || link.extra['chain_id'] === undefined)
      return 'its wallet signature is not one of its wallet over its signed text';
    this.contractWallets += 1;
    return null;
  }

  private apply(link: LinkRow): string | null {
    const bindings = this.live.get(link.avatar) ?? new Map<string, LinkRow>();
    this.live.set(link.avatar, bindings);
    if (link.action === 'create') bindings.set(keyOf(link), link);
    else if (!bindings.delete(keyOf(link))) return 'it deletes a binding that did not exist';
    return null;
  }

  private compare(binding: BindingRow): void {
    const { avatar, platform, identity, linkId, location } = binding;
    const link = this.live.get(avatar)?.get(keyOf(binding));
    if (!link)
      throw new AuditFinding(`The Avatar ${avatar} has a binding of "${identity}" on ${platform} that no link made.`);
    if (link.id !== linkId) throw new BadRow('Link', link, `its binding says that it was made by link ${linkId}`);
    if (link.location !== location) throw new BadRow('Link', link, 'its binding has another proof_location');
    this.live.get(avatar)!.delete(keyOf(binding));
    this.bindings += 1;
  }
}

/** Neither part holds a line break. */
function keyOf({ platform, identity }: { platform: string; identity: string }): string {
  return `${platform}\n${identity}`;
}
