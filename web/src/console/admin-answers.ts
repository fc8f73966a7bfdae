/** Answers of `/admin/v1` as far as the console shows them; times are UNIX seconds as text, `""` for none. */

export interface RecheckProgress {
  due: number;
  done: number;
  failed: number;
  rate_per_minute: number;
}

/** What all servers sent to a platform on a day. */
export interface DayOfUse {
  day: string;
  platform: string;
  requests: number;
  paid_reads: number;
  /** Absent where the operator states no price. */
  cost?: number;
}

export interface Circuit {
  key: string;
  state: 'closed' | 'open' | 'half_open';
  failures: number;
  open_until: string;
}

export interface Subscription {
  id: string;
  url: string;
  types: string[];
  platform: string;
  avatar: string;
  format: string;
  enabled: boolean;
  disabled_reason: string;
  /** Whether the setting WEBHOOKS names it. */
  configured: boolean;
}

/** Answered once, when a subscription is made or its secret is rotated. */
export interface SubscriptionWithSecret extends Subscription {
  secret: string;
}

export interface Delivery {
  id: string;
  subscription: string;
  type: string;
  status: string;
  attempts: number;
  next_attempt_at: string;
  last_attempt_at: string;
  last_status: number;
  last_error: string;
}

export interface Queue {
  queue: string;
  waiting: number;
  running: number;
  dead: number;
}

export interface DeadLetter {
  id: string;
  queue: string;
  error: string;
  failed_at: string;
}

export interface ParkedEvent {
  handler: string;
  position: number;
  type: string;
  error: string;
  parked_at: string;
}

export interface Archive {
  store: string;
  confirmed: number;
  unconfirmed: number;
  unsent: number;
  unsigned: number;
  oldest_signed_at: string;
  wallet_balance: string;
  is_balance_low: boolean;
  last_error: string;
}

/** Something that is hidden from the page, or was. */
export interface HiddenRow {
  id: string;
  kind: 'identity' | 'key' | 'profile';
  platform?: string;
  identity?: string;
  avatar?: string;
  reason: string;
  hidden_at: string;
  lifted_at: string;
  lifted_reason: string;
}
