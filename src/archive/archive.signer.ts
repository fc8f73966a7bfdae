import { Inject, Injectable } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { ProofChainService } from '../proof-chain/proof-chain.service.js';
import { archiveDocument, archiveTags } from './archive-document.js';
import { ArchiveRepository } from './archive.repository.js';
import { ARCHIVE_STORE, type ArchiveStore } from './archive-store.js';

/** Links signed in one transaction: 5 to 10 ms each, and on the embedded database everybody else waits for it. */
const SIGN_AT_ONCE = 10;

/**
 * The first half of the way: signs links in the order of their ids, so that the id of every predecessor is known, and
 * puts what is signed into batches. Nothing is sent here; what is written here is what will be sent, whatever happens
 * in between.
 */
@Injectable()
export class ArchiveSigner {
  constructor(
    private readonly environment: Environment,
    private readonly chain: ProofChainService,
    private readonly items: ArchiveRepository,
    @Inject(ARCHIVE_STORE) private readonly store: ArchiveStore,
  ) {}

  /** Signs the next links that have no document yet; whether there may be more. */
  async signNext(): Promise<boolean> {
    return this.items.alone(async (manager) => {
      const links = await this.chain.linksAfter(manager, await this.items.newestLinkId(manager), SIGN_AT_ONCE);
      for (const link of links) {
        const previous = await this.items.predecessorOf(manager, link);
        const item = await this.store.sign(archiveDocument(link, previous), archiveTags(link));
        await this.items.add(manager, link, item, previous);
      }
      return links.length === SIGN_AT_ONCE;
    });
  }

  /** Makes the next batch if it is full or old enough, for the uploader; whether there may be more. */
  async batchNext(): Promise<boolean> {
    const { ARCHIVE_BATCH_LINKS: size, ARCHIVE_BATCH_SECONDS: seconds } = this.environment;
    return this.items.alone((manager) => this.items.formBatch(manager, size, seconds));
  }
}
