import { Injectable, Optional } from '@nestjs/common';
import { SignetError } from '@signet/verify/errors';
import { LINK_ENTRIES, PATCH_ENTRIES } from '@signet/verify/log';
import { Environment } from '../config/environment.js';
import { AvatarKey } from '../domain/avatar-key.js';
import type { IdentityName } from '../domain/identity-name.js';
import { KvFeed } from '../kv/kv-feed.js';
import { toKvResponse } from '../kv/kv.dto.js';
import { KvQueries } from '../kv/kv.queries.js';
import { type KvPatchDto, toKvChainResponse } from '../kv/patches/kv-patches.dto.js';
import { PlatformService } from '../platform/platform.service.js';
import { type IdentityGroupDto, type ProofRecordDto, toFoundProofs } from '../proof/look-up/proof-lookup.dto.js';
import { ProofQueries } from '../proof/look-up/proof.queries.js';
import { ProofChainService } from '../proof-chain/proof-chain.service.js';
import { type ChainLinkDto, toProofChainResponse } from '../proof-chain/proof-chain.dto.js';
import { LogMap, type MapQuestion } from '../transparency-log/published/log-map.js';
import { LogReport } from '../transparency-log/published/log-report.js';
import { LogTree, type UuidAsked } from '../transparency-log/published/log-tree.js';
import { GivenAnswers } from './given-answers.js';
import type { GivenAnswerDto, ProvedBy } from './resolve.dto.js';

/** Avatars that hold one name whose chains are answered; nearly every name has one. */
const MOST_HOLDERS = 3;
/** Links whose proofs are answered, of each chain. */
const MOST_PROVED = 8;

/** Who is asked for: the holder of a name, as it was written, or a key. */
export type Asked = IdentityName | { key: AvatarKey };

/**
 * The answers by which a client finds and checks who is behind a name, in the order in which it asks for them: a map
 * before the lists that are held against it, and the proofs of what these show behind them.
 */
@Injectable()
export class ResolveService {
  constructor(
    private readonly proofs: ProofQueries,
    private readonly chains: ProofChainService,
    private readonly content: KvQueries,
    private readonly patches: KvFeed,
    private readonly platforms: PlatformService,
    private readonly environment: Environment,
    @Optional() private readonly report?: LogReport,
    @Optional() private readonly map?: LogMap,
    @Optional() private readonly tree?: LogTree,
  ) {}

  /** @throws InvalidRequestError (`unknown_platform`) */
  async answers(asked: Asked, provedBy: ProvedBy): Promise<GivenAnswerDto[]> {
    const given = new GivenAnswers();
    const name = 'key' in asked ? null : this.nameOf(asked);
    if (provedBy === 'log' || provedBy === 'map') await this.addLog(given);
    if (provedBy === 'map' && name) await this.addMap(given, name);
    if (provedBy === 'map' && 'key' in asked) await this.addMap(given, { avatar: asked.key.compressed });
    const groups = await this.addBindings(given, asked);
    for (const group of groups.slice(0, MOST_HOLDERS)) {
      if (provedBy !== 'none') await this.addChain(given, group, name, provedBy);
    }
    const owner = 'key' in asked ? asked.key : ownerOf(groups, name);
    if (owner) await this.addContent(given, owner, provedBy);
    return given.answers;
  }

  /** Null for what cannot be a name there. */
  private nameOf({ platform, identity }: IdentityName): IdentityName | null {
    const canonical = this.platforms.findIdentity(this.platforms.get(platform), identity);
    return canonical === null ? null : { platform, identity: canonical };
  }

  private async addLog(given: GivenAnswers): Promise<void> {
    const { report } = this;
    if (report) await given.add('/v1/log', {}, () => report.read());
  }

  private async addMap(given: GivenAnswers, question: MapQuestion): Promise<void> {
    const { map } = this;
    if (map) await given.add('/v1/log/map', { ...question }, () => map.answer(question));
  }

