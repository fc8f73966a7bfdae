import type { ServiceProcess } from '../../support/service-process.js';

/** A disk whose power can be cut: what is on it then is what was synced, and perhaps more, as on a real one. */
export interface CuttableDisk {
  /** Where a service may make its data folder; nothing is there at first. */
  dataDir: string;
  /** What a service needs in its environment to work on this disk. */
  env: Record<string, string>;
  /** Cuts the power of the disk and of the service, which is gone afterwards, and switches the disk on again. */
  cut(service: Pick<ServiceProcess, 'signal' | 'kill9'>): Promise<void>;
  remove(): Promise<void>;
}
