import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ArrayNotEmpty, IsBoolean, isEmail, IsInt, isURL, IsUrl, Matches, Max, Min, ValidateBy } from 'class-validator';
import { isIP } from 'node:net';

/* The kinds of settings that the libraries do not know: how text becomes a value, and what is refused. */

/** A whole number; anything that is not a plain decimal stays text and is then refused by `IsInt`. */
export const Int = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  applyDecorators(
    Transform(({ value }: { value: unknown }): unknown => (/^-?\d+$/.test(String(value)) ? Number(value) : value)),
    IsInt(),
    Min(least),
    Max(most),
  );
/** `true`/`false`, `on`/`off`, `1`/`0`; another word stays text and is refused by `IsBoolean`. */
export const Flag = () =>
  applyDecorators(
    Transform(({ value }: { value: unknown }): unknown => {
      const word = String(value).toLowerCase();
      return ['true', 'on', '1'].includes(word) ? true : ['false', 'off', '0'].includes(word) ? false : value;
    }),
    IsBoolean({ message: '$property must be on or off' }),
  );
/** Comma-separated words; spaces around them and empty ones do not count. */
export const List = () =>
  Transform(({ value }) =>
    (Array.isArray(value) ? value : String(value).split(',')).map((word: string) => word.trim()).filter(Boolean),
  );
/** A list that must not be empty: an empty one would switch off too much by accident. */
export const FilledList = () =>
  applyDecorators(
    List(),
    ArrayNotEmpty({ message: '$property names nothing: give words with commas between them, or leave it out' }),
  );

/** A kind of text; `message` says what `test` accepts. */
const TextKind = (name: string, test: (text: string) => boolean, message: string, each = false) =>
  ValidateBy(
    { name, validator: { validate: (value) => test(String(value)), defaultMessage: () => message } },
    { each },
  );

/** `off`, a small number, or addresses and networks in CIDR notation. */
export const IsTrustProxy = () =>
  TextKind(
    'isTrustProxy',
    (text) => /^(off|[1-9]|10)$/.test(text) || text.split(',').every((word) => isNetwork(word.trim())),
    'TRUST_PROXY must be off, a number from 1 to 10, or a list of addresses and networks such as 10.0.0.0/8',
  );

function isNetwork(text: string): boolean {
  const [address = '', prefix = '0', ...more] = text.split('/');
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return more.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= longest;
}

const HTTP = { require_tld: false, protocols: ['http', 'https'] };

export const IsHttpUrl = (each = false) =>
  IsUrl(
    { ...HTTP, require_protocol: true },
    { each, message: `$property must be ${each ? 'a list of http or https URLs' : 'an http or https URL'}` },
  );

export const HttpUrls = () => applyDecorators(List(), IsHttpUrl(true));

/** An IP address, or a name of a host (RFC 1123). What looks like an IPv4 address has to be one. */
export const IsHost = () =>
  TextKind(
    'isHost',
    (text) => isIP(text) !== 0 || isHostName(text),
    '$property must be an IP address, such as 127.0.0.1 or ::, or the name of a host',
  );

function isHostName(text: string): boolean {
  const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
  return text.length <= 253 && new RegExp(`^(?:${label}\\.)*${label}$`, 'i').test(text) && !/(?:^|\.)\d+$/.test(text);
}

/** A mail address, with or without `mailto:`, or an http or https URL, in printable ASCII. */
export const IsContact = () =>
  TextKind(
    'isContact',
    isContact,
    '$property must be an http or https URL or a mail address, in printable ASCII: it is sent in a header',
  );

function isContact(text: string): boolean {
  if (!/^[\x21-\x7e]+$/.test(text)) return false;
  return /^https?:/i.test(text) ? isURL(text, HTTP) : isEmail(text.replace(/^mailto:/i, ''), { require_tld: false });
}

/** An http or https URL of a host and perhaps a port, and nothing else. */
export const IsOrigin = () =>
  TextKind(
    'isOrigin',
    (text) => /^https?:\/\/[^/?#@\\\s]+\/?$/i.test(text) && URL.canParse(text) && new URL(text).hostname !== '',
    '$property must be http:// or https:// and a host, without a path: https://id.example.org',
  );

/** A URL of PostgreSQL of which every host can be read; libpq allows several, with commas between them. */
export const IsDatabaseUrl = (each = false) =>
  TextKind(
    'isDatabaseUrl',
    isDatabaseUrl,
    '$property cannot be read: expected postgres://user:password@host:5432/database, with special characters of ' +
      'the password as %40 and the like',
    each,
  );

function isDatabaseUrl(text: string): boolean {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)([^]*)$/.exec(text);
  if (!parts) return false;
  const [, before = '', hosts = '', after = ''] = parts;
  // Without a host it is this machine, or a socket; without anything, it was made of variables that are not set.
  if (hosts === '') return !['', '/'].includes(after);
  if (isCutPassword(after)) return false;
  return hosts.split(',').every((host) => URL.canParse(encodeURI(before) + host + after));
}

/**
 * Whether the text after the hosts shows that a raw `@`, `#`, `?` or `/` in a password ended the host too early: it has
 * a fragment, an `@` in the name of the database, or parameters that PostgreSQL does not have.
 */
function isCutPassword(after: string): boolean {
  const [, path = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#[^]*)?$/.exec(after)!;
  const parameters = query.slice(1).split('&');
  const isOfNames = query === '' || parameters.every((one) => /^(?:[a-z_]+=[^@]*|(?:user|password)=.*)?$/i.test(one));
  return fragment !== '' || path.includes('@') || !isOfNames;
}

/** A token that travels in the header `Authorization`: printable ASCII without spaces, and without quotes around it. */
export const IsToken = () =>
  applyDecorators(
    Matches(/^[\x21-\x7e]+$/, { message: '$property must be printable ASCII without spaces' }),
    Matches(/^(?!(["'`])[^]*\1$)/, { message: '$property must stand without quotes: they would be sent with it' }),
  );

/** The private key of a log, a witness or an observer. */
export const IsSeed = () =>
  Matches(/^[0-9a-f]{64}$/i, { message: '$property must be 64 hex digits (an Ed25519 seed of 32 bytes)' });

/** The name of a log or a witness, as it stands in signed notes (C2SP signed-note). */
export const IsLogName = () =>
  applyDecorators(
    Matches(/^(?!.*:\/\/)(?!.*\/$)/, {
      message: '$property must have no scheme such as https:// and no slash at the end',
    }),
    Matches(/^[^\s+\p{C}]{1,200}$/u, { message: '$property must be up to 200 characters without spaces and +' }),
  );

const secrets = new Set<string>();

/**
 * A setting that opens something. It may also be given as a file: `ADMIN_TOKEN_FILE=/run/secrets/admin-token` holds the
 * value of `ADMIN_TOKEN`, as Docker and Kubernetes mount secrets.
 */
export const Secret = (): PropertyDecorator => (_target, name) => void secrets.add(String(name));

/** The names of all settings that are marked as a secret. */
export const secretSettings = (): string[] => [...secrets].sort();
