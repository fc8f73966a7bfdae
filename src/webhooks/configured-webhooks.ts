import { isWebhookSecret } from '@signet/verify';
import { isObject } from '@signet/verify/internal';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SignetError } from '@signet/verify/errors';
import { Environment, InvalidEnvironmentError } from '../config/environment.js';
import { textOfSetting } from '../config/text-setting.js';
import { WriteTransactions } from '../database/write-transactions.js';
import { type CheckedSubscription, type RequestedSubscription, WebhookRules } from './webhook-rules.js';
import { DISABLED_BY_OPERATOR } from './webhook-subscriptions.js';

const REMOVED = 'no longer in the setting WEBHOOKS';

/**
 * A changed secret is a rotation like any other. Choice: a start of the service enables what the setting names, also
 * after a 410, because without a call there is no other way back; only what an operator has disabled stays so.
 */
const SAVE = `
  insert into webhook_subscription as stored (url, secret, types, platform, avatar, format, is_configured)
  values ($1, $2, $3, $4, $5, $7, true)
  on conflict (url) where is_configured do update set
    previous_secret = case when stored.secret = excluded.secret then stored.previous_secret else stored.secret end,
    previous_secret_until = case when stored.secret = excluded.secret then stored.previous_secret_until else now() + $6::float8 * interval '1 second' end,
    secret = excluded.secret,
    types = excluded.types,
    platform = excluded.platform,
    avatar = excluded.avatar,
    format = excluded.format,
    is_enabled = stored.disabled_reason <> '${DISABLED_BY_OPERATOR}',
    disabled_reason = case when stored.disabled_reason = '${DISABLED_BY_OPERATOR}' then stored.disabled_reason else '' end`;

const DISABLE_OTHERS = `
  update webhook_subscription set is_enabled = false, disabled_reason = '${REMOVED}'
  where is_configured and is_enabled and url <> all($1::text[])`;

/**
 * Subscriptions that the setting WEBHOOKS names, so that a container needs no call to start. They are known by their
 * URL.
 */
@Injectable()
export class ConfiguredWebhooks implements OnModuleInit {
  constructor(
    private readonly environment: Environment,
    private readonly transactions: WriteTransactions,
    private readonly rules: WebhookRules,
  ) {}

  /** @throws InvalidEnvironmentError with all problems of the setting; no message holds a secret or a URL. */
  async onModuleInit(): Promise<void> {
    await this.apply(this.read());
  }

  /** Makes the stored subscriptions those of the setting; one that is no longer named is disabled and keeps its log. */
  async apply(webhooks: (CheckedSubscription & { secret: string })[]): Promise<void> {
    const graceSeconds = this.environment.WEBHOOK_SECRET_GRACE_SECONDS;
    // With limits: other servers that start wait for these rows.
    await this.transactions.run(async (manager) => {
      for (const { url, secret, types, platform, avatar, format } of webhooks) {
        await manager.query(SAVE, [url, secret, types, platform, avatar, graceSeconds, format]);
      }
      await manager.query(DISABLE_OTHERS, [webhooks.map(({ url }) => url)]);
    });
  }

  private read(): (CheckedSubscription & { secret: string })[] {
    const webhooks = eachEntry(this.environment, (entry) => {
      const { secret, ...requested } = shapeOf(entry);
      return { ...this.rules.check(requested), secret };
    });
    const urls = webhooks.map(({ url }) => url);
    if (new Set(urls).size < urls.length) throw new InvalidEnvironmentError(['WEBHOOKS names one URL more than once']);
    return webhooks;
  }
}

type WebhookEntry = RequestedSubscription & { secret: string };

/**
 * What the setting WEBHOOKS holds, so far without the rules for subscriptions.
 * @throws InvalidEnvironmentError as `onModuleInit`
 */
export function readWebhooks(environment: Environment): WebhookEntry[] {
  return eachEntry(environment, shapeOf);
}

/** @throws InvalidEnvironmentError with one sentence for each entry that `check` refuses */
function eachEntry<Checked>({ WEBHOOKS }: Environment, check: (entry: unknown) => Checked): Checked[] {
  const problems: string[] = [];
  const checked = (WEBHOOKS === undefined ? [] : parse(WEBHOOKS)).flatMap((entry, index) => {
    try {
      return [check(entry)];
    } catch (error) {
      if (!(error instanceof SignetError) && !(error instanceof TypeError)) throw error;
      problems.push(`WEBHOOKS, entry ${index + 1}: ${error.message}`);
      return [];
    }
  });
  if (problems.length > 0) throw new InvalidEnvironmentError(problems);
  return checked;
}

function parse(setting: string): unknown[] {
  let text: string;
  try {
    text = textOfSetting('WEBHOOKS', setting, setting.trimStart().startsWith('['));
  } catch {
    throw new InvalidEnvironmentError(['WEBHOOKS is neither a JSON array nor the path of a file that can be read']);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value;
  } catch {
    // The parser's own error quotes the text, which holds secrets.
  }
  throw new InvalidEnvironmentError(['WEBHOOKS does not hold a JSON array']);
}

/** @throws TypeError that names the problem, without the value */
function shapeOf(entry: unknown): WebhookEntry {
  if (!isObject(entry)) throw new TypeError('it must be an object with url and secret');
  const { url, secret, types = [], ...texts } = entry as Partial<Record<keyof WebhookEntry, unknown>>;
  if (typeof url !== 'string') throw new TypeError('url is missing');
  if (typeof secret !== 'string' || !isWebhookSecret(secret)) {
    throw new TypeError('secret must be whsec_ and the Base64 of 24 to 64 bytes');
  }
  if (!Array.isArray(types) || types.some((type) => typeof type !== 'string')) {
    throw new TypeError('types must be a list of event types');
  }
  for (const name of ['platform', 'avatar', 'format'] as const) {
    if (!['string', 'undefined'].includes(typeof texts[name])) throw new TypeError(`${name} must be text`);
  }
  return { url, secret, types, ...texts } as WebhookEntry;
}
