import type { KvByIdentityResponseDto, KvResponseDto } from '../kv/kv.dto.js';
import type { StoredJson, Written } from '../http/stored-json.js';
import type { ChainLinkDto, ChangesResponseDto, ProofChainResponseDto } from '../proof-chain/proof-chain.dto.js';
import type { PayloadResponseDto } from '../proof/proof.dto.js';
import { type FoundProofsDto, SOURCE } from '../proof/look-up/proof-lookup.dto.js';
import { recognisedTexts } from './post-texts.js';
import { KEY_PLATFORM } from './request-aliases.js';

/** What a change needs to know of the service: its name, and whether a platform is one that its clients know. */
export interface Dialect {
  serviceName: string;
  knows(platform: string): boolean;
}

/** Turns the body of a success into the one to answer; may change it in place, because nothing else reads it. */
export type AnswerChange = (answer: never, dialect: Dialect) => object;

/** What turns an answer into the form that clients of NextID read, by method and route, such as `GET /v1/kv`. */
export const ANSWERS: Record<string, AnswerChange> = {
  'GET /healthz': (health: object) => ({ ...health, runtime: 'standalone' }),
  'POST /v1/proof/payload': (payload: PayloadResponseDto) => ({
    ...payload,
    post_content: recognisedTexts(payload.post_content, payload.sign_payload),
  }),
  'GET /v1/proof': withGroups,
  'GET /v1/proofchain': (answer: Written<ProofChainResponseDto, 'proof_chain'>) => ({
    ...answer,
    proof_chain: withLinkNames(answer.proof_chain),
  }),
  'GET /v1/proofchain/changes': (answer: Written<ChangesResponseDto, 'links'>) => ({
    links: withLinkNames(answer.links),
  }),
  'GET /v1/kv': withPersona,
  'POST /v1/kv': withPersona,
  'GET /v1/kv/by_identity': (answer: KvByIdentityResponseDto) => ({
    ...answer,
    // A null would end the reading of the whole list in Maskbook.
    values: answer.values.filter(({ content }) => content !== null),
  }),
};

/**
 * Adds members in place: lookups are the most frequent requests, and copies would cost a tenth of one. Bindings on
 * platforms that closed lists do not have are left out, as are groups of no other ones.
 */
function withGroups(answer: FoundProofsDto, dialect: Dialect): FoundProofsDto {
  const isKnown = ({ platform }: { platform: string }) => dialect.knows(platform);
  for (const group of answer.ids) {
    const { [SOURCE]: source, avatar, last_archive_id, proofs } = group;
    for (const [index, proof] of proofs.entries()) {
      Object.assign(proof, { alt_id: source?.proofs[index]?.accountId ?? proof.identity });
    }
    const activated_at = String(source?.activatedAt ?? 0);
    Object.assign(group, { persona: avatar, alias: [], last_arweave_id: last_archive_id, activated_at });
    if (proofs.every(isKnown)) continue;
    group.proofs = proofs.filter(isKnown);
    group.proofs_total -= proofs.length - group.proofs.length;
  }
  if (answer.ids.some(({ proofs }) => proofs.length === 0)) {
    answer.ids = answer.ids.filter(({ proofs }) => proofs.length > 0);
  }
  return answer;
}

function withLinkNames({ text }: StoredJson): object[] {
  const links = JSON.parse(text) as ChainLinkDto[];
  return links.map((link) => ({ ...link, alt_id: link.identity, arweave_id: link.archive_id }));
}

/** The entry of the key itself stands under the platform value that clients of NextID know, and the compressed key. */
function withPersona(answer: KvResponseDto, { serviceName }: Dialect): object {
  const proofs = answer.proofs.map((entry) =>
    entry.platform === serviceName ? { ...entry, platform: KEY_PLATFORM, identity: compressed(entry.identity) } : entry,
  );
  return { ...answer, persona: answer.avatar, proofs };
}

/** SEC 1, 2.3.3: `02` before an even ordinate, `03` before an odd one. */
function compressed(uncompressed: string): string {
  const isOdd = /[13579bdf]$/.test(uncompressed);
  return `0x${isOdd ? '03' : '02'}${uncompressed.slice(4, 68)}`;
}
