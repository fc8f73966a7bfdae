import { Module } from '@nestjs/common';
import { PlatformUse } from './platform-use.js';

/** Counts what platforms are asked; apart from `WebModule`, which works without a database. */
@Module({ providers: [PlatformUse], exports: [PlatformUse] })
export class PlatformUseModule {}
