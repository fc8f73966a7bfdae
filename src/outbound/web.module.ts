import { type DynamicModule, Module } from '@nestjs/common';
import { WebClient } from './web-client.js';
import { WEB_TRANSPORT, type WebTransport } from './guard/web-transport.js';

/** The only way to other servers: one client for all modules, because budgets and circuit breakers are shared. */
@Module({})
export class WebModule {
  /** `transport` replaces resolver, connector and certificate authority; only tests and demos give one. */
  static forRoot(transport?: WebTransport): DynamicModule {
    return {
      module: WebModule,
      global: true,
      providers: [...(transport ? [{ provide: WEB_TRANSPORT, useValue: transport }] : []), WebClient],
      exports: [WebClient],
    };
  }
}
