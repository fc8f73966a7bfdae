/** The errors that verifiers throw. None holds secrets, remote bodies or internal addresses. */
import { SignetError } from '@signet/verify/errors';

export { InvalidRequestError, PlatformUnavailableError } from '@signet/verify/errors';

/** A signature is missing, malformed, or not made by the expected key over the expected text. */
export class InvalidSignatureError extends SignetError {
  override name = 'InvalidSignatureError';

  constructor(message: string) {
    super(message, 'invalid_signature');
  }
}

/**
 * This program lacks a setting or a permission for the platform, and its operator has to act. The message names no
 * secret. Code `platform_not_configured`.
 */
export class PlatformMisconfiguredError extends SignetError {
  override name = 'PlatformMisconfiguredError';

  constructor(message: string, { cause }: ErrorOptions = {}) {
    super(message, { code: 'platform_not_configured', cause });
  }
}
