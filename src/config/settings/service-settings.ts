import { IsIn, Matches, MaxLength } from 'class-validator';
import { Flag, Int, IsContact, IsHost, IsOrigin } from '../setting-kinds.js';

/** The service itself: its name, its address and its processes. */
export class ServiceSettings {
  /**
   * Name of this deployment: KV platform value of the key itself, .bit record key, keybase folder
   * (docs/design/decisions.md 1).
   */
  @Matches(/^[a-z][a-z0-9_-]{0,31}$/, {
    message: 'SERVICE_NAME must be 1 to 32 of a-z, 0-9, _ and -, and start with a letter',
  })
  SERVICE_NAME: string = 'self';

  /** `staging` or `production`, as the health check shows it. */
  @IsIn(['staging', 'production'])
  ENVIRONMENT: 'staging' | 'production' = 'production';

  /**
   * `nextid`: clients made for NextID's proof_server and kv_server are understood and answered as they expect; see
   * docs/guide/nextid.md. `none`: the interface of the contract alone.
   */
  @IsIn(['none', 'nextid'])
  DIALECT: 'none' | 'nextid' = 'none';

  /** TCP port; 0 takes a free one. */
  @Int(0, 65535)
  PORT: number = 3000;

  /** Address to listen on: an IP address, or a name that this machine resolves to one of its own. */
  @IsHost()
  HOST: string = '0.0.0.0';

  /**
   * Address under which people reach this server, such as https://id.example.org, without a path: for the addresses
   * that search engines and previews of links are given, as the name of a new log (LOG_ORIGIN), and for versions of
   * Safari that cannot make looks without it. Absent: the scheme and host of each request, in documents that no cache
   * may keep.
   */
  @IsOrigin()
  PUBLIC_URL?: string;

  /** Whether the page for people is served at `/`; `off`: a short list of links in its place. */
  @Flag()
  WEB: boolean = true;

  /**
   * Whether the page lets its visitors look at posts by themselves: `ask` after it said which host will see their
   * address; `off` not at all.
   */
  @IsIn(['ask', 'off'])
  WEB_LOOK: 'ask' | 'off' = 'ask';

  /**
   * Where people report abuse: a mail address, or the http or https URL of a form. It stands on each page. Absent: the
   * page names none.
   */
  @IsContact()
  @MaxLength(200)
  ABUSE_CONTACT?: string;

  /** Processes that serve requests on one port, for machines with several cores; more than one needs DATABASE_URL. */
  @Int(1, 128)
  WORKERS: number = 1;

  /**
   * Seconds for which a server that gets SIGTERM still accepts connections: `/readyz` answers `stopping`, and answers
   * have `Connection: close`, so that load balancers and clients leave before the port closes. Longer than a load
   * balancer needs to notice; Ctrl-C (SIGINT) skips it.
   */
  @Int(0, 300)
  SHUTDOWN_DELAY_SECONDS: number = 1;

  /** The least that is logged: `debug`, `info`, `warn` or `error`. */
  @IsIn(['debug', 'info', 'warn', 'error'])
  LOG_LEVEL: 'debug' | 'info' | 'warn' | 'error' = 'info';
}
