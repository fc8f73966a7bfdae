import { Module } from '@nestjs/common';
import { DeadLetters } from './dead-letters.js';
import { JobQueues } from './job-queues.js';

@Module({ providers: [JobQueues, DeadLetters], exports: [JobQueues, DeadLetters] })
export class JobsModule {}
