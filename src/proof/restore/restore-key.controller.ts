import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBadRequestResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ErrorBody } from '../../http/error-body.js';
import { RestoredKeyDto, RestoreKeyRequestDto } from './restore-key.dto.js';
import { RestoreKeyService } from './restore-key.service.js';

@ApiTags('Proofs')
@Controller('v1/proof')
export class RestoreKeyController {
  constructor(private readonly keys: RestoreKeyService) {}

  @Post('restore_pubkey')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'restorePublicKey',
    summary: 'The Avatar that made a published post, if its link is recorded here',
  })
  @ApiOkResponse({ type: RestoredKeyDto })
  @ApiBadRequestResponse({ type: ErrorBody })
  async restore(@Body() body: RestoreKeyRequestDto): Promise<RestoredKeyDto> {
    return { public_key: await this.keys.restore(body) };
  }
}
