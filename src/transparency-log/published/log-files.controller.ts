import { parseTilePath } from '@signet/verify/internal/log';
import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { NotFoundError } from '../../domain/domain-errors.js';
import { AnswersText } from '../../http/answers.js';
import { Refusals } from '../../http/error-body.js';
import { ServedAs } from '../../http/server/served-as.js';
import { PublishedCheckpoint } from './published-checkpoint.js';
import type { SignedHead } from '../signing/heads/signed-head.js';
import { LogTree } from './log-tree.js';
import { acceptedCodings } from '../../http/accepted-codings.js';
import { CHECKPOINT_CACHING, NOTE_TYPE, TILE_TYPE } from './tile-file.js';

const NONE_SIGNED = 'None is signed yet, because the log takes in what was recorded before (`log_catching_up`).';

/** Groups of three digits, all but the last with an `x` in front of them, and the width of a partial tile. */
const TILE_NUMBER = '^(x[0-9]{3}/){0,5}[0-9]{3}(\\.p/[0-9]{1,3})?$';

/** OpenAPI knows no parameter of several path segments, so generated clients encode the slashes of this one. */
const NumberParam = (of: string, example: string) =>
  ApiParam({
    name: 'path',
    schema: { type: 'string', pattern: TILE_NUMBER },
    description: `Number of the ${of} in groups of three digits. A partial tile has \`.p/\` and its width behind it. Its slashes may be encoded.`,
    example,
  });

/**
 * The log as files (C2SP tlog-tiles): what witnesses, monitors and mirrors of any make read. Below `cosigned` is the
 * log as far as enough witnesses have signed it. A reader that demands cosignatures is given this prefix, and never
 * meets a checkpoint that still waits for them.
 */
@ApiTags('Log')
@Controller('log')
export class LogFilesController {
  constructor(
    private readonly tree: LogTree,
    private readonly published: PublishedCheckpoint,
  ) {}

  @Get('cosigned/checkpoint')
  @ServedAs('reads')
  @ApiOperation({
    operationId: 'getCosignedLogCheckpoint',
    summary: 'The newest tree head that has the cosignatures that the policy of the log asks for',
    description: 'The tiles of the log are served below this prefix as well, for readers that know one prefix only.',
  })
  @AnswersText(NOTE_TYPE, 'A signed note: origin, size, root; signatures.')
  @Refusals({ 404: 'There is none yet, or the log has no policy that asks for cosignatures.' })
  async cosignedCheckpoint(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const { cosigned } = await this.published.both();
    if (cosigned) return noteOf(cosigned, reply);
    const message = 'No tree head of this log has the cosignatures of enough witnesses of a policy.';
    throw new NotFoundError(message, 'not_cosigned');
  }

  @Get(['cosigned/tile/entries/*', 'cosigned/tile/:level/*'])
  @ServedAs('reads')
  @ApiExcludeEndpoint()
  cosignedTile(@Res({ passthrough: true }) reply: FastifyReply): Promise<Buffer> {
    return this.file(reply);
  }

  @Get('checkpoint')
  @ServedAs('reads')
  @ApiOperation({ operationId: 'getLogCheckpoint', summary: 'The newest signed tree head (C2SP tlog-checkpoint)' })
  @AnswersText(NOTE_TYPE, 'A signed note: origin, size, root; signatures.')
  @Refusals({ 503: NONE_SIGNED })
  async checkpoint(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    return noteOf(await this.published.required(), reply);
  }

  // Before the tiles of hashes, whose level is a part of the path too.
  @Get('tile/entries/*')
  @ServedAs('reads')
  @ApiOperation({ operationId: 'getLogEntries', summary: 'Up to 256 entries of the log (C2SP tlog-tiles)' })
  @NumberParam('bundle', 'x001/234/067')
  @AnswersText(TILE_TYPE, 'Each entry behind its length, a big-endian uint16.', 'binary')
  @Refusals({ 404: 'The log has no such bundle of this width.', 503: NONE_SIGNED })
  entries(@Res({ passthrough: true }) reply: FastifyReply): Promise<Buffer> {
    return this.file(reply);
  }

  @Get('tile/:level/*')
  @ServedAs('reads')
  @ApiOperation({ operationId: 'getLogTile', summary: 'Up to 256 hashes of the tree (C2SP tlog-tiles)' })
  // The last one is described first.
  @NumberParam('tile', '000.p/5')
  @ApiParam({
    name: 'level',
    schema: { type: 'string', pattern: '^(0|[1-9][0-9]?)$' },
    description: '0 for hashes of entries, 1 for hashes over 256 of them, and so on.',
    example: '0',
  })
  @AnswersText(TILE_TYPE, '32 bytes for each hash.', 'binary')
  @Refusals({ 404: 'The log has no such tile of this width.', 503: NONE_SIGNED })
  tile(@Res({ passthrough: true }) reply: FastifyReply): Promise<Buffer> {
    return this.file(reply);
  }

  /** The tile or bundle that the path of a request names. @throws NotFoundError (`tile_not_found`) */
  private async file(reply: FastifyReply): Promise<Buffer> {
    const { params, headers: asked } = reply.request;
    const { level = 'entries', '*': number } = params as { level?: string; '*': string };
    const name = `tile/${level}/${number}`;
    const path = parseTilePath(name);
    const file = path && (await this.tree.file(path, acceptedCodings(asked['accept-encoding'], ['gzip']).length > 0));
    if (!file) throw new NotFoundError(`The log has no ${name}.`, 'tile_not_found');
    const { vary, ...headers } = file.headers;
    void reply.headers(headers);
    if (vary !== undefined) void reply.header('vary', [reply.getHeader('vary') ?? [], vary].flat().join(', '));
    return file.body;
  }
}

function noteOf({ note }: SignedHead, reply: FastifyReply): string {
  void reply.type(NOTE_TYPE).header('Cache-Control', CHECKPOINT_CACHING);
  return note;
}
