import { type DynamicModule, Module } from '@nestjs/common';
import { WebClient } from './web-client.js';
import { WEB_TRANSPORT, type WebTransport } from './web-transport.js';

/** Makes the one web client injectable everywhere. */
@Module({})
export class WebModule {
  /** `transport` only in tests and demos; without it names are resolved and sockets opened as usual. */
  static forRoot(transport?: WebTransport): DynamicModule {
    return {
      module: WebModule,
      global: true,
      providers: [WebClient, ...(transport ? [{ provide: WEB_TRANSPORT, useValue: transport }] : [])],
      exports: [WebClient],
    };
  }
}
