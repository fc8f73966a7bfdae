import { archiveDocument, type Predecessor } from '@signet/verify';
import type { RecordArchive } from '../ledger/record-kind.js';
import type { ChainLink } from './chain-link.entity.js';
import { readWholeLinks, writeArchiveId } from './link-rows.js';
import { toFeedLink } from './proof-chain.dto.js';

/**
 * The name of the application in the tags. Its version there is that of the document's format, because readers need no
 * other version.
 */
const APP_NAME = 'signet';
const DOCUMENT_VERSION = '1';

/** The documents of links (docs/archive.md). */
export const LINK_ARCHIVE: RecordArchive<ChainLink> = {
  readAfter: readWholeLinks,

  document: (link: ChainLink, previous: Predecessor | null) =>
    archiveDocument({ ...toFeedLink(link), action: link.action, extra: link.extra }, previous),

  // The identity is no tag, because on some platforms it is too long for one.
  tags: (link: ChainLink) => [
    { name: 'Content-Type', value: 'application/json' },
    { name: 'App-Name', value: APP_NAME },
    { name: 'App-Version', value: DOCUMENT_VERSION },
    { name: 'Avatar', value: link.avatar },
    { name: 'Platform', value: link.platform },
    { name: 'Action', value: link.action },
    { name: 'UUID', value: link.uuid },
  ],

  async confirm(manager, id, archiveId) {
    const { avatar, platform, identity, uuid } = await writeArchiveId(manager, id, archiveId);
    const payload = { avatar, platform, identity, link_id: id, uuid, archive_id: archiveId };
    return { name: 'link.archived', payload };
  },
};
