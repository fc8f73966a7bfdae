import { Get } from '@nestjs/common';
import { ArchiveDto } from '../archive/archive.dto.js';
import { ArchiveService } from '../archive/archive.service.js';
import { Answers } from '../http/answers.js';
import { AdminController } from './admin-controller.js';

@AdminController('archive')
export class ArchiveController {
  constructor(private readonly archive: ArchiveService) {}

  @Get()
  @Answers(ArchiveDto, 'How far the archive has come, and what its wallet holds')
  async getArchive(): Promise<ArchiveDto> {
    return this.archive.status();
  }
}
