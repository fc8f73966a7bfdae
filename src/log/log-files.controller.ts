import { parseTilePath } from '@signet/verify/log';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiParam, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NotFoundError } from '../domain/domain-errors.js';
import { ErrorBody } from '../http/error-body.js';
import { LogTree } from './log-tree.js';
import { NOTE_TYPE } from './log.controller.js';
import { PublishedCheckpoint } from './published-checkpoint.js';

const TILE_TYPE = 'application/octet-stream';
/** A tile of a given width never changes; caches need never ask again (C2SP tlog-tiles). */
const TILE_CACHING = 'public, max-age=31536000, immutable';
/** Not longer than the least time between two tree heads. */
const CHECKPOINT_CACHING = 'public, max-age=1';

const WIDTH = 'A partial tile has `.p/` and its width behind it.';

/** The log as files (C2SP tlog-tiles): what witnesses, monitors and mirrors of any make read. */
@ApiTags('Log')
@Controller('log')
export class LogFilesController {
  constructor(
    private readonly tree: LogTree,
    private readonly published: PublishedCheckpoint,
  ) {}

  @Get('checkpoint')
  @ApiOperation({ operationId: 'getLogCheckpoint', summary: 'The newest signed tree head (C2SP tlog-checkpoint)' })
  @ApiProduces(NOTE_TYPE)
  @ApiOkResponse({ description: 'A signed note: origin, size, root; signatures.', schema: { type: 'string' } })
  @ApiNotFoundResponse({ type: ErrorBody, description: 'None is signed yet.' })
  async checkpoint(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const head = await this.published.current();
    if (!head)
      throw new NotFoundError('The log has signed no tree head yet.', 'not_yet_logged', { retryAfterSeconds: 1 });
    void reply.type(NOTE_TYPE).header('Cache-Control', CHECKPOINT_CACHING);
    return head.note;
  }

  // Before the tiles of hashes, whose level is a part of the path too.
  @Get('tile/entries/*')
  @ApiOperation({ operationId: 'getLogEntries', summary: 'Up to 256 entries of the log (C2SP tlog-tiles)' })
  @ApiParam({
    name: 'path',
    description: `Number of the bundle in groups of three digits. ${WIDTH}`,
    example: 'x001/234/067',
  })
  @ApiProduces(TILE_TYPE)
  @ApiOkResponse({
    description: 'Each entry behind its length, a big-endian uint16.',
    schema: { type: 'string', format: 'binary' },
  })
  @ApiNotFoundResponse({ type: ErrorBody, description: 'The log has no such bundle of this width.' })
  entries(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<Buffer> {
    return this.file(`tile/entries/${wildcardOf(request)}`, reply);
  }

  @Get('tile/:level/*')
  @ApiOperation({ operationId: 'getLogTile', summary: 'Up to 256 hashes of the tree (C2SP tlog-tiles)' })
  @ApiParam({
    name: 'level',
    description: '0 for hashes of entries, 1 for hashes over 256 of them, and so on.',
    example: '0',
  })
  @ApiParam({ name: 'path', description: `Number of the tile in groups of three digits. ${WIDTH}`, example: '000.p/5' })
  @ApiProduces(TILE_TYPE)
  @ApiOkResponse({ description: '32 bytes for each hash.', schema: { type: 'string', format: 'binary' } })
  @ApiNotFoundResponse({ type: ErrorBody, description: 'The log has no such tile of this width.' })
  tile(
    @Param('level') level: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    return this.file(`tile/${level}/${wildcardOf(request)}`, reply);
  }

  /** @throws NotFoundError (`tile_not_found`) */
  private async file(text: string, reply: FastifyReply): Promise<Buffer> {
    const path = parseTilePath(text);
    const bytes = path && (await this.tree.file(path));
    if (!bytes) throw new NotFoundError(`The log has no ${text}.`, 'tile_not_found');
    void reply.type(TILE_TYPE).header('Cache-Control', TILE_CACHING);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}

/** What stands behind the fixed part of the path; `@Param` would put a parameter of this name into the description. */
function wildcardOf({ params }: FastifyRequest): string {
  return (params as { '*': string })['*'];
}
