import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import {
  ApiExcludeEndpoint,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ErrorBody } from '../../http/error-body.js';
import { NotCosignedError } from '../log-errors.js';
import { LogFiles, NOTE_TYPE, wildcardOf } from '../tiles/log-files.js';
import { PublishedCheckpoint } from '../heads/published-checkpoint.js';

/**
 * Serves the log as far as enough witnesses have signed it, below a prefix of its own. A reader that demands
 * cosignatures is given this prefix, and never meets a checkpoint that still waits for them.
 */
@ApiTags('Log')
@Controller('log/cosigned')
export class CosignedLogController {
  constructor(
    private readonly files: LogFiles,
    private readonly published: PublishedCheckpoint,
  ) {}

  @Get('checkpoint')
  @ApiOperation({
    operationId: 'getCosignedLogCheckpoint',
    summary: 'The newest tree head that has the cosignatures that the policy of the log asks for',
    description: 'The tiles of the log are served below this prefix as well, for readers that know one prefix only.',
  })
  @ApiProduces(NOTE_TYPE)
  @ApiOkResponse({ description: 'A signed note: origin, size, root; signatures.', schema: { type: 'string' } })
  @ApiNotFoundResponse({
    type: ErrorBody,
    description: 'There is none yet, or the log has no policy that asks for cosignatures.',
  })
  async checkpoint(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const { cosigned } = await this.published.both();
    if (!cosigned) throw new NotCosignedError();
    return this.files.checkpoint(cosigned, reply);
  }

  @Get('tile/entries/*')
  @ApiExcludeEndpoint()
  entries(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<Buffer> {
    return this.files.tile(`tile/entries/${wildcardOf(request)}`, reply);
  }

  @Get('tile/:level/*')
  @ApiExcludeEndpoint()
  tile(
    @Param('level') level: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    return this.files.tile(`tile/${level}/${wildcardOf(request)}`, reply);
  }
}
