/** The answers of the service, by short names; the shapes are those of its OpenAPI document. */
import type { components } from './api-types.js';

type Schemas = components['schemas'];

export type IdentityGroup = Schemas['IdentityGroup'];
export type ProofRecord = Schemas['ProofRecord'];
export type ProofState = Schemas['ProofState'];
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
/** The transparency log, as the server tells of it. */
export type LogStatus = Schemas['Log'];
export type LogWitness = Schemas['LogWitness'];
