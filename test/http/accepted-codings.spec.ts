import { acceptedCodings } from '../../src/http/accepted-codings.js';

it.each([
  [undefined, []],
  ['', []],
  ['identity', []],
  ['gzip', ['gzip']],
  ['br, GZIP;q=0.5', ['br', 'gzip']],
  ['x-gzip', ['gzip']],
  ['*', ['br', 'gzip']],
  ['gzip;q=0', []],
  ['gzip; q=0.0, *', ['br']],
  ['*;q=0', []],
  ['br;q=0,*;q=0.1', ['gzip']],
  ['gzipped', []],
])('reads Accept-Encoding: %s', (header, accepted) => {
  expect(acceptedCodings(header, ['br', 'gzip'])).toEqual(accepted);
});
