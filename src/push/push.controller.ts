import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiBadRequestResponse, ApiCreatedResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Answers, EmptyAnswer } from '../http/answers.js';
import { ErrorBody, Refusals } from '../http/error-body.js';
import { ServedAs } from '../http/server/served-as.js';
import { PushSubscriptionRequestDto, PushStateDto, PushSubscriptionDto, toPushSubscription } from './push.dto.js';
import { PushSender } from './push.sender.js';
import { PushSubscriptions } from './push-subscriptions.js';

const IdParam = () =>
  ApiParam({
    name: 'id',
    description: 'What the subscription was answered with. Who knows it may remove it.',
    schema: { type: 'string', maxLength: 36 },
    example: '3e2a8f0c-5d4b-4a7e-9c11-6f1d2b3a4c5d',
  });

/** Web Push: a browser is told of the changes of one Avatar. */
@ApiTags('Push')
@ApiBadRequestResponse({ type: ErrorBody })
@Controller('v1/push')
export class PushController {
  constructor(
    private readonly sender: PushSender,
    private readonly subscriptions: PushSubscriptions,
  ) {}

  @Get()
  @ServedAs('documents')
  @Answers(PushStateDto, 'Whether browsers can subscribe, and the key of this server for that')
  getPush(): PushStateDto {
    return this.sender.state();
  }

  @Post('subscriptions')
  @ServedAs('payloads', { asksPlatform: true })
  @ApiOperation({
    operationId: 'subscribePush',
    summary: 'Subscribe a browser to the changes of an Avatar; a first message to it has to be taken',
  })
  @ApiCreatedResponse({
    type: PushSubscriptionDto,
    description: 'The subscription. One that there was keeps its id, and takes over keys and language.',
  })
  async subscribe(@Body() body: PushSubscriptionRequestDto): Promise<PushSubscriptionDto> {
    return toPushSubscription(await this.sender.subscribe(body, new Date()));
  }

  @Get('subscriptions/:id')
  @ServedAs('reads')
  @IdParam()
  @Answers(PushSubscriptionDto, 'One subscription')
  @Refusals({ 404: 'There is no such subscription: it was removed, or its push service has ended it.' })
  async getPushSubscription(@Param('id') id: string): Promise<PushSubscriptionDto> {
    return toPushSubscription(await this.subscriptions.get(id));
  }

  @Delete('subscriptions/:id')
  @ServedAs('payloads')
  @IdParam()
  @Answers(EmptyAnswer, 'Remove a subscription, and what waits for it', 'It is done.')
  @Refusals({ 404: 'There is no such subscription.' })
  async unsubscribe(@Param('id') id: string): Promise<EmptyAnswer> {
    await this.subscriptions.remove(id);
    return {};
  }
}
