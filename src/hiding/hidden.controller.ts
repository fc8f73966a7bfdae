import { Controller, Get, Query } from '@nestjs/common';
import { ApiBadRequestResponse, ApiTags } from '@nestjs/swagger';
import { InvalidRequestError } from '@signet/look';
import { Answers } from '../http/answers.js';
import { ErrorBody } from '../http/error-body.js';
import { ServedAs } from '../http/server/served-as.js';
import { HiddenQueryDto, HiddenResponseDto, MOST_ASKED, toHidden } from './hidden.dto.js';
import { HiddenItems, type WrittenName } from './hidden-items.js';

/** Whether the operator hides something from the page. Answers of the contract hold it all the same. */
@ApiTags('Page')
@ApiBadRequestResponse({ type: ErrorBody })
@Controller('v1/hidden')
export class HiddenController {
  constructor(private readonly items: HiddenItems) {}

  @Get()
  @ServedAs('reads')
  @Answers(HiddenResponseDto, 'What the operator hides from the page, of up to 50 names, and why')
  getHidden(@Query() { item }: HiddenQueryDto): HiddenResponseDto {
    if (item.length > MOST_ASKED) throw new InvalidRequestError(`At most ${MOST_ASKED} items can be asked about.`);
    const found = item.map((text) => this.items.find(this.items.nameOf(readName(text))));
    const hidden = new Map(found.flatMap((one) => (one ? [[one.id, one] as const] : [])));
    return { hidden: [...hidden.values()].map(toHidden) };
  }
}

/** @throws InvalidRequestError for a text of another form */
function readName(text: string): WrittenName {
  const [, kind, value = ''] = /^(key|profile):(.*)$/s.exec(text) ?? [];
  if (kind === 'key' || kind === 'profile') return { kind, avatar: value };
  const [, platform, identity] = /^identity:([^:]*):(.*)$/s.exec(text) ?? [];
  if (platform === undefined) throw new InvalidRequestError('item begins with none of key:, profile: and identity:.');
  return { kind: 'identity', platform, identity };
}
