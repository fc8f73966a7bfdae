import { ChainChecker } from '@signet/verify';
import { bindingKey } from '@signet/verify/internal/chains';
import { serviceCurves } from '../crypto/ecdsa.js';
import type { LinkExtra } from '../proof-chain/chain-link.entity.js';
import { unixSecondsSql } from '../database/time-sql.js';
import type { BindingEvent } from '../domain/domain-events.js';
import { type AuditedKind, AuditFinding, BadRow, type SignedRow } from '../ledger/audited-kind.js';

interface LinkRow extends SignedRow {
  action: 'create' | 'delete';
  proof_location: string;
  /** UNIX seconds as decimal text. */
  created_at: string;
  extra: LinkExtra;
}

interface BindingRow extends BindingEvent {
  proof_location: string;
  linkId: number;
}

/** A signature of a contract wallet has up to 64 KiB, in its row and nowhere else. */
const BATCH = 200;

const STRAY_BINDING = `
  select avatar, platform, identity from proof where not exists (select from chain_link where chain_link.avatar = proof.avatar) limit 1`;
const FEED = 'select coalesce(min(id), 1) as first, coalesce(max(id), 0) as last from chain_link';

/** Every link is checked against its signatures, and the bindings against the links that they follow from. */
export const LINK_AUDIT: AuditedKind<LinkRow, BindingRow> = {
  title: 'ProofChains',
  word: 'Link',
  rows: 'links',
  derivedRows: 'bindings',
  rowsSql: (signed) => `
    select ${signed}, action, proof_location,
      ${unixSecondsSql('created_at')} as created_at, extra
    from chain_link where (avatar, position_in_chain) > ($1, $2) order by avatar, position_in_chain limit ${BATCH}`,
  derivedSql:
    'select avatar, platform, identity, proof_location, link_id as "linkId" from proof where avatar = any($1::text[])',

  newChain(avatar) {
    const checker = new ChainChecker<LinkRow>({ curves: serviceCurves, avatar });
    return {
      add(link, previous) {
        if (previous && previous.id > link.id) throw new BadRow('Link', link, 'it is older than the one before it');
        return checker.add(link);
      },
      compare(binding) {
        const { platform, identity, linkId } = binding;
        const link = checker.bindings.get(bindingKey(binding));
        if (!link)
          throw new AuditFinding(
            `The Avatar ${avatar} has a binding of "${identity}" on ${platform} that no link made.`,
          );
        if (link.id !== linkId) throw new BadRow('Link', link, `its binding says that it was made by link ${linkId}`);
        if (link.proof_location !== binding.proof_location) {
          throw new BadRow('Link', link, 'its binding has another proof_location');
        }
        checker.bindings.delete(bindingKey(binding));
      },
      assertAllCompared() {
        const [missing] = checker.bindings.values();
        if (missing) throw new BadRow('Link', missing, 'the binding that follows from it is missing');
      },
    };
  },

  /** Gaps in the feed, and bindings without a chain. */
  async conclude(query, links) {
    const [{ first, last }] = (await query(FEED)) as [{ first: number; last: number }];
    if (first !== 1 || last !== links) {
      throw new AuditFinding(`The feed has holes: ${links} links have ids from ${first} to ${last}.`);
    }
    const [stray] = await query<BindingRow>(STRAY_BINDING);
    if (stray) throw new AuditFinding(`The Avatar ${stray.avatar} has a binding on ${stray.platform} and no chain.`);
  },
};
