import { type DynamicModule, Module } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { WitnessIdentity } from './witness-identity.js';
import { WitnessController } from './witness.controller.js';
import { WitnessService } from './witness.service.js';

/** This service as a witness of other logs; without WITNESS=on there are no routes and no key. */
@Module({})
export class WitnessModule {
  static forRoot({ WITNESS }: Environment): DynamicModule {
    if (!WITNESS) return { module: WitnessModule };
    return {
      module: WitnessModule,
      controllers: [WitnessController],
      providers: [WitnessIdentity, WitnessService],
    };
  }
}
