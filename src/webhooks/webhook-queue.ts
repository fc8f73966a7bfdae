import { Injectable } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import type { JobQueue } from '../jobs/job-queue.js';

/** One attempt to deliver: which delivery, and the turn for which the job was sent. */
export interface WebhookJob {
  delivery: string;
  turn: number;
}

/** Time for what surrounds the request: reading and recording. */
const SLACK_SECONDS = 10;

/**
 * The queue of attempts. When to try again is decided and recorded by the sender, which sends the next job itself; the
 * retries here are for servers that die and databases that go away in the middle.
 */
@Injectable()
export class WebhookQueue implements JobQueue<WebhookJob> {
  readonly name = 'webhook';
  readonly retries = 20;
  readonly retryDelaySeconds = 1;
  readonly longestDelaySeconds = 300;
  readonly expireSeconds: number;
  declare readonly data?: WebhookJob;

  constructor({ WEBHOOK_TIMEOUT_MS }: Environment) {
    this.expireSeconds = Math.ceil(WEBHOOK_TIMEOUT_MS / 1000) + SLACK_SECONDS;
  }
}
