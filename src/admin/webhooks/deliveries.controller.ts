import { Get, Param, Post, Query } from '@nestjs/common';
import { Answers } from '../../http/answers.js';
import { WebhookLog } from '../../webhooks/webhook-log.js';
import { AdminController, IdParam } from '../admin-controller.js';
import {
  DeliveriesQueryDto,
  DeliveryDto,
  DeliveryListDto,
  DeliveryWithBodyDto,
  toDelivery,
  toDeliveryList,
  toDeliveryWithBody,
} from './delivery.dto.js';

@AdminController('deliveries')
export class DeliveriesController {
  constructor(private readonly log: WebhookLog) {}

  @Get()
  @Answers(DeliveryListDto, 'What was sent to whom, newest first')
  async listDeliveries(@Query() query: DeliveriesQueryDto): Promise<DeliveryListDto> {
    return toDeliveryList(await this.log.list(query, query.page));
  }

  @Get(':id')
  @IdParam('delivery')
  @Answers(DeliveryWithBodyDto, 'One delivery, with its body')
  async getDelivery(@Param('id') id: string): Promise<DeliveryWithBodyDto> {
    return toDeliveryWithBody(await this.log.get(id));
  }

  @Post(':id/replay')
  @IdParam('delivery')
  @Answers(DeliveryDto, 'Send it now, from the beginning of the schedule, with the same webhook-id')
  async replayDelivery(@Param('id') id: string): Promise<DeliveryDto> {
    return toDelivery(await this.log.replay(id));
  }
}
