import { Body, Controller, Get, Inject, Optional, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Refusals } from '../http/error-body.js';
import { Answers } from '../http/answers.js';
import { toPagination } from '../http/validation/paging.js';
import { ServedAs } from '../http/server/served-as.js';
import { LINK_ENTRIES } from '@signet/verify/log';
import { RECEIPTS, type Receipts } from '../ledger/receipts.js';
import { toRecordedLink } from '../proof-chain/proof-chain.dto.js';
import { EvidenceDto, HistoryDto } from './proof-checks.dto.js';
import {
  BindingQueryDto,
  FindProofsQueryDto,
  FoundProofsDto,
  HistoryQueryDto,
  ProofStateDto,
  toFoundProofs,
  toProofState,
} from './look-up/proof-lookup.dto.js';
import { PayloadRequestDto, PayloadResponseDto, SubmitRequestDto, SubmitResponseDto } from './proof.dto.js';
import { chargeOfLookUp } from './look-up/look-up-charge.js';
import { ProofQueries } from './look-up/proof.queries.js';
import { ProofService } from './proof.service.js';
import { ProofStore } from './proof.store.js';

@ApiTags('Proofs')
@Controller('v1/proof')
export class ProofController {
  constructor(
    private readonly proofs: ProofService,
    private readonly queries: ProofQueries,
    private readonly store: ProofStore,
    @Optional() @Inject(RECEIPTS) private readonly receipts?: Receipts,
  ) {}

  @Post('payload')
  @ServedAs('payloads')
  @Answers(PayloadResponseDto, 'Step 1: get the text to sign and the texts to publish')
  async createPayload(@Body() body: PayloadRequestDto): Promise<PayloadResponseDto> {
    return this.proofs.prepare(body, new Date());
  }

  @Post()
  @ServedAs('payloads', { submits: 'link' })
  @ApiOperation({ operationId: 'submitProof', summary: 'Step 2: submit the signed link' })
  @ApiCreatedResponse({ description: 'The link is recorded, and the proof is valid.', type: SubmitResponseDto })
  async submit(@Body() body: SubmitRequestDto): Promise<SubmitResponseDto> {
    const { link, recordedAt } = await this.proofs.submit(body, new Date());
    const recorded = toRecordedLink(link);
    const receipt = await this.receipts?.forRecorded(LINK_ENTRIES.name, recorded, recordedAt);
    const { proof_location, extra } = recorded;
    return { proof_location, extra, ...(receipt !== undefined && { receipt }) };
  }

  @Get()
  @ServedAs('searches', { chargeOf: chargeOfLookUp })
  @Answers(FoundProofsDto, 'Bindings by identity')
  async findProofs(@Query() query: FindProofsQueryDto): Promise<FoundProofsDto> {
    return toFoundProofs(await this.queries.find(query));
  }

  @Get('exists')
  @ServedAs('reads')
  @Answers(ProofStateDto, 'State of one binding')
  @Refusals({ 404: 'Says which part was not found: the Avatar, or this identity under it.' })
  async getBinding(@Query() query: BindingQueryDto): Promise<ProofStateDto> {
    return toProofState(await this.proofs.getBinding(query));
  }

  @Get('evidence')
  @ServedAs('reads')
  @Answers(EvidenceDto, 'What was seen at the last successful check')
  @Refusals({ 404: 'The Avatar is unknown, or this binding was never checked.' })
  async getEvidence(@Query() query: BindingQueryDto): Promise<EvidenceDto> {
    return this.proofs.getEvidence(query);
  }

  @Get('history')
  @ServedAs('reads')
  @Answers(HistoryDto, 'The checks of one binding, newest first')
  @Refusals({ 404: 'As for exists. The history ends when the binding is deleted.' })
  async listChecks(@Query() query: HistoryQueryDto): Promise<HistoryDto> {
    const proof = await this.proofs.getBinding(query);
    const checks = await this.store.checks(proof.id, query.page);
    return { pagination: toPagination(checks), checks: checks.items };
  }
}
