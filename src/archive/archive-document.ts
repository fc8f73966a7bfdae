import { archiveDocument as documentOf } from '@signet/verify';
import type { ChainLink } from '../proof-chain/chain-link.entity.js';
import { toFeedLink } from '../proof-chain/proof-chain.dto.js';
import type { Tag } from './archive-store.js';

/**
 * The name of the application in the tags. Its version there is that of the document's format, because readers need no
 * other version.
 */
const APP_NAME = 'signet';
const DOCUMENT_VERSION = '1';

type Document = Parameters<typeof documentOf>;
/** The members of a document about the link before it. */
export type Predecessor = NonNullable<Document[1]>;

/** The text that is archived for one link (docs/archive.md), as the rules have it. */
export function archiveDocument(link: ChainLink, previous: Predecessor | null): string {
  return documentOf({ ...toFeedLink(link), action: link.action, extra: link.extra }, previous);
}

/**
 * The tags under which the search of a gateway finds the document. The identity is no tag, because on some platforms it
 * is too long for one.
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
