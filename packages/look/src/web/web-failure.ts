import { PlatformUnavailableError } from '../errors.js';

/**
 * One sentence per kind, for the caller. A refused address reads like a name that does not resolve, and like a closed
 * port, so that these sentences reveal nothing of our network.
 */
const SENTENCES = {
  refused: (platform: string) =>
    `This address cannot be asked for ${platform}: only public https hosts on the standard port can.`,
  unreachable: (platform: string) => `The server for ${platform} could not be reached; try again later.`,
  unreadable: (platform: string) =>
    `No answer for ${platform} came that a page may read: its server could not be reached, or lets no page of another site read it.`,
  slow: (platform: string) => `The server for ${platform} did not answer in time; try again later.`,
  unusable: (platform: string) =>
    `The server for ${platform} gave an answer that cannot be used: it has not the form that is documented.`,
  too_large: (platform: string) => `The server for ${platform} gave an answer that is too large.`,
  failing: (platform: string) => `The server for ${platform} reports an error of its own; try again later.`,
  limited: (platform: string) => `The server for ${platform} asks for fewer requests; try again later.`,
  paused: (platform: string) =>
    `The server for ${platform} has failed too often and is left alone for a while; try again later.`,
  busy: (platform: string) => `Too many requests for ${platform} are waiting; try again later.`,
  exhausted: (platform: string) => `Checking ${platform} took more requests or time than is allowed; try again later.`,
};

/** Of an answer that is unusable because its connection broke. */
const BROKEN = (platform: string) =>
  `The server for ${platform} broke off the connection before its answer was whole; try again later.`;

/** Why a request to a platform gave no usable answer. */
export type FailureKind = keyof typeof SENTENCES;

/**
 * Why no usable answer came. It stays inside this folder: callers get a PlatformUnavailableError with this as `cause`.
 * The message is for logs; it may name an address, but no remote body.
 */
export class WebFailure extends Error {
  constructor(
    readonly kind: FailureKind,
    detail: string,
    readonly options: ErrorOptions & { retryAfterSeconds?: number | undefined; isBroken?: boolean } = {},
  ) {
    super(detail, options);
    this.name = 'WebFailure';
  }
}

/** Makes the failure of a request that gets no slot, for `Slots`. */
export function busy(detail: string): WebFailure {
  return new WebFailure('busy', detail);
}

/** What callers see of a failure; other errors are defects and pass unchanged. */
export function toUnavailable(platform: string, error: unknown): unknown {
  if (!(error instanceof WebFailure)) return error;
  const { retryAfterSeconds, isBroken } = error.options;
  const sentence = isBroken ? BROKEN : SENTENCES[error.kind];
  return new PlatformUnavailableError(sentence(platform), {
    cause: error,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

/**
 * Whether the server behind an error did answer, but not as its API is documented; false if there was no answer, when
 * there may be an API all the same.
 */
export function didAnswer({ cause }: PlatformUnavailableError): boolean {
  if (!(cause instanceof WebFailure)) return true;
  // A connection that broke is unusable as well, and has its own error as the cause.
  return ['unusable', 'too_large'].includes(cause.kind) && cause.cause === undefined;
}
