import { Module } from '@nestjs/common';
import { ActorIdentity } from './actor-identity.js';

/** Who asks, for servers that answer only those whom they know; `serveActor` has the addresses. */
@Module({ providers: [ActorIdentity], exports: [ActorIdentity] })
export class ActorModule {}
