import { Transform } from 'class-transformer';
import { ArrayNotEmpty, isEmail, isURL, IsUrl, Matches, ValidateBy } from 'class-validator';
import { isIP } from 'node:net';

/* The kinds of settings that the libraries do not know: how text becomes a value, and what is refused. */

/** Numbers arrive as text; anything that is not a plain decimal stays text and is then refused by `IsInt`. */
export const Int = () =>
  Transform(({ value }: { value: unknown }): unknown => (/^-?\d+$/.test(String(value)) ? Number(value) : value));
/** `true`/`false`, `on`/`off`, `1`/`0`; another word stays text and is refused by `IsBoolean`. */
export const Flag = () =>
  Transform(({ value }: { value: unknown }): unknown => {
    const word = String(value).toLowerCase();
    return ['true', 'on', '1'].includes(word) ? true : ['false', 'off', '0'].includes(word) ? false : value;
  });
/** Comma-separated words; spaces around them and empty ones do not count. */
export const List = () =>
  Transform(({ value }) =>
    (Array.isArray(value) ? value : String(value).split(',')).map((word: string) => word.trim()).filter(Boolean),
  );
/** A list that must not be empty: an empty one would switch off too much by accident. */
export const FilledList = (): PropertyDecorator => (target, name) => {
  List()(target, String(name));
  ArrayNotEmpty({ message: '$property names nothing: give words with commas between them, or leave it out' })(
    target,
    name,
  );
};

/** `off`, a small number, or addresses and networks in CIDR notation. */
export const IsTrustProxy = () =>
  ValidateBy({
    name: 'isTrustProxy',
    validator: {
      validate: (value) =>
        /^(off|[1-9]|10)$/.test(String(value)) ||
        String(value)
          .split(',')
          .every((word) => isNetwork(word.trim())),
      defaultMessage: () =>
        'TRUST_PROXY must be off, a number from 1 to 10, or a list of addresses and networks such as 10.0.0.0/8',
    },
  });

function isNetwork(text: string): boolean {
  const [address = '', prefix = '0', ...more] = text.split('/');
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return more.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= longest;
}

export const IsHttpUrl = (each = false) =>
  IsUrl(
    { require_tld: false, protocols: ['http', 'https'], require_protocol: true },
    { each, message: `$property must be ${each ? 'a list of http or https URLs' : 'an http or https URL'}` },
  );

/** An IP address, or a name of a host (RFC 1123). What looks like an IPv4 address has to be one. */
export const IsHost = () =>
  ValidateBy({
    name: 'isHost',
    validator: {
      validate: (value) => isIP(String(value)) !== 0 || isHostName(String(value)),
      defaultMessage: () => '$property must be an IP address, such as 127.0.0.1 or ::, or the name of a host',
    },
  });

function isHostName(text: string): boolean {
  const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
  return text.length <= 253 && new RegExp(`^(?:${label}\\.)*${label}$`, 'i').test(text) && !/(?:^|\.)\d+$/.test(text);
}

/** A mail address, with or without `mailto:`, or an http or https URL, in printable ASCII. */
export const IsContact = () =>
  ValidateBy({
    name: 'isContact',
    validator: {
      validate: (value) => isContact(String(value)),
      defaultMessage: () =>
        '$property must be an http or https URL or a mail address, in printable ASCII: it is sent in a header',
    },
  });

function isContact(text: string): boolean {
  if (!/^[\x21-\x7e]+$/.test(text)) return false;
  if (/^https?:/i.test(text)) return isURL(text, { require_tld: false, protocols: ['http', 'https'] });
  return isEmail(text.replace(/^mailto:/i, ''), { require_tld: false });
}

/** An http or https URL of a host and perhaps a port, and nothing else. */
export const IsOrigin = () =>
  ValidateBy({
    name: 'isOrigin',
    validator: {
      validate: (value) => isOrigin(String(value)),
      defaultMessage: () => '$property must be http:// or https:// and a host, without a path: https://id.example.org',
    },
  });

function isOrigin(text: string): boolean {
  if (!/^https?:\/\/[^/?#@\\\s]+\/?$/i.test(text) || !URL.canParse(text)) return false;
  return new URL(text).hostname !== '';
}

/** A URL of PostgreSQL of which every host can be read; libpq allows several, with commas between them. */
export const IsDatabaseUrl = (each = false) =>
  ValidateBy(
    {
      name: 'isDatabaseUrl',
      validator: {
        validate: (value) => isDatabaseUrl(String(value)),
        defaultMessage: () =>
          '$property cannot be read: expected postgres://user:password@host:5432/database, with special characters of ' +
          'the password as %40 and the like',
      },
    },
    { each },
  );

function isDatabaseUrl(text: string): boolean {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)([^]*)$/.exec(text);
  // What does not begin like this is refused for that alone.
  if (!parts) return true;
  const [, before = '', hosts = '', after = ''] = parts;
  // Without a host it is this machine, or a socket; without anything, it was made of variables that are not set.
  if (hosts === '') return !['', '/'].includes(after);
  return hosts.split(',').every((host) => URL.canParse(encodeURI(before) + host + after));
}

/** A token that travels in the header `Authorization`: printable ASCII without spaces. */
export const IsToken = () => Matches(/^[\x21-\x7e]+$/, { message: '$property must be printable ASCII without spaces' });

const secrets = new Set<string>();

/**
 * A setting that opens something. It may also be given as a file: `ADMIN_TOKEN_FILE=/run/secrets/admin-token` holds the
 * value of `ADMIN_TOKEN`, as Docker and Kubernetes mount secrets.
 */
export const Secret = (): PropertyDecorator => (_target, name) => void secrets.add(String(name));

/** The names of all settings that are marked as a secret. */
export const secretSettings = (): string[] => [...secrets].sort();
