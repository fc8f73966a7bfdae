import { Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { ArchiveService } from '../archive/archive.service.js';
import { AdminController } from './admin-controller.js';
import { ArchiveDto, toArchive } from './archive.dto.js';

@AdminController('archive')
export class ArchiveController {
  constructor(private readonly archive: ArchiveService) {}

  @Get()
  @ApiOperation({ operationId: 'getArchive', summary: 'How far the archive has come, and what its wallet holds' })
  @ApiOkResponse({ type: ArchiveDto })
  async status(): Promise<ArchiveDto> {
    return toArchive(await this.archive.status());
  }
}
