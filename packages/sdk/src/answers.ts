/** The answers of the service, by short names; the shapes are those of its OpenAPI document. */
import type { BindingResting, Resting } from './client/resting.js';
import type { FollowedStep } from './keys/key-types.js';
import type { Schemas } from './schemas.js';

/** A binding of an Avatar, as look-ups answer it, with what it rests on. Times are UNIX seconds as text. */
export type ProofRecord = Schemas['ProofRecord'] & { resting: BindingResting };
/** One Avatar that a look-up found, with its bindings. */
export type IdentityGroup = Omit<Schemas['IdentityGroup'], 'proofs'> & {
  proofs: ProofRecord[];
  /** With `follow: true` alone: how this Avatar follows from the one that was asked for; empty for that one. */
  followed?: FollowedStep[];
};
/** The state of one binding, as `proofs.exists` answers it, with what it rests on. Times are UNIX seconds as text. */
export type ProofState = Schemas['ProofState'] & { resting: BindingResting };
/** What a server saw of a post or record at the last look that found it. */
export type Evidence = Schemas['Evidence'];
/** One look of a server at a binding: when, and what came of it. */
export type Check = Schemas['Check'];
/** A signed link of a chain: the create or the delete of one binding. */
export type ChainLink = Schemas['ChainLink'];
/** A link in the feed of all Avatars, with the key whose link it is. */
export type FeedLink = Schemas['FeedLink'];
/** The JSON content of an Avatar by platform and identity, with what it rests on. */
export type KvContent = Schemas['KvResponse'] & {
  resting: Resting;
  /** With `follow: true` alone: how this Avatar follows from the one that was asked for; empty for that one. */
  followed?: FollowedStep[];
};
/** A signed change of the content of an Avatar: a JSON merge patch (RFC 7396). */
export type KvPatch = Schemas['KvPatch'];
/** What a server issues for a new link: the text to sign, its uuid and time, and what to publish. */
export type Payload = Schemas['PayloadResponse'];
/** What a server issues for a new patch: the text to sign, its uuid and time. */
export type KvPayload = Schemas['KvPayloadResponse'];
/** The place of a page in a list: how many items there are, and the numbers of the pages around it. */
export type Pagination = Schemas['Pagination'];
/** The answer of `GET /healthz`: what a server says of itself and its platforms. */
export type Health = Schemas['Health'];
/** A platform of a server, with what guides a person who binds an account there. */
export type Platform = Schemas['Platform'];
/** An account with the name that it and that name agreed on when the server looked; the name can change hands. */
export type NamedAccount = Schemas['Account'];
/** The state of the transparency log, as the server reports it. */
export type LogStatus = Schemas['Log'];
/** A witness of the log of a server, with what the server last heard of it. */
export type LogWitness = Schemas['LogWitness'];

/** What the server answers to a link that it recorded; servers before 0.2.0 answered nothing. */
export interface LinkAnswer {
  proof_location?: string;
  extra?: object;
  receipt?: string;
}
