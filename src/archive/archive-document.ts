import { canonicalJson } from '../crypto/canonical-json.js';
import { unixSecondsText } from '../domain/unix-time.js';
import type { ChainLink } from '../proof-chain/chain-link.entity.js';
import type { Tag } from './archive-store.js';

/**
 * Application name and version in the tags. The version is that of the document's format: readers care for nothing
 * else.
 */
const APP_NAME = 'signet';
const DOCUMENT_VERSION = '1';

/** What a document says of the link before it. */
export interface Predecessor {
  uuid: string;
  archiveId: string;
}

/**
 * The text that is archived for one link, canonical JSON (docs/archive.md). It holds all that a stranger needs to
 * verify the link and to find the one before it; `previous_uuid` and `previous_archive_id` are `''` in the first link
 * of an Avatar.
 */
export function archiveDocument(link: ChainLink, previous: Predecessor | null): string {
  return canonicalJson({
    action: link.action,
    avatar: link.avatar,
    created_at: unixSecondsText(link.createdAt),
    extra: link.extra,
    identity: link.identity,
    platform: link.platform,
    previous_archive_id: previous?.archiveId ?? '',
    previous_uuid: previous?.uuid ?? '',
    proof_location: link.proofLocation,
    signature: link.signature,
    signature_payload: link.signaturePayload,
    uuid: link.uuid,
  });
}

/**
 * Tags by which a gateway's search finds the document. The identity is not among them: not every platform's fits into a
 * tag.
 */
export function archiveTags(link: ChainLink): Tag[] {
  return [
    { name: 'Content-Type', value: 'application/json' },
    { name: 'App-Name', value: APP_NAME },
    { name: 'App-Version', value: DOCUMENT_VERSION },
    { name: 'Avatar', value: link.avatar },
    { name: 'Platform', value: link.platform },
    { name: 'Action', value: link.action },
    { name: 'UUID', value: link.uuid },
  ];
}
