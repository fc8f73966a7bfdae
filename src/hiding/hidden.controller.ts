import { Controller, Get, Query } from '@nestjs/common';
import { ApiBadRequestResponse, ApiTags } from '@nestjs/swagger';
import { InvalidRequestError } from '@signet/look';
import { SignetError } from '@signet/verify/errors';
import { Answers } from '../http/answers.js';
import { ErrorBody } from '../http/error-body.js';
import { ServedAs } from '../http/server/served-as.js';
import { HiddenQueryDto, HiddenResponseDto, MOST_ASKED, toHidden } from './hidden.dto.js';
import type { HiddenItem } from './hidden-item.entity.js';
import { HiddenItems, type WrittenName } from './hidden-items.js';

const NO_NAMES = ['invalid_identity', 'unknown_platform'];

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
    const found = item.map((text) => this.hiddenBy(readName(text)));
    const hidden = new Map(found.flatMap((one) => (one ? [[one.id, one] as const] : [])));
    return { hidden: [...hidden.values()].map(toHidden) };
  }

  /** What hides this; null also for a name that no platform here can have: nothing can hide it. */
  private hiddenBy(name: WrittenName): HiddenItem | null {
    try {
      return this.items.find(this.items.nameOf(name));
    } catch (error) {
      if (error instanceof SignetError && NO_NAMES.includes(error.code)) return null;
      throw error;
    }
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
