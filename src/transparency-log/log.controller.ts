import { Controller, Get, Query, Res } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { InvalidRequestError } from '../domain/domain-errors.js';
import { ErrorBody } from '../http/error-body.js';
import { NOTE_TYPE } from './tiles/log-files.js';
import { LogReport } from './log-report.js';
import { LogTree } from './tiles/log-tree.js';
import { LogDto, LogProofQueryDto } from './log.dto.js';

@ApiTags('Log')
@Controller('v1/log')
export class LogController {
  constructor(
    private readonly report: LogReport,
    private readonly tree: LogTree,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'getLog', summary: 'Name, key and state of the transparency log, and who watches it' })
  @ApiOkResponse({ type: LogDto })
  async show(): Promise<LogDto> {
    return this.report.read();
  }

  @Get('proof')
  @ApiOperation({
    operationId: 'getLogProof',
    summary: 'The proof that a link, a patch or an erasure is in the log (C2SP tlog-proof)',
    description:
      'Where its text was erased, that the erasure is in it. Its checkpoint is the newest that meets the policy of the log, where that one has the entry; otherwise the newest of all.',
  })
  @ApiProduces(NOTE_TYPE)
  @ApiOkResponse({ description: 'A proof that verifies offline; `extra` is the entry.', schema: { type: 'string' } })
  @ApiBadRequestResponse({ type: ErrorBody })
  @ApiNotFoundResponse({
    type: ErrorBody,
    description: 'No such record (`record_not_found`), or its entry waits for the next tree head (`not_yet_logged`).',
  })
  @ApiServiceUnavailableResponse({ type: ErrorBody, description: 'No tree head is signed yet (`log_catching_up`).' })
  async proof(@Query() query: LogProofQueryDto, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const { uuid, kind, id } = query;
    const proof = uuid === undefined ? await this.proofOf(kind, id) : await this.tree.proofOfUuid(uuid, kind);
    void reply.type(NOTE_TYPE);
    return proof;
  }

  private proofOf(kind: LogProofQueryDto['kind'], id: number | undefined): Promise<string> {
    if (kind !== undefined && id !== undefined) return this.tree.proofOf(kind, id);
    throw new InvalidRequestError('uuid is missing, or kind and id.');
  }
}
