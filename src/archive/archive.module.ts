import { Module } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { EventsModule } from '../events/events.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { ProofChainModule } from '../proof-chain/proof-chain.module.js';
import { WebClient } from '../web/web-client.js';
import { ArchiveBacklogQueries } from './archive-backlog.js';
import { ArchiveUploader } from './archive.uploader.js';
import { ArchiveRepository } from './archive.repository.js';
import { ArchiveScheduler } from './archive.scheduler.js';
import { ArchiveService } from './archive.service.js';
import { ArchiveSigner } from './archive.signer.js';
import { ARCHIVE_STORE, type ArchiveStore } from './archive-store.js';
import { ArweaveGateway } from './arweave-gateway.js';
import { ArweaveStore } from './arweave.store.js';
import { loadWallet } from './arweave-wallet.js';
import { LayerOneRoute } from './layer-one.route.js';
import { NoArchive } from './no-archive.js';
import { UploadServiceRoute } from './upload-service.route.js';

/** @throws InvalidEnvironmentError if the wallet is missing or cannot be used */
function createStore(environment: Environment, web: WebClient): ArchiveStore {
  const wallet = loadWallet(environment);
  if (!wallet) return new NoArchive();
  const { ARWEAVE_GATEWAY_URL: gatewayUrl, ARWEAVE_UPLOAD_URL: uploadUrl } = environment;
  const gateway = new ArweaveGateway(web, gatewayUrl);
  const route = uploadUrl === undefined ? new LayerOneRoute(gateway, wallet) : new UploadServiceRoute(web, uploadUrl);
  return new ArweaveStore(wallet, gateway, route);
}

/** Keeps accepted links for good, where the settings say so. */
@Module({
  imports: [ProofChainModule, EventsModule, JobsModule],
  providers: [
    { provide: ARCHIVE_STORE, useFactory: createStore, inject: [Environment, WebClient] },
    ArchiveRepository,
    ArchiveBacklogQueries,
    ArchiveSigner,
    ArchiveUploader,
    ArchiveService,
    ArchiveScheduler,
  ],
  exports: [ArchiveService],
})
export class ArchiveModule {}
