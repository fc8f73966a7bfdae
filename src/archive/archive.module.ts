import { type DynamicModule, Module } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { EventsModule } from '../events/events.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import type { HostRates } from '@signet/look';
import { WebClient } from '../outbound/web-client.js';
import { ArchiveUploader } from './archive.uploader.js';
import { ArchiveRepository } from './archive.repository.js';
import { ArchiveScheduler } from './archive.scheduler.js';
import { ArchiveService } from './archive.service.js';
import { ArweaveGateway, GATEWAY } from './arweave/arweave-gateway.js';
import { ArweaveStore } from './arweave/arweave.store.js';
import { type ArweaveWallet, loadWallet } from './arweave/arweave-wallet.js';
import { UPLOAD_SERVICE, UploadServiceRoute } from './arweave/upload-service.route.js';

/**
 * Servers of the operator's choice, often the operator's own, which say 429 if it is too much: at the usual 20 a second
 * every link of a backlog would wait for those before it. Six requests at a time per host are the other bound.
 */
export const ARCHIVE_RATES: HostRates = { plain: { requests: 100, seconds: 1 } };

async function createStore(
  wallet: ArweaveWallet | null,
  environment: Environment,
  web: WebClient,
): Promise<ArweaveStore | null> {
  if (!wallet) return null;
  for (const name of [GATEWAY, UPLOAD_SERVICE]) web.rates.declare(name, ARCHIVE_RATES);
  const { ARWEAVE_GATEWAY_URL: gatewayUrl, ARWEAVE_UPLOAD_URL: uploadUrl } = environment;
  const gateway = new ArweaveGateway(web, gatewayUrl);
  if (uploadUrl !== undefined) return new ArweaveStore(wallet, gateway, new UploadServiceRoute(web, uploadUrl));
  // Only this route needs the package of the network.
  const { LayerOneRoute } = await import('./arweave/layer-one.route.js');
  return new ArweaveStore(wallet, gateway, new LayerOneRoute(gateway, wallet));
}

/** Keeps accepted links for good. With ARCHIVE=none links are only counted. */
@Module({})
export class ArchiveModule {
  /** @throws InvalidEnvironmentError if the wallet is missing or cannot be used, before anything starts */
  static forRoot(environment: Environment): DynamicModule {
    const wallet = loadWallet(environment);
    const makeStore = (web: WebClient) => createStore(wallet, environment, web);
    return {
      module: ArchiveModule,
      imports: [EventsModule, JobsModule],
      providers: [
        { provide: ArweaveStore, useFactory: makeStore, inject: [WebClient] },
        ArchiveService,
        ...(wallet ? [ArchiveRepository, ArchiveUploader, ArchiveScheduler] : []),
      ],
      exports: [ArchiveService],
    };
  }
}
