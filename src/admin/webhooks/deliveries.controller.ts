import { Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { WebhookLog } from '../../webhooks/webhook-log.service.js';
import { AdminController } from '../admin-controller.js';
import {
  DeliveriesQueryDto,
  DeliveryDto,
  DeliveryListDto,
  DeliveryWithBodyDto,
  toDelivery,
  toDeliveryList,
  toDeliveryWithBody,
} from './delivery.dto.js';
import { IdParam } from '../id-param.js';

@AdminController('deliveries')
export class DeliveriesController {
  constructor(private readonly log: WebhookLog) {}

  @Get()
  @ApiOperation({ operationId: 'listDeliveries', summary: 'What was sent to whom, newest first' })
  @ApiOkResponse({ type: DeliveryListDto })
  async list(@Query() query: DeliveriesQueryDto): Promise<DeliveryListDto> {
    return toDeliveryList(await this.log.list(query, query.page));
  }

  @Get(':id')
  @IdParam('delivery')
  @ApiOperation({ operationId: 'getDelivery', summary: 'One delivery, with its body' })
  @ApiOkResponse({ type: DeliveryWithBodyDto })
  async show(@Param('id') id: string): Promise<DeliveryWithBodyDto> {
    return toDeliveryWithBody(await this.log.get(id));
  }

  @Post(':id/replay')
  @IdParam('delivery')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'replayDelivery',
    summary: 'Send it now, from the beginning of the schedule, with the same webhook-id',
  })
  @ApiOkResponse({ type: DeliveryDto })
  async replay(@Param('id') id: string): Promise<DeliveryDto> {
    return toDelivery(await this.log.replay(id));
  }
}
