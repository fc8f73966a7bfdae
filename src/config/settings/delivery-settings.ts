import { IsIn, IsString, Matches } from 'class-validator';
import { Flag, Int, IsHttpUrl, Secret } from '../setting-kinds.js';

/** What goes out: the event stream, webhooks and the archive. */
export class DeliverySettings {
  // Event stream

  /** Seconds between two heartbeats on an open event stream. */
  @Int(1, 300)
  EVENT_HEARTBEAT_SECONDS: number = 15;

  /** Event streams that one process keeps open. */
  @Int(1)
  MAX_EVENT_STREAMS: number = 10_000;

  /** Event streams that one client address may have open in one process; RATE_LIMIT=off lifts this. */
  @Int(1)
  MAX_EVENT_STREAMS_PER_CLIENT: number = 20;

  /** Bytes that may wait for the reader of an event stream before nothing more is fetched for it. */
  @Int(1024)
  EVENT_STREAM_BUFFER_BYTES: number = 64 * 1024;

  /** Seconds in which the reader of an event stream has to take what waits for it; then it is disconnected. */
  @Int(1, 24 * 3600)
  EVENT_STREAM_STALL_SECONDS: number = 30;

  // Notifications

  /** Days for which events stay readable in the stream. */
  @Int(1, 36_500)
  EVENT_RETENTION_DAYS: number = 30;

  /**
   * What CloudEvents name as their source, a URI; absent: `urn:signet:` and SERVICE_NAME. Set it where events of
   * several deployments meet.
   */
  @Matches(/^[a-z][a-z0-9+.-]*:\S{1,200}$/i, { message: 'CLOUDEVENTS_SOURCE must be a URI' })
  CLOUDEVENTS_SOURCE?: string;

  /**
   * What stands before the type of CloudEvents: `signet.proof.bound`. The specification advises a reversed domain name.
   */
  @Matches(/^[a-z0-9]+([.-][a-z0-9]+)*$/, { message: 'CLOUDEVENTS_TYPE_PREFIX must be words with dots between them' })
  CLOUDEVENTS_TYPE_PREFIX: string = 'signet';

  /**
   * Subscriptions without a call: a JSON array of `{ url, secret, types?, platform?, avatar?, format? }`, or the path
   * of a file that holds one.
   */
  @Secret()
  @IsString()
  WEBHOOKS?: string;

  /** Lets webhooks go to http, to private addresses and to any port. */
  @Flag()
  WEBHOOK_ALLOW_PRIVATE: boolean = false;

  /** Milliseconds in which a receiver must have answered. */
  @Int(100, 60_000)
  WEBHOOK_TIMEOUT_MS: number = 15_000;

  /** Seconds for which the previous secret of a subscription still signs after a rotation. */
  @Int(0, 365 * 24 * 3600)
  WEBHOOK_SECRET_GRACE_SECONDS: number = 24 * 3600;

  /** Days for which finished deliveries stay in the log. */
  @Int(1, 36_500)
  WEBHOOK_LOG_DAYS: number = 30;

  /**
   * Whether browsers may ask to be told of changes of a key, by Web Push. They can where PUBLIC_URL is an https
   * address. Push services are given OUTBOUND_CONTACT, or PUBLIC_URL where it is absent.
   */
  @Flag()
  PUSH: boolean = true;

  // Archive

  /** Where accepted links are kept for good: `none`, or the `arweave` network. */
  @IsIn(['none', 'arweave'])
  ARCHIVE: 'none' | 'arweave' = 'none';

  /** Serves what is archived, and takes transactions where there is no upload service. */
  @IsHttpUrl()
  ARWEAVE_GATEWAY_URL: string = 'https://arweave.net';

  /**
   * Complete address of a service that takes signed data items, such as https://upload.ardrive.io/v1/tx; absent: the
   * wallet pays the network.
   */
  @IsHttpUrl()
  ARWEAVE_UPLOAD_URL?: string;

  /** Key that signs and pays: the JSON of an Arweave key file, or its path. Needed for ARCHIVE=arweave. */
  @Secret()
  @IsString()
  ARWEAVE_WALLET?: string;

  /** Seconds for which signed links wait for others to travel with; 0 sends at once. */
  @Int(0, 24 * 3600)
  ARCHIVE_BATCH_SECONDS: number = 60;

  /**
   * Links that travel together at most; so many start at once. A hundred fit into the 256 KiB that are the least one
   * pays for.
   */
  @Int(1, 500)
  ARCHIVE_BATCH_LINKS: number = 100;

  /** Seconds after which a link that the gateway does not serve is sent again; doubled after each time, up to a day. */
  @Int(1, 24 * 3600)
  ARCHIVE_RESEND_SECONDS: number = 3600;

  /** Balance of the wallet in AR below which the log warns. */
  @Matches(/^\d{1,9}(\.\d{1,12})?$/, { message: 'ARCHIVE_LOW_BALANCE_AR must be an amount of AR, such as 0.1' })
  ARCHIVE_LOW_BALANCE_AR: string = '0.1';
}
