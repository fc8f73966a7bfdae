import { LINK_ENTRIES } from '@signet/verify/log';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { type RecordErasure, type RecordKind, RefusedErasure } from '../ledger/record-kind.js';
import type { ChainLink } from '../proof-chain/chain-link.entity.js';
import { LINK_ARCHIVE } from '../proof-chain/link-archive.js';
import { eraseLink, LINK_FEED } from '../proof-chain/link-rows.js';
import { toFeedLink } from '../proof-chain/proof-chain.dto.js';
import { LINK_AUDIT } from './link-audit.js';
import { eraseBinding, eraseEvidence, isBoundBy } from './proof.store.js';

/** The rest of an erased link: whether a binding rests on it, which goes too. */
const erasure: RecordErasure<boolean> = {
  consent: 'with-binding',

  // Keeps a create of the same identity away.
  lock: (manager) => manager.query(`select pg_advisory_xact_lock(${ADVISORY_LOCKS.append})`),

  async plan(manager, { id }, isAllowed) {
    const wasBound = await isBoundBy(manager, id);
    if (wasBound && !isAllowed) {
      throw new RefusedErasure('A binding rests on this link. Add --with-binding to take it out of all answers, too.');
    }
    return wasBound;
  },

  async erase(manager, link, erased, wasBound) {
    if (wasBound) {
      await eraseBinding(manager, link.id);
      await eraseEvidence(manager, link);
    }
    await eraseLink(manager, link.id, erased);
  },

  describe: (wasBound) => [
    '- identity, location, signed text and extra of the link; its evidence, unless another link names the identity',
    ...(wasBound ? ['- the binding that rests on it, with its checks'] : []),
  ],
};

/** The links of ProofChains, on which bindings rest. */
export const LINKS: RecordKind = {
  ...LINK_ENTRIES,
  feed: LINK_FEED,
  upgradeSteps: [],
  toRecord: (link: ChainLink) => ({ ...toFeedLink(link), action: link.action, extra: link.extra }),
  bindsIdentities: true,
  archive: LINK_ARCHIVE,
  erasure,
  audit: LINK_AUDIT,
};
