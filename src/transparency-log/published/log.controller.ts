import { Controller, Get, Header, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { InvalidRequestError } from '@signet/look';
import { AvatarKey } from '../../domain/avatar-key.js';
import { Answers, AnswersText } from '../../http/answers.js';
import { Refusals } from '../../http/error-body.js';
import { ServedAs } from '../../http/server/served-as.js';
import { RecordKinds } from '../../ledger/record-kind.js';
import { RECORD_KINDS } from '../../records/record-kinds.js';
import { PlatformService } from '../../platform/platform.service.js';
import { LogReceipts } from '../signing/log-receipts.js';
import { LogReport } from './log-report.js';
import { entryKinds, LogDto, LogProofQueryDto, LogReceiptQueryDto } from './log.dto.js';
import { LogMap, type MapQuestion } from './log-map.js';
import { LogMapDto, LogMapQueryDto } from './log-map.dto.js';
import { LogTree } from './log-tree.js';
import { CHECKPOINT_CACHING, JSON_TYPE, NOTE_TYPE } from './tile-file.js';

@ApiTags('Log')
@Controller('v1/log')
export class LogController {
  constructor(
    private readonly report: LogReport,
    private readonly tree: LogTree,
    private readonly map: LogMap,
    private readonly receipts: LogReceipts,
    private readonly platforms: PlatformService,
    private readonly kinds: RecordKinds,
  ) {}

  @Get()
  @ServedAs('reads')
  @Answers(LogDto, 'Name, key and state of the transparency log, and who watches it')
  async getLog(): Promise<LogDto> {
    return this.report.read();
  }

  @Get('proof')
  @ServedAs('reads')
  @Header('Content-Type', NOTE_TYPE)
  @ApiOperation({
    operationId: 'getLogProof',
    summary: `The proof that ${RECORD_KINDS.either('an erasure')} is in the log (C2SP tlog-proof)`,
    description:
      'Where its text was erased, that the erasure is in it. Its checkpoint is the newest that meets the policy of the log, where that one has the entry; otherwise the newest of all.',
  })
  @AnswersText(NOTE_TYPE, 'A proof that verifies offline; `extra` is the entry.')
  @Refusals({
    404: 'No such record (`record_not_found`), or its entry waits for the next tree head (`not_yet_logged`).',
    503: 'No tree head is signed yet (`log_catching_up`).',
  })
  async proof(@Query() { uuid, kind, id }: LogProofQueryDto): Promise<string> {
    const known = entryKinds(this.kinds);
    if (kind !== undefined && !known.includes(kind)) {
      throw new InvalidRequestError(`kind must be one of ${known.join(', ')}.`);
    }
    return uuid === undefined ? this.proofOf(kind, id) : this.tree.proofOfUuid(uuid, kind);
  }

  @Get('map')
  @ServedAs('reads')
  @Header('Content-Type', JSON_TYPE)
  @ApiOperation({
    operationId: 'getLogMap',
    summary: `How many ${RECORD_KINDS.lists} an Avatar has, or which Avatars hold an identity, with proof`,
    description:
      'With it a reader sees that nothing was left out of a chain, of the content of an Avatar or of an exact look-up; docs/completeness.md says how.',
  })
  @ApiOkResponse({ type: LogMapDto })
  @Refusals({
    503: 'No tree head is signed yet (`log_catching_up`), the map of an older log is still computed (`map_catching_up`), or what is stored is not what was signed (`log_refused`).',
  })
  async readMap(@Query() query: LogMapQueryDto, @Res({ passthrough: true }) reply: FastifyReply): Promise<Buffer> {
    const answer = await this.map.answer(this.questionOf(query));
    void reply.header('Cache-Control', CHECKPOINT_CACHING);
    return answer;
  }

  @Get('receipt')
  @ServedAs('reads')
  @Header('Content-Type', NOTE_TYPE)
  @ApiOperation({
    operationId: 'getLogReceipt',
    summary: `The receipt of ${RECORD_KINDS.either()} that is recorded, for a client that lost the answer to its write`,
    description: 'Its time is the one at which the record was made, so the deadline is the one of that time.',
  })
  @AnswersText(NOTE_TYPE, 'A receipt: a note that the log signed.')
  @Refusals({
    404: 'No such record (`record_not_found`), or its text was erased (`record_erased`).',
    503: 'The log cannot promise anything now (`log_catching_up`, `log_refused`).',
  })
  async receipt(@Query() { uuid }: LogReceiptQueryDto): Promise<string> {
    return this.receipts.ofUuid(uuid);
  }

  /** @throws InvalidRequestError */
  private proofOf(kind: LogProofQueryDto['kind'], id: number | undefined): Promise<string> {
    if (kind !== undefined && id !== undefined) return this.tree.proofOf(kind, id);
    throw new InvalidRequestError('uuid is missing, or kind and id.');
  }

  /** @throws InvalidRequestError */
  private questionOf({ avatar, platform, identity }: LogMapQueryDto): MapQuestion {
    const key = avatar === undefined ? undefined : AvatarKey.parse(avatar).compressed;
    if (platform !== undefined && identity !== undefined) {
      const verifier = this.platforms.get(platform);
      const found = this.platforms.findIdentity(verifier, identity);
      const canonical = found ?? this.platforms.canonicalIdentity(verifier, identity);
      return { platform, identity: canonical, ...(key !== undefined && { avatar: key }) };
    }
    if (key === undefined || platform !== undefined || identity !== undefined) {
      throw new InvalidRequestError('avatar is missing, or platform and identity.');
    }
    return { avatar: key };
  }
}
