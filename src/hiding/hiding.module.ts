import { Module } from '@nestjs/common';
import { PlatformModule } from '../platform/platform.module.js';
import { HiddenController } from './hidden.controller.js';
import { HiddenItems } from './hidden-items.js';

@Module({
  imports: [PlatformModule],
  controllers: [HiddenController],
  providers: [HiddenItems],
  exports: [HiddenItems],
})
export class HidingModule {}
