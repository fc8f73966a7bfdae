/** The answers of the service, by short names; the shapes are those of its OpenAPI document. */
import type { Schemas } from './schemas.js';
import type { Look } from './look/look.js';
import type { SeenByOthers } from './observers/observer-options.js';

/**
 * What shows that the identity of a binding agreed to it. `here`: every check of the link that made it was made by this
 * client and passed, which needs a wallet of one key. `by the server`: a post, a record or a contract wallet, which the
 * server says that it has seen.
 */
export type Shown = 'here' | 'by the server';

/** What this client found by itself. */
interface OwnFindings {
  /** Absent with `verify: 'none'`. */
  shown?: Shown;
  /** What the platform showed to this program; with `verify: 'posts'`, of those that were looked at. */
  look?: Look;
  /** What other servers saw; with `verify: { observers }`, of those that are not wallets. */
  seenBy?: SeenByOthers;
}

export type ProofRecord = Schemas['ProofRecord'] & OwnFindings;
export type IdentityGroup = Omit<Schemas['IdentityGroup'], 'proofs'> & { proofs: ProofRecord[] };
export type ProofState = Schemas['ProofState'] & OwnFindings;
export type Evidence = Schemas['Evidence'];
export type Check = Schemas['Check'];
export type ChainLink = Schemas['ChainLink'];
export type FeedLink = Schemas['FeedLink'];
export type KvContent = Schemas['KvResponse'];
export type KvPatch = Schemas['KvPatch'];
export type Payload = Schemas['PayloadResponse'];
export type KvPayload = Schemas['KvPayloadResponse'];
export type Pagination = Schemas['Pagination'];
export type Health = Schemas['Health'];
export type Platform = Schemas['Platform'];
/** The state of the transparency log, as the server reports it. */
export type LogStatus = Schemas['Log'];
export type LogWitness = Schemas['LogWitness'];

/** What the server answers to a link that it recorded; servers before 0.2.0 answered nothing. */
export interface LinkAnswer {
  proof_location?: string;
  extra?: object;
  receipt?: string;
}
