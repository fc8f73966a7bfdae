import { Module } from '@nestjs/common';
import { WebClient } from './web-client.js';

/** The only way out of the house. */
@Module({ providers: [WebClient], exports: [WebClient] })
export class WebModule {}
