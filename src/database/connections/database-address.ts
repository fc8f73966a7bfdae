/** A server that may be the primary. */
export interface DatabaseHost {
  /** For people: `host:port`. */
  name: string;
  /** A URL for `pg` that names this host alone; holds the password. */
  url: string;
}

/** What a database URL says, in the form of libpq (PostgreSQL manual, "Connection URIs"). */
export interface DatabaseAddress {
  /** In the order of the URL; one, unless it names several: `postgres://user@a:5432,b:5432/database`. */
  hosts: [DatabaseHost, ...DatabaseHost[]];
  /**
   * Which servers will do (`target_session_attrs`): any one, only a primary, or only one whose sessions may write. Only
   * a primary by default, because a standby would show old data; where there are several hosts, one that may write.
   */
  accepts: 'any' | 'primary' | 'read-write';
}

const URL_PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)([^]*)$/;
const ACCEPTED = ['any', 'primary', 'read-write'] as const;

/** @throws Error that says what is wrong with the URL, without its password. */
export function parseDatabaseUrl(url: string): DatabaseAddress {
  const [, before = '', authority = '', after = ''] = URL_PARTS.exec(url) ?? [];
  const names = authority.split(',');
  if (names.length === 1) return { hosts: [{ name: authority, url }], accepts: acceptedBy(after) ?? 'primary' };
  if (names.includes('')) throw new Error('The database URL names an empty host: write host:port,host:port.');
  const hosts = names.map((name) => ({ name, url: before + name + after }));
  return { hosts: hosts as [DatabaseHost, ...DatabaseHost[]], accepts: acceptedBy(after) ?? 'read-write' };
}

function acceptedBy(pathAndQuery: string): DatabaseAddress['accepts'] | undefined {
  const wanted = new URLSearchParams(pathAndQuery.split('?')[1]).get('target_session_attrs');
  if (wanted === null) return undefined;
  const accepted = ACCEPTED.find((word) => word === wanted);
  if (!accepted) throw new Error(`target_session_attrs=${wanted} will not do: use ${ACCEPTED.join(', ')}.`);
  return accepted;
}
