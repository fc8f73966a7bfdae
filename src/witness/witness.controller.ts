import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConflictResponse, ApiConsumes, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { InvalidRequestError } from '@signet/look';
import { NotFoundError } from '../domain/domain-errors.js';
import { Answers, AnswersText } from '../http/answers.js';
import { type ErrorBody, Refusals } from '../http/error-body.js';
import { ServedAs } from '../http/server/served-as.js';
import { WitnessIdentity } from './witness-identity.js';
import { toWitness, WitnessDto } from './witness.dto.js';
import { WitnessService } from './witness.service.js';

const TEXT = 'text/plain; charset=utf-8';
/** The type of the body with the size that the witness knows of a log (C2SP tlog-witness). */
const SIZE_TYPE = 'text/x.tlog.size';
/** A SHA-256, in hex. */
const HASH_PATTERN = /^[0-9a-f]{64}$/;
/** Some hundred bytes for each signature and 45 for each hash; other witnesses have the same limit. */
const MAX_REQUEST_BYTES = 16 * 1024;

/** The witness over HTTP (C2SP tlog-witness of 2026-07). Submission prefix and monitoring prefix are `/witness`. */
@ApiTags('Witness')
@Controller()
export class WitnessController {
  constructor(
    private readonly identity: WitnessIdentity,
    private readonly witness: WitnessService,
  ) {}

  /** What an operator needs to put this witness into a policy. */
  @Get('v1/witness')
  @ServedAs('reads')
  @Answers(WitnessDto, 'Name and key of this witness, and the logs that it watches')
  async getWitness(): Promise<WitnessDto> {
    return toWitness(this.identity, await this.witness.heads());
  }

  @Post('witness/add-checkpoint')
  @ServedAs('payloads', { hasRawBody: true })
  @HttpCode(200)
  @ApiOperation({
    operationId: 'addCheckpoint',
    summary: 'Sign a checkpoint of a log that is watched (C2SP tlog-witness)',
  })
  @ApiConsumes(TEXT)
  @ApiBody({
    description: '`old <size>`, a Base64 hash a line, an empty line, the checkpoint.',
    schema: { type: 'string', maxLength: MAX_REQUEST_BYTES },
  })
  @AnswersText(TEXT, 'A line for each cosignature.')
  @ApiConflictResponse({
    description: 'The size that was signed last, where the old size is another one.',
    content: { [SIZE_TYPE]: { schema: { type: 'string' } } },
  })
  @Refusals({
    403: 'No known key of this log signed the checkpoint, or a line of a known key does not verify.',
    404: 'The log is not watched.',
    422: 'The proof does not verify, or the checkpoint is of the same size with another root.',
  })
  async addCheckpoint(
    @Req() { body }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | ErrorBody> {
    const answer = await this.witness.addCheckpoint(textOf(body), new Date());
    if ('line' in answer) {
      void reply.type(TEXT);
      return answer.line;
    }
    if ('knownSize' in answer) {
      void reply.status(409).type(SIZE_TYPE);
      return `${answer.knownSize}\n`;
    }
    void reply.status(answer.status);
    return answer.refusal;
  }

  @Get('witness/:hash/checkpoint')
  @ServedAs('reads')
  @ApiOperation({ operationId: 'getWitnessedCheckpoint', summary: 'The last checkpoint of a log that was signed' })
  @ApiParam({
    name: 'hash',
    description: 'SHA-256 of the origin of the log.',
    schema: { type: 'string', pattern: HASH_PATTERN.source },
    example: 'c2f1d0a4e5b6978877665544332211000123456789abcdef0123456789abcdef',
  })
  @AnswersText(TEXT, 'A signed note.')
  @Refusals({ 404: 'Nothing was signed of such a log.' })
  async checkpoint(@Param('hash') hash: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const note = HASH_PATTERN.test(hash) ? await this.witness.checkpointOf(hash) : null;
    if (note === null) throw new NotFoundError('This witness has signed no checkpoint of such a log.', 'unknown_log');
    void reply.type(TEXT).header('Cache-Control', 'no-cache');
    return note;
  }
}

/** @throws InvalidRequestError for what is too large or not UTF-8. */
function textOf(body: unknown): string {
  if (!Buffer.isBuffer(body) || body.length > MAX_REQUEST_BYTES) {
    throw new InvalidRequestError(`The body is missing, or larger than ${MAX_REQUEST_BYTES} bytes.`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new InvalidRequestError('The body is not UTF-8.');
  }
}
