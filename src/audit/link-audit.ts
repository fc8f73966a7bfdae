import { bindingKey, ChainChecker, type SignedLink } from '@signet/verify';
import { serviceCurves } from '../crypto/ecdsa.js';
import type { DatabaseClient } from '../database/connections/database-client.js';
import type { LinkExtra } from '../proof-chain/chain-link.entity.js';
import type { ChainVisitor, ChainPosition } from './chain-walk.js';
import {
  AuditFinding,
  BadRow,
  erasureOf,
  problemIn,
  problemOfErasure,
  problemOfPosition,
  type SignedRow,
} from './signed-text.js';

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

interface AuditedLink extends SignedLink {
  row: LinkRow;
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
  select id, avatar, position_in_chain as position, action, platform, identity, proof_location as location, uuid::text as uuid,
    floor(extract(epoch from created_at))::text as "createdAt", signature, signature_payload as text, extra, ${erasureOf('link', 'chain_link.id')}
  from chain_link where (avatar, position_in_chain) > ($1, $2) order by avatar, position_in_chain limit ${BATCH}`;
const BINDINGS = `
  select avatar, platform, identity, proof_location as location, link_id as "linkId" from proof where avatar = any($1::text[])`;
const STRAY_BINDING = `
  select avatar, platform, identity from proof where not exists (select from chain_link where chain_link.avatar = proof.avatar) limit 1`;
const FEED = 'select coalesce(min(id), 1) as first, coalesce(max(id), 0) as last from chain_link';

/** Checks every link against its signatures, and the bindings against the links that they follow from. */
export class LinkAudit implements ChainVisitor<LinkRow> {
  links = 0;
  chains = 0;
  bindings = 0;
  /** Links whose wallet signature only a node of its chain could check. */
  contractWallets = 0;
  /** Links whose texts were erased. */
  erased = 0;

  /** The chains that are not finished, by Avatar. */
  private readonly checkers = new Map<string, ChainChecker<AuditedLink>>();

  constructor(private readonly client: DatabaseClient) {}

  async read({ avatar, position }: ChainPosition): Promise<LinkRow[]> {
    return (await this.client.query<LinkRow>(LINKS, [avatar, position])).rows;
  }

  /** @throws AuditFinding */
  visit(link: LinkRow, previous: LinkRow | null): void {
    const gap = problemOfPosition(link, previous);
    if (gap) throw new BadRow('Link', link, gap);
    const checker = this.checkers.get(link.avatar) ?? new ChainChecker(serviceCurves, { avatar: link.avatar });
    this.checkers.set(link.avatar, checker);
    const result = checker.add(storedLink(link));
    const problem = problemIn(result) ?? problemOfErasure(link);
    if (problem) throw new BadRow('Link', link, problem);
    if (previous && previous.id > link.id) throw new BadRow('Link', link, 'it is older than the one before it');
    // The text of a post is evidence, which only the platform could repeat.
    if (result.steps.some(({ name, state }) => name === 'wallet_signature' && state === 'not_checkable')) {
      this.contractWallets += 1;
    }
    if (link.erased) this.erased += 1;
    this.links += 1;
  }

  /** @throws AuditFinding */
  async finish(avatars: string[]): Promise<void> {
    const { rows } = await this.client.query<BindingRow>(BINDINGS, [avatars]);
    for (const binding of rows) this.compare(binding);
    for (const avatar of avatars) {
      const missing = [...(this.checkers.get(avatar)?.bindings.values() ?? [])][0];
      if (missing) throw new BadRow('Link', missing.row, 'the binding that follows from it is missing');
      this.checkers.delete(avatar);
    }
    this.chains += avatars.length;
  }

  /** Checks what needs all links: gaps in the feed, and bindings without a chain. @throws AuditFinding */
  async conclude(): Promise<void> {
    const feed = (await this.client.query<{ first: number; last: number }>(FEED)).rows[0]!;
    if (feed.first !== 1 || feed.last !== this.links) {
      throw new AuditFinding(`The feed has holes: ${this.links} links have ids from ${feed.first} to ${feed.last}.`);
    }
    const stray = (await this.client.query<BindingRow>(STRAY_BINDING)).rows[0];
    if (stray) throw new AuditFinding(`The Avatar ${stray.avatar} has a binding on ${stray.platform} and no chain.`);
  }

  private compare(binding: BindingRow): void {
    const { avatar, platform, identity, linkId, location } = binding;
    const bindings = this.checkers.get(avatar)?.bindings;
    const link = bindings?.get(bindingKey(binding))?.row;
    if (!link)
      throw new AuditFinding(`The Avatar ${avatar} has a binding of "${identity}" on ${platform} that no link made.`);
    if (link.id !== linkId) throw new BadRow('Link', link, `its binding says that it was made by link ${linkId}`);
    if (link.location !== location) throw new BadRow('Link', link, 'its binding has another proof_location');
    bindings?.delete(bindingKey(binding));
    this.bindings += 1;
  }
}

/** Converts a row to the form that the rules check. */
function storedLink(row: LinkRow): AuditedLink {
  const { action, avatar, platform, identity, uuid, createdAt, signature, text, extra, erased } = row;
  const signed = { created_at: createdAt, signature, signature_payload: text, ...(erased && { erased }) };
  return { action, avatar, platform, identity, uuid, extra, ...signed, row };
}
