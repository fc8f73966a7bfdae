import { Body, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation } from '@nestjs/swagger';
import { Answers, EmptyAnswer } from '../../http/answers.js';
import { PageQueryDto } from '../../http/validation/paging.js';
import { WebhookLog } from '../../webhooks/webhook-log.js';
import { WebhookSubscriptions } from '../../webhooks/webhook-subscriptions.js';
import { WebhookSender } from '../../webhooks/webhook.sender.js';
import { AdminController, IdParam } from '../admin-controller.js';
import {
  DeliveryListDto,
  DeliveryWithBodyDto,
  SubscriptionDeliveriesQueryDto,
  toDeliveryList,
  toDeliveryWithBody,
} from './delivery.dto.js';
import {
  SubscriptionRequestDto,
  SubscriptionChangesDto,
  SubscriptionDto,
  SubscriptionListDto,
  SubscriptionWithSecretDto,
  toSubscription,
  toSubscriptionList,
  toSubscriptionWithSecret,
} from './subscription.dto.js';

@AdminController('subscriptions')
export class SubscriptionsController {
  constructor(
    private readonly subscriptions: WebhookSubscriptions,
    private readonly sender: WebhookSender,
    private readonly log: WebhookLog,
  ) {}

  @Post()
  @ApiOperation({ summary: 'Subscribe a URL to webhooks; the secret is shown this once' })
  @ApiCreatedResponse({ type: SubscriptionWithSecretDto, description: 'The subscription, with its secret.' })
  async createSubscription(@Body() body: SubscriptionRequestDto): Promise<SubscriptionWithSecretDto> {
    return toSubscriptionWithSecret(await this.subscriptions.create(body));
  }

  @Get()
  @Answers(SubscriptionListDto, 'All subscriptions, without their secrets')
  async listSubscriptions(@Query() { page }: PageQueryDto): Promise<SubscriptionListDto> {
    return toSubscriptionList(await this.subscriptions.list(page));
  }

  @Get(':id')
  @IdParam('subscription')
  @Answers(SubscriptionDto, 'One subscription, without its secret')
  async getSubscription(@Param('id') id: string): Promise<SubscriptionDto> {
    return toSubscription(await this.subscriptions.get(id));
  }

  @Patch(':id')
  @IdParam('subscription')
  @Answers(SubscriptionDto, 'Change, disable or enable a subscription')
  async updateSubscription(@Param('id') id: string, @Body() body: SubscriptionChangesDto): Promise<SubscriptionDto> {
    const { enabled, ...changes } = body;
    return toSubscription(await this.subscriptions.update(id, { ...changes, isEnabled: enabled }));
  }

  @Delete(':id')
  @IdParam('subscription')
  @Answers(EmptyAnswer, 'Remove a subscription and its log', 'It is done.')
  async deleteSubscription(@Param('id') id: string): Promise<EmptyAnswer> {
    await this.subscriptions.remove(id);
    return {};
  }

  @Post(':id/rotate')
  @IdParam('subscription')
  @Answers(SubscriptionWithSecretDto, 'Make a new secret; the one before signs beside it for a while')
  async rotateSubscriptionSecret(@Param('id') id: string): Promise<SubscriptionWithSecretDto> {
    return toSubscriptionWithSecret(await this.subscriptions.rotate(id));
  }

  @Post(':id/test')
  @IdParam('subscription')
  @Answers(DeliveryWithBodyDto, 'Send a message of type webhook.test once, and say how that went')
  async testSubscription(@Param('id') id: string): Promise<DeliveryWithBodyDto> {
    return toDeliveryWithBody(await this.sender.sendTest(id));
  }

  @Get(':id/deliveries')
  @IdParam('subscription')
  @Answers(DeliveryListDto, 'The log of one subscription, newest first')
  async listSubscriptionDeliveries(
    @Param('id') id: string,
    @Query() query: SubscriptionDeliveriesQueryDto,
  ): Promise<DeliveryListDto> {
    await this.subscriptions.get(id);
    return toDeliveryList(await this.log.list({ ...query, subscription: id }, query.page));
  }
}
