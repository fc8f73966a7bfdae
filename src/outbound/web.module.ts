import { type DynamicModule, Module } from '@nestjs/common';
import { BoundsModule } from '../bounds/bounds.module.js';
import { WEB_TRANSPORT, WebClient } from './web-client.js';
import type { WebTransport } from '@signet/look/node';

/** The only way to other servers: one client for all modules, because budgets and circuit breakers are shared. */
@Module({})
export class WebModule {
  /** `transport` replaces resolver, connector and certificate authority; only tests and demos give one. */
  static forRoot(transport?: WebTransport): DynamicModule {
    return {
      module: WebModule,
      global: true,
      imports: [BoundsModule],
      providers: [...(transport ? [{ provide: WEB_TRANSPORT, useValue: transport }] : []), WebClient],
      exports: [WebClient],
    };
  }
}
