import { archiveDocument as documentOf } from '@signet/verify';
import { unixSecondsText } from '../domain/unix-time.js';
import type { ChainLink } from '../proof-chain/chain-link.entity.js';
import type { Tag } from './archive-store.js';

/**
 * Application name and version in the tags. The version is that of the document's format: readers care for nothing
 * else.
 */
const APP_NAME = 'signet';
const DOCUMENT_VERSION = '1';

/** The members of a document about the link before it. */
export interface Predecessor {
  uuid: string;
  archiveId: string;
}

/** The text that is archived for one link (docs/archive.md), as the rules have it. */
export function archiveDocument(link: ChainLink, previous: Predecessor | null): string {
  const { action, avatar, erased, extra, identity, platform, signature, uuid } = link;
  return documentOf(
    {
      action,
      avatar,
      created_at: unixSecondsText(link.createdAt),
      ...(erased && { erased }),
      extra,
      identity,
      platform,
      proof_location: link.proofLocation,
      signature,
      signature_payload: link.signaturePayload,
      uuid,
    },
    previous && { uuid: previous.uuid, archive_id: previous.archiveId },
  );
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
