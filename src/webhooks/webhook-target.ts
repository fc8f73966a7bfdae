import { InvalidRequestError } from '../domain/domain-errors.js';
import { guardOperatorUrl, guardUserUrl } from '@signet/look';

const MAX_URL_CHARS = 2048;

/**
 * The URL of a receiver in its normal form. Unless `allowsPrivate`: https, port 443 and a public name; where that name
 * leads is judged at every delivery.
 * @throws InvalidRequestError (`invalid_webhook_url`); the message does not repeat the URL, which may hold a secret.
 */
export function webhookTarget(text: string, allowsPrivate: boolean): string {
  if (text.length > MAX_URL_CHARS) throw refused(`it has ${text.length} characters, and ${MAX_URL_CHARS} are allowed`);
  const url = parse(text, allowsPrivate);
  if (url.username !== '' || url.password !== '') {
    throw refused('a user name or password has no place in it; the signature shows who sent a message');
  }
  url.hash = '';
  return url.href;
}

function parse(text: string, allowsPrivate: boolean): URL {
  try {
    return allowsPrivate ? guardOperatorUrl(text) : guardUserUrl(text);
  } catch {
    throw refused(
      allowsPrivate
        ? 'expected an http or https URL'
        : 'expected an https URL with a public host name and no port of its own (or WEBHOOK_ALLOW_PRIVATE=true)',
    );
  }
}

function refused(why: string): InvalidRequestError {
  return new InvalidRequestError(`The URL cannot be used for webhooks: ${why}.`, 'invalid_webhook_url');
}
