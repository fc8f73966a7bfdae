/** The answers of the service, by short names; the shapes are those of its OpenAPI document. */
import type { components } from './api-types.js';

type Schemas = components['schemas'];

export type IdentityGroup = Schemas['IdentityGroupDto'];
export type ProofRecord = Schemas['ProofRecordDto'];
export type ProofState = Schemas['ProofStateDto'];
export type Evidence = Schemas['EvidenceDto'];
export type Check = Schemas['CheckDto'];
export type ChainLink = Schemas['ChainLinkDto'];
export type FeedLink = Schemas['FeedLinkDto'];
export type KvContent = Schemas['KvResponseDto'];
export type KvPatch = Schemas['KvPatchDto'];
export type Payload = Schemas['PayloadResponseDto'];
export type KvPayload = Schemas['KvPayloadResponseDto'];
export type Pagination = Schemas['PaginationDto'];
export type Health = Schemas['HealthDto'];
export type Platform = Schemas['PlatformDto'];
