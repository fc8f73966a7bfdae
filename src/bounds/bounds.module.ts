import { Global, Module } from '@nestjs/common';
import { RefusalCounter } from './refusal-counter.js';

/** One counter of refusals for all rooms. */
@Global()
@Module({ providers: [RefusalCounter], exports: [RefusalCounter] })
export class BoundsModule {}
