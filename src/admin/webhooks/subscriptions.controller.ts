import { Body, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { EmptyAnswer } from '../../http/empty-answer.js';
import { PageQueryDto } from '../../http/validation/paging.js';
import { WebhookLog } from '../../webhooks/webhook-log.service.js';
import { WebhookSubscriptions } from '../../webhooks/webhook-subscriptions.service.js';
import { WebhookSender } from '../../webhooks/webhook.sender.js';
import { AdminController } from '../admin-controller.js';
import { IdParam } from '../id-param.js';
import {
  type DeliveryDto,
  DeliveryListDto,
  DeliveryWithBodyDto,
  SubscriptionDeliveriesQueryDto,
  toDeliveryList,
  toDeliveryWithBody,
} from './delivery.dto.js';
import {
  NewSubscriptionDto,
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
  @ApiOperation({
    operationId: 'createSubscription',
    summary: 'Subscribe a URL to webhooks; the secret is shown this once',
  })
  @ApiCreatedResponse({ type: SubscriptionWithSecretDto, description: 'The subscription, with its secret.' })
  async create(@Body() body: NewSubscriptionDto): Promise<SubscriptionWithSecretDto> {
    return toSubscriptionWithSecret(await this.subscriptions.create(body));
  }

  @Get()
  @ApiOperation({ operationId: 'listSubscriptions', summary: 'All subscriptions, without their secrets' })
  @ApiOkResponse({ type: SubscriptionListDto })
  async list(@Query() { page }: PageQueryDto): Promise<SubscriptionListDto> {
    return toSubscriptionList(await this.subscriptions.list(page));
  }

  @Get(':id')
  @IdParam('subscription')
  @ApiOperation({ operationId: 'getSubscription', summary: 'One subscription, without its secret' })
  @ApiOkResponse({ type: SubscriptionDto })
  async show(@Param('id') id: string): Promise<SubscriptionDto> {
    return toSubscription(await this.subscriptions.get(id));
  }

  @Patch(':id')
  @IdParam('subscription')
  @ApiOperation({ operationId: 'updateSubscription', summary: 'Change, disable or enable a subscription' })
  @ApiOkResponse({ type: SubscriptionDto })
  async update(@Param('id') id: string, @Body() body: SubscriptionChangesDto): Promise<SubscriptionDto> {
    const { enabled, ...changes } = body;
    return toSubscription(await this.subscriptions.update(id, { ...changes, isEnabled: enabled }));
  }

  @Delete(':id')
  @IdParam('subscription')
  @ApiOperation({ operationId: 'deleteSubscription', summary: 'Remove a subscription and its log' })
  @ApiOkResponse({ type: EmptyAnswer, description: 'It is done.' })
  async remove(@Param('id') id: string): Promise<Record<string, never>> {
    await this.subscriptions.remove(id);
    return {};
  }

  @Post(':id/rotate')
  @IdParam('subscription')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'rotateSubscriptionSecret',
    summary: 'Make a new secret; the one before signs beside it for a while',
  })
  @ApiOkResponse({ type: SubscriptionWithSecretDto })
  async rotate(@Param('id') id: string): Promise<SubscriptionWithSecretDto> {
    return toSubscriptionWithSecret(await this.subscriptions.rotate(id));
  }

  @Post(':id/test')
  @IdParam('subscription')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'testSubscription',
    summary: 'Send a message of type webhook.test once, and say how that went',
  })
  @ApiOkResponse({ type: DeliveryWithBodyDto })
  async test(@Param('id') id: string): Promise<DeliveryDto> {
    return toDeliveryWithBody(await this.sender.sendTest(id));
  }

  @Get(':id/deliveries')
  @IdParam('subscription')
  @ApiOperation({ operationId: 'listSubscriptionDeliveries', summary: 'The log of one subscription, newest first' })
  @ApiOkResponse({ type: DeliveryListDto })
  async deliveries(@Param('id') id: string, @Query() query: SubscriptionDeliveriesQueryDto): Promise<DeliveryListDto> {
    await this.subscriptions.get(id);
    return toDeliveryList(await this.log.list({ ...query, subscription: id }, query.page));
  }
}
