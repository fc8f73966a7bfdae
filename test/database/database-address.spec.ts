import { parseDatabaseUrl } from '../../src/database/connections/database-address.js';

describe('a database URL', () => {
  it('of one host is handed on as it is, and takes a primary alone', () => {
    const url = 'postgres://me:p%40ss@somewhere:5433/signet?sslmode=require';

    expect(parseDatabaseUrl(url)).toEqual({ hosts: [{ name: 'somewhere:5433', url }], accepts: 'primary' });
  });

  it('may name several hosts, each with the rest of the URL, of which one has to take writes', () => {
    const { hosts, accepts } = parseDatabaseUrl('postgresql://me:p%2Css@a:5432,b,[::1]:5433/signet?sslmode=require');

    expect(hosts).toEqual([
      { name: 'a:5432', url: 'postgresql://me:p%2Css@a:5432/signet?sslmode=require' },
      { name: 'b', url: 'postgresql://me:p%2Css@b/signet?sslmode=require' },
      { name: '[::1]:5433', url: 'postgresql://me:p%2Css@[::1]:5433/signet?sslmode=require' },
    ]);
    expect(accepts).toBe('read-write');
  });

  it.each(['any', 'primary', 'read-write'])('may say which servers will do: %s', (word) => {
    expect(parseDatabaseUrl(`postgres://a,b/signet?target_session_attrs=${word}`).accepts).toBe(word);
  });

  it.each([
    ['an empty host', 'postgres://me:sesame@a,/signet', 'names an empty host'],
    ['servers that are no good to us', 'postgres://me:sesame@a/signet?target_session_attrs=standby', 'will not do'],
  ])('with %s is refused without its password', (_what, url, message) => {
    const parsing = () => parseDatabaseUrl(url);

    expect(parsing).toThrow(message);
    expect(parsing).not.toThrow('sesame');
  });
});
