import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import {
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiProduces,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ErrorBody } from '../../http/error-body.js';
import { LogFiles, NOTE_TYPE, wildcardOf } from './log-files.js';
import { PublishedCheckpoint } from '../heads/published-checkpoint.js';
import { TILE_TYPE } from './tile-file.js';

const NONE_SIGNED = 'None is signed yet, because the log takes in what was recorded before (`log_catching_up`).';
const WIDTH = 'A partial tile has `.p/` and its width behind it.';
/** OpenAPI knows no parameter of several path segments, so generated clients encode their slashes. */
const SLASHES = 'Its slashes may be encoded.';

/** Groups of three digits, all but the last with an `x` in front of them, and the width of a partial tile. */
const TILE_NUMBER = '^(x[0-9]{3}/){0,5}[0-9]{3}(\\.p/[0-9]{1,3})?$';

/** The log as files (C2SP tlog-tiles): what witnesses, monitors and mirrors of any make read. */
@ApiTags('Log')
@Controller('log')
export class LogFilesController {
  constructor(
    private readonly files: LogFiles,
    private readonly published: PublishedCheckpoint,
  ) {}

  @Get('checkpoint')
  @ApiOperation({ operationId: 'getLogCheckpoint', summary: 'The newest signed tree head (C2SP tlog-checkpoint)' })
  @ApiProduces(NOTE_TYPE)
  @ApiOkResponse({ description: 'A signed note: origin, size, root; signatures.', schema: { type: 'string' } })
  @ApiServiceUnavailableResponse({ type: ErrorBody, description: NONE_SIGNED })
  async checkpoint(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    return this.files.checkpoint(await this.published.required(), reply);
  }

  // Before the tiles of hashes, whose level is a part of the path too.
  @Get('tile/entries/*')
  @ApiOperation({ operationId: 'getLogEntries', summary: 'Up to 256 entries of the log (C2SP tlog-tiles)' })
  @ApiParam({
    name: 'path',
    schema: { type: 'string', pattern: TILE_NUMBER },
    description: `Number of the bundle in groups of three digits. ${WIDTH} ${SLASHES}`,
    example: 'x001/234/067',
  })
  @ApiProduces(TILE_TYPE)
  @ApiOkResponse({
    description: 'Each entry behind its length, a big-endian uint16.',
    schema: { type: 'string', format: 'binary' },
  })
  @ApiNotFoundResponse({ type: ErrorBody, description: 'The log has no such bundle of this width.' })
  @ApiServiceUnavailableResponse({ type: ErrorBody, description: NONE_SIGNED })
  entries(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<Buffer> {
    return this.files.tile(`tile/entries/${wildcardOf(request)}`, reply);
  }

  @Get('tile/:level/*')
  @ApiOperation({ operationId: 'getLogTile', summary: 'Up to 256 hashes of the tree (C2SP tlog-tiles)' })
  @ApiParam({
    name: 'level',
    schema: { type: 'string', pattern: '^(0|[1-9][0-9]?)$' },
    description: '0 for hashes of entries, 1 for hashes over 256 of them, and so on.',
    example: '0',
  })
  @ApiParam({
    name: 'path',
    schema: { type: 'string', pattern: TILE_NUMBER },
    description: `Number of the tile in groups of three digits. ${WIDTH} ${SLASHES}`,
    example: '000.p/5',
  })
  @ApiProduces(TILE_TYPE)
  @ApiOkResponse({ description: '32 bytes for each hash.', schema: { type: 'string', format: 'binary' } })
  @ApiNotFoundResponse({ type: ErrorBody, description: 'The log has no such tile of this width.' })
  @ApiServiceUnavailableResponse({ type: ErrorBody, description: NONE_SIGNED })
  tile(
    @Param('level') level: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    return this.files.tile(`tile/${level}/${wildcardOf(request)}`, reply);
  }
}
