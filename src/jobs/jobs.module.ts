import { Module } from '@nestjs/common';
import { JobQueues } from './job-queues.js';

@Module({ providers: [JobQueues], exports: [JobQueues] })
export class JobsModule {}
