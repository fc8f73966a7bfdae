import { Module } from '@nestjs/common';
import { ErasureRests } from './erasure-rests.js';

/** What erasures leave to the servers. */
@Module({ providers: [ErasureRests] })
export class ErasureModule {}
