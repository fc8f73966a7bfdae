import { applyMergePatch, bindingKey, canonicalJson, PatchChainChecker } from '@signet/verify';
import { serviceCurves } from '../crypto/ecdsa.js';
import type { DatabaseClient } from '../database/connections/database-client.js';
import { sha256Hex } from '../crypto/hashing.js';
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

export interface PatchRow extends SignedRow {
  platform: string;
  identity: string;
  /** Canonical JSON. */
  patch: string;
  uuid: string;
  /** UNIX seconds. */
  createdAt: number;
}

interface EntryRow {
  avatar: string;
  platform: string;
  identity: string;
  /** SHA-256 of the content, so that it does not travel. */
  digest: string;
}

/** A patch and its signed text have up to 64 KiB each. */
const BATCH = 100;

const PATCHES = `
  select id, avatar, position_in_chain as position, platform, identity, patch, uuid::text as uuid,
    floor(extract(epoch from created_at))::float8 as "createdAt", signature, signature_payload as text,
    ${erasureOf('kv', 'kv_patch.feed_id')}
  from kv_patch where (avatar, position_in_chain) > ($1, $2) order by avatar, position_in_chain limit ${BATCH}`;
const ENTRIES = `
  select avatar, platform, identity, encode(sha256(convert_to(content, 'UTF8')), 'hex') as digest from kv_entry where avatar = any($1::text[])`;
const STRAY_ENTRY = `
  select avatar from kv_entry where not exists (select from kv_patch where kv_patch.avatar = kv_entry.avatar) limit 1`;

/** Checks every patch against its signature, and all content against the patches that it adds up from. */
export class PatchAudit implements ChainVisitor<PatchRow> {
  patches = 0;
  chains = 0;
  entries = 0;
  /** Patches whose texts were erased. */
  erased = 0;

  /** The chains that are not finished, by Avatar. */
  private readonly checkers = new Map<string, PatchChainChecker>();
  /** Content of the chains that are not finished, by Avatar, then by platform and identity. */
  private readonly content = new Map<string, Map<string, unknown>>();

  constructor(private readonly client: DatabaseClient) {}

  async read({ avatar, position }: ChainPosition): Promise<PatchRow[]> {
    return (await this.client.query<PatchRow>(PATCHES, [avatar, position])).rows;
  }

  /** @throws AuditFinding */
  visit(row: PatchRow, previous: PatchRow | null): void {
    const { avatar, platform, identity, uuid, createdAt, signature, text, erased } = row;
    const patch = parsed(row);
    const checker = this.checkers.get(avatar) ?? new PatchChainChecker(serviceCurves, avatar);
    this.checkers.set(avatar, checker);
    const signed = { created_at: createdAt, signature, signature_payload: text, ...(erased && { erased }) };
    const problem =
      problemOfPosition(row, previous) ??
      problemIn(checker.add({ avatar, platform, identity, patch, uuid, ...signed })) ??
      problemOfErasure(row);
    if (problem) throw new BadRow('Patch', row, problem);
    const entries = this.content.get(avatar) ?? new Map<string, unknown>();
    this.content.set(avatar, entries);
    this.patches += 1;
    if (erased) {
      this.erased += 1;
      return;
    }
    entries.set(bindingKey(row), applyMergePatch(entries.get(bindingKey(row)) ?? {}, patch));
  }

  /** @throws AuditFinding */
  async finish(avatars: string[]): Promise<void> {
    const { rows } = await this.client.query<EntryRow>(ENTRIES, [avatars]);
    for (const entry of rows) this.compare(entry);
    for (const avatar of avatars) {
      const missing = [...(this.content.get(avatar)?.keys() ?? [])][0];
      if (missing) throw new AuditFinding(`The content of ${ownerOf({ avatar, ...entryOf(missing) })} is missing.`);
      this.content.delete(avatar);
      this.checkers.delete(avatar);
    }
    this.chains += avatars.length;
  }

  /** Checks what needs all patches: content without a chain. @throws AuditFinding */
  async conclude(): Promise<void> {
    const stray = (await this.client.query<EntryRow>(STRAY_ENTRY)).rows[0];
    if (stray) throw new AuditFinding(`The Avatar ${stray.avatar} has content and no chain of patches.`);
  }

  private compare(entry: EntryRow): void {
    const entries = this.content.get(entry.avatar);
    const key = bindingKey(entry);
    if (!entries?.has(key)) throw new AuditFinding(`No patch made the content of ${ownerOf(entry)}.`);
    if (sha256Hex(canonicalJson(entries.get(key))) !== entry.digest) {
      throw new AuditFinding(`The content of ${ownerOf(entry)} is not what its patches add up to.`);
    }
    entries.delete(key);
    this.entries += 1;
  }
}

function parsed(row: PatchRow): unknown {
  try {
    return JSON.parse(row.patch);
  } catch {
    throw new BadRow('Patch', row, 'its patch is not JSON');
  }
}

function ownerOf({ avatar, platform, identity }: Pick<EntryRow, 'avatar' | 'platform' | 'identity'>): string {
  return `Avatar ${avatar} under "${identity}" on ${platform}`;
}

function entryOf(key: string): { platform: string; identity: string } {
  const [platform = '', identity = ''] = key.split('\n');
  return { platform, identity };
}
