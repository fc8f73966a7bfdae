import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { InvalidRequestError } from '@signet/look';
import { Answers } from '../http/answers.js';
import { ServedAs } from '../http/server/served-as.js';
import {
  SubkeyPayloadDto,
  SubkeyPayloadRequestDto,
  SubkeyQueryDto,
  SubkeysDto,
  SubkeySubmitRequestDto,
} from './subkey.dto.js';
import { SubkeyService } from './subkey.service.js';

/** Endpoints of subkeys, which exist only if DIALECT is `nextid`. */
@ApiTags('Subkeys')
@Controller('v1/subkey')
export class SubkeyController {
  constructor(private readonly subkeys: SubkeyService) {}

  @Post('payload')
  @ServedAs('payloads')
  @Answers(SubkeyPayloadDto, 'Step 1: get the text to sign for a subkey')
  createSubkeyPayload(@Body() body: SubkeyPayloadRequestDto): SubkeyPayloadDto {
    return { sign_payload: this.subkeys.payload(body) };
  }

  @Post()
  @ServedAs('payloads')
  @Answers(SubkeyPayloadDto, 'Step 2: store the signed subkey; it has no power here')
  async submitSubkey(@Body() body: SubkeySubmitRequestDto): Promise<SubkeyPayloadDto> {
    return { sign_payload: await this.subkeys.add(body) };
  }

  @Get()
  @ServedAs('reads')
  @Answers(SubkeysDto, 'Subkeys of an Avatar, or the Avatars of a subkey')
  async listSubkeys(@Query() { avatar, algorithm, public_key: key }: SubkeyQueryDto): Promise<SubkeysDto> {
    if (avatar !== undefined) return { subkeys: await this.subkeys.ofAvatar(avatar) };
    if (algorithm === undefined || key === undefined) {
      throw new InvalidRequestError('avatar is missing, or algorithm and public_key.');
    }
    return { subkeys: await this.subkeys.ofKey(algorithm, key) };
  }
}
