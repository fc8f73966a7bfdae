import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module.js';
import { UpgradeRunner } from './upgrade-runner.js';

/** The long work of an upgrade, done by the servers while they serve. */
@Module({ imports: [JobsModule], providers: [UpgradeRunner] })
export class UpgradeModule {}