  private async addBindings(given: GivenAnswers, asked: Asked): Promise<IdentityGroupDto[]> {
    const search =
      'key' in asked
        ? { platform: this.environment.SERVICE_NAME, identity: asked.key.compressed }
        : { platform: asked.platform, identity: asked.identity };
    const query = { ...search, exact: true, page: 1 };
    const found = await given.add('/v1/proof', query, async () => toFoundProofs(await this.proofs.find(query)));
    return found?.ids ?? [];
  }

  /** The first page of a chain, and the proofs of the links that made the bindings which are shown. */
  private async addChain(
    given: GivenAnswers,
    { avatar, proofs }: IdentityGroupDto,
    name: IdentityName | null,
    provedBy: ProvedBy,
  ): Promise<void> {
    if (provedBy === 'map' && name) await this.addMap(given, { avatar });
    const query = { public_key: avatar, page: 1 };
    const chain = await given.add('/v1/proofchain', query, async () =>
      toProofChainResponse(await this.chains.page(AvatarKey.parse(avatar), 1)),
    );
    if (!chain || (provedBy !== 'log' && provedBy !== 'map')) return;
    const links = JSON.parse(chain.proof_chain.text) as ChainLinkDto[];
    const made = proofs.flatMap((proof) => links.findLast((link) => isMadeBy(proof, link)) ?? []);
    const proved: UuidAsked[] = made.slice(0, MOST_PROVED).map(({ uuid }) => ({ uuid }));
    if (provedBy === 'map') {
      const asked = made.filter((link) => name && isNamed(link, name));
      const counted = new Set([...asked, ...links.slice(-1)].map(({ uuid }) => uuid));
      for (const uuid of counted) proved.push({ uuid, kind: LINK_ENTRIES.name });
    }
    await this.addProofs(given, proved);
  }

  private async addContent(given: GivenAnswers, owner: AvatarKey, provedBy: ProvedBy): Promise<void> {
    const avatar = owner.compressed;
    const content = await given.add('/v1/kv', { avatar }, async () => {
      const entries = await this.content.getSmallEntries(owner);
      return entries && toKvResponse(owner, entries);
    });
    // Without content there are no patches to read, but where a map has to say so.
    if (provedBy === 'none' || (!content && provedBy !== 'map')) return;
    const chain = await given.add('/v1/kv/chain', { avatar, page: 1 }, async () =>
      toKvChainResponse(await this.patches.page(owner, 1)),
    );
    if (!chain || provedBy === 'signatures') return;
    const uuid = (JSON.parse(chain.kv_chain.text) as KvPatchDto[]).at(-1)?.uuid;
    if (uuid === undefined) return;
    await this.addProofs(given, [{ uuid }, ...(provedBy === 'map' ? [{ uuid, kind: PATCH_ENTRIES.name }] : [])]);
  }

  private async addProofs(given: GivenAnswers, asked: UuidAsked[]): Promise<void> {
    if (!this.tree || given.isFull) return;
    const proofs = await this.tree.proofsOfUuids(asked).catch(nullForRefusal);
    for (const [place, query] of asked.entries()) {
      await given.add('/v1/log/proof', { ...query }, () => Promise.resolve(proofs?.[place] ?? null));
    }
  }
}

/** A refusal is for the one who asks for that alone. */
function nullForRefusal(error: unknown): null {
  if (error instanceof SignetError) return null;
  throw error;
}

function isNamed({ platform, identity }: IdentityName, name: IdentityName): boolean {
  return platform === name.platform && identity === name.identity;
}

function isMadeBy(proof: ProofRecordDto, link: ChainLinkDto): boolean {
  return link.action === 'create' && isNamed(link, proof) && link.created_at === proof.created_at;
}

/** The Avatar whose content is read with its bindings: the newest that holds the name validly, or else the newest. */
function ownerOf(groups: IdentityGroupDto[], name: IdentityName | null): AvatarKey | null {
  const rankOf = ({ proofs }: IdentityGroupDto) => {
    const own = proofs.find((proof) => name && isNamed(proof, name));
    return own ? Number(own.created_at) + (own.is_valid ? 1e12 : 0) : 0;
  };
  const [first] = [...groups].sort((one, other) => rankOf(other) - rankOf(one));
  return first ? AvatarKey.parse(first.avatar) : null;
}
