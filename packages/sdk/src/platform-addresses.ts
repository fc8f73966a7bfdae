/**
 * Addresses and names from the templates that `GET /v1/platforms` answers. The answer of a server is not trusted: only
 * addresses of http and https come out, and no value can lead to another host than the template names.
 */

/** What a template may name in braces. */
export interface AddressValues {
  /** Canonical identity. `{user}` and `{host}` are what stands before and behind its last `@`. */
  identity?: string | undefined;
  /** Canonical `proof_location`. */
  location?: string | undefined;
  /** The text that is published. */
  text?: string | undefined;
  /** Compressed key. */
  avatar?: string | undefined;
}

const VARIABLE = /\{([a-z]*)\}/g;
/** The whole authority is a fixed host, with or without a port, or `{host}` alone. */
const TEMPLATE = /^https?:\/\/(?:\{host\}|[a-z0-9.-]+(?::\d+)?)(?:[/?#]|$)/i;
const HOST = /^[a-z0-9-]+(\.[a-z0-9-]+)*$/i;

/**
 * Fills a template such as `https://github.com/{identity}` with percent-encoded values.
 * @returns an address of http or https; null without a template, for a template that is no such address or names a
 *   value that is missing, and for values that would change the host or the path
 */
export function fillAddress(template: string | undefined, values: AddressValues): string | null {
  if (typeof template !== 'string' || !TEMPLATE.test(template)) return null;
  const address = fill(template, values, encode);
  return address !== null && URL.canParse(address) ? new URL(address).href : null;
}

/** Fills the template of a file name, such as `{avatar}.json`; null without one, or where a value is missing. */
export function fillFileName(template: string | undefined, values: AddressValues): string | null {
  return typeof template === 'string' ? fill(template, values, (_name, value) => value) : null;
}

/**
 * The identity in the address of a profile, by its template: `alice` in `www.github.com/alice/` for
 * `https://github.com/{identity}`. Null if the address is not of this form, and for templates with other variables.
 */
export function identityInAddress(template: string, address: string): string | null {
  const [start, end, ...more] = withoutScheme(template).split('{identity}');
  if (!TEMPLATE.test(template) || end === undefined || more.length > 0 || /[{}]/.test(start! + end)) return null;
  // What follows a name: a path of nothing, a query and a fragment; in a query, other members and a fragment.
  const rest = start!.includes('?') ? /[&#].*$/ : /\/?(?:[?#].*)?$/;
  const written = withoutScheme(address.trim()).replace(rest, '');
  const suffix = end.replace(/\/$/, '');
  const isOfForm = written.toLowerCase().startsWith(start!.toLowerCase()) && written.endsWith(suffix);
  if (!isOfForm || written.length < start!.length + suffix.length) return null;
  const name = written.slice(start!.length, written.length - suffix.length).replace(/^@/, '');
  return /^[^/\s]+$/.test(name) ? converted(decodeURIComponent, name) : null;
}

function fill(
  template: string,
  { identity, ...others }: AddressValues,
  write: (name: string, value: string) => string | null,
): string | null {
  const at = identity?.lastIndexOf('@') ?? -1;
  const [user, host] = at < 0 ? [] : [identity!.slice(0, at), identity!.slice(at + 1)];
  const values: Record<string, string | undefined> = { ...others, identity, user, host };
  let isFilled = true;
  const filled = template.replace(VARIABLE, (_whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const written = value === undefined || value === '' ? null : write(name, value);
    isFilled &&= written !== null;
    return written ?? '';
  });
  return isFilled ? filled : null;
}

/** `.` and `..` would be taken for steps of the path. */
function encode(name: string, value: string): string | null {
  if (name === 'host') return HOST.test(value) ? value : null;
  return value === '.' || value === '..' ? null : converted(encodeURIComponent, value);
}

function withoutScheme(address: string): string {
  return address.replace(/^https?:\/\//i, '').replace(/^www\./i, '');
}

/** Null for what cannot be converted: half of a character, or `%` without two digits behind it. */
function converted(convert: (text: string) => string, text: string): string | null {
  try {
    return convert(text);
  } catch {
    return null;
  }
}
