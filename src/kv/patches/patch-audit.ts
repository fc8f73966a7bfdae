import { canonicalJson, PatchChainChecker } from '@signet/verify';
import { bindingKey, PatchReplay } from '@signet/verify/internal/chains';
import { serviceCurves } from '../../crypto/ecdsa.js';
import { sha256Hex } from '../../crypto/hashing.js';
import type { BindingEvent } from '../../domain/domain-events.js';
import type { IdentityName } from '../../domain/identity-name.js';
import { type AuditedKind, AuditFinding, BadRow, type SignedRow } from '../../ledger/audited-kind.js';

interface PatchRow extends SignedRow {
  /** Canonical JSON. */
  patch: string;
  /** UNIX seconds. */
  created_at: number;
}

interface EntryRow extends BindingEvent {
  /** SHA-256 of the content, so that it does not travel. */
  digest: string;
}

/** A patch and its signed text have up to 64 KiB each. */
const BATCH = 100;

const STRAY_ENTRY = `
  select avatar from kv_entry where not exists (select from kv_patch where kv_patch.avatar = kv_entry.avatar) limit 1`;

/** Every patch is checked against its signature, and all content against the patches that it adds up from. */
export const PATCH_AUDIT: AuditedKind<PatchRow, EntryRow> = {
  title: 'Key-value',
  word: 'Patch',
  rows: 'patches',
  derivedRows: 'entries',
  rowsSql: (signed) => `
    select ${signed}, patch, signer as "appSigner", floor(extract(epoch from created_at))::float8 as created_at
    from kv_patch where (avatar, position_in_chain) > ($1, $2) order by avatar, position_in_chain limit ${BATCH}`,
  derivedSql: `
    select avatar, platform, identity, encode(sha256(convert_to(content, 'UTF8')), 'hex') as digest
    from kv_entry where avatar = any($1::text[])`,

  newChain(avatar, signers) {
    const checker = new PatchChainChecker({ curves: serviceCurves, avatar, signers });
    const replay = new PatchReplay();
    const { entries } = replay;
    return {
      add(row) {
        const patch = parsed(row);
        const { appSigner } = row;
        const result = checker.add({ ...row, patch, ...(appSigner && { signer: appSigner }) });
        if (result.ok) replay.add({ ...row, patch });
        return result;
      },
      compare(entry) {
        const patched = entries.get(bindingKey(entry));
        if (!patched) throw new AuditFinding(`No patch made the content of ${ownerOf(avatar, entry)}.`);
        if (sha256Hex(canonicalJson(patched.content)) !== entry.digest) {
          throw new AuditFinding(`The content of ${ownerOf(avatar, entry)} is not what its patches add up to.`);
        }
        entries.delete(bindingKey(entry));
      },
      assertAllCompared() {
        const [missing] = entries.values();
        if (missing) throw new AuditFinding(`The content of ${ownerOf(avatar, missing)} is missing.`);
      },
    };
  },

  /** Content without a chain. */
  async conclude(query) {
    const [stray] = await query<EntryRow>(STRAY_ENTRY);
    if (stray) throw new AuditFinding(`The Avatar ${stray.avatar} has content and no chain of patches.`);
  },
};

function parsed(row: PatchRow): unknown {
  try {
    return JSON.parse(row.patch);
  } catch {
    throw new BadRow('Patch', row, 'its patch is not JSON');
  }
}

function ownerOf(avatar: string, { platform, identity }: IdentityName): string {
  return `Avatar ${avatar} under "${identity}" on ${platform}`;
}
