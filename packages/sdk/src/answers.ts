/** The answers of the service, by short names; the shapes are those of its OpenAPI document. */
import type { BindingResting, Resting } from './client/resting.js';
import type { Schemas } from './schemas.js';

export type ProofRecord = Schemas['ProofRecord'] & { resting: BindingResting };
export type IdentityGroup = Omit<Schemas['IdentityGroup'], 'proofs'> & { proofs: ProofRecord[] };
export type ProofState = Schemas['ProofState'] & { resting: BindingResting };
export type Evidence = Schemas['Evidence'];
export type Check = Schemas['Check'];
export type ChainLink = Schemas['ChainLink'];
export type FeedLink = Schemas['FeedLink'];
export type KvContent = Schemas['KvResponse'] & { resting: Resting };
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
