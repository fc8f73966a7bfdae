import { IsString, Matches, MinLength } from 'class-validator';
import { Flag, Int, IsHttpUrl, IsToken, IsTrustProxy, Secret } from '../setting-kinds.js';

/** What operators see, and what bounds clients. */
export class OperationSettings {
  /** Opens /admin/v1 to requests with this token; absent: there are no admin routes. */
  @Secret()
  @IsToken()
  @MinLength(24, { message: 'ADMIN_TOKEN must be at least 24 characters' })
  ADMIN_TOKEN?: string;

  /** Whether `/metrics` answers. */
  @Flag()
  METRICS: boolean = true;

  // Traces: settings of OpenTelemetry, of which there are more; these decide whether and what is traced, the others are
  // read by its library

  /** OTLP/HTTP endpoint of a collector, such as http://localhost:4318; absent, as the next one: nothing is traced. */
  @IsHttpUrl()
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;

  /** OTLP/HTTP endpoint for traces alone, with its path, such as http://localhost:4318/v1/traces. */
  @IsHttpUrl()
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string;

  /** `otlp` traces also without an endpoint, to http://localhost:4318; anything else switches traces off. */
  @IsString()
  OTEL_TRACES_EXPORTER?: string;

  /** `true` switches traces off, with any value of the other settings. */
  @Flag()
  OTEL_SDK_DISABLED: boolean = false;

  /** `always_on`, `always_off`, `traceidratio`, or one of them behind `parentbased_`. */
  @Matches(/^(parentbased_)?(always_on|always_off|traceidratio)$/, {
    message: 'OTEL_TRACES_SAMPLER must be always_on, always_off or traceidratio, or one of them behind parentbased_',
  })
  OTEL_TRACES_SAMPLER: string = 'parentbased_always_on';

  /** Share of traces that `traceidratio` keeps, from 0 to 1. */
  @Matches(/^(0?\.\d+|[01](\.0+)?|0)$/, { message: 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1' })
  OTEL_TRACES_SAMPLER_ARG: string = '1';

  // Limits

  /** Rate limits for each client address, an IPv4 address or an IPv6 network of 64 bits. */
  @Flag()
  RATE_LIMIT: boolean = true;

  /**
   * Reads of one client in a minute, on each server. An exact lookup counts once for every 15 names, the state of the
   * keys of an Avatar five times, and `GET /v1/resolve` for what it stands for: 2 to 14 times.
   */
  @Int(1)
  RATE_LIMIT_READS: number = 1200;

  /**
   * Searches for a part of an identity by one client in a minute, on each server. A search costs one for each of its
   * terms, and as much again for every ten pages.
   */
  @Int(1)
  RATE_LIMIT_SEARCHES: number = 100;

  /**
   * Reads of `/metrics`, `/openapi.json`, the API page and the files of the page by one client in a minute, on each
   * server. The picture of a seal costs five. A first visit of the page reads some 35 files, and several people may
   * share an address.
   */
  @Int(1)
  RATE_LIMIT_DOCUMENTS: number = 1200;

  /**
   * Payloads, and submits that need no outbound request, of one client in a minute, on each server. A key event that is
   * submitted counts five times.
   */
  @Int(1)
  RATE_LIMIT_PAYLOADS: number = 300;

  /** Submits for which a platform is asked, of one client in a minute, on all servers together. */
  @Int(1)
  RATE_LIMIT_SUBMITS: number = 30;

  /** Event streams that one client opens in a minute, on all servers together. */
  @Int(1)
  RATE_LIMIT_STREAMS: number = 60;

  /**
   * Pages of up to 100 old events that the event streams of one client read from the database in a minute, on each
   * server. A stream that finds none left goes on in the next minute; new events cost nothing.
   */
  @Int(1)
  RATE_LIMIT_REPLAYS: number = 2000;

  /** Admin calls of one client in a minute, on each server. */
  @Int(1)
  RATE_LIMIT_ADMIN: number = 300;

  /**
   * Whose `X-Forwarded-For` is believed: `off`, the number of proxies in front of this server, or the addresses and
   * networks of the proxies. A server that believes it without a proxy in front lets clients choose their address.
   */
  @IsTrustProxy()
  TRUST_PROXY: string = 'off';

  /**
   * Refuses requests with 503 while the event loop or the pool of database connections is overloaded, instead of
   * letting them wait.
   */
  @Flag()
  LOAD_SHEDDING: boolean = true;

  /** Milliseconds by which the event loop may be late on average over a second. */
  @Int(10)
  MAX_EVENT_LOOP_DELAY_MS: number = 500;

  /** Milliseconds that requests may wait for a connection to the database before new ones are refused. */
  @Int(10)
  MAX_POOL_WAIT_MS: number = 3000;

  /** Bytes of large answers that may wait for slow readers, all together; small answers are not counted. */
  @Int(1024 * 1024)
  MAX_UNSENT_BYTES: number = 256 * 1024 * 1024;
}
