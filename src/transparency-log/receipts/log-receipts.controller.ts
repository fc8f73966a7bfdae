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
import { ErrorBody } from '../../http/error-body.js';
import { LogReceiptQueryDto } from '../log.dto.js';
import { NOTE_TYPE } from '../tiles/log-files.js';
import { LogReceipts } from './log-receipts.js';

@ApiTags('Log')
@Controller('v1/log/receipt')
export class LogReceiptsController {
  constructor(private readonly receipts: LogReceipts) {}

  @Get()
  @ApiOperation({
    operationId: 'getLogReceipt',
    summary: 'The receipt of a link or a patch that is recorded, for a client that lost the answer to its write',
    description: 'Its time is the one at which the record was made, so the deadline is the one of that time.',
  })
  @ApiProduces(NOTE_TYPE)
  @ApiOkResponse({ description: 'A receipt: a note that the log signed.', schema: { type: 'string' } })
  @ApiBadRequestResponse({ type: ErrorBody })
  @ApiNotFoundResponse({
    type: ErrorBody,
    description: 'No such record (`record_not_found`), or its text was erased (`record_erased`).',
  })
  @ApiServiceUnavailableResponse({
    type: ErrorBody,
    description: 'The log cannot promise anything now (`log_catching_up`, `log_refused`).',
  })
  async receipt(
    @Query() { uuid }: LogReceiptQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const receipt = await this.receipts.ofUuid(uuid);
    void reply.type(NOTE_TYPE);
    return receipt;
  }
}
