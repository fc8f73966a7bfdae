import { guardOperatorUrl, guardUserUrl } from '../src/web/url-guard.js';
import { WebFailure } from '../src/web/web-failure.js';

it.each([
  'https://mastodon.social/@alice',
  'https://social.fedi-one.org/api/v1/statuses/1?x=http://127.0.0.1/#@localhost',
  'https://social.fedi-one.org:443/',
  'https://xn--bcher-kva.ch/',
  'https://a-b.c-d.co.uk/',
  'https://1.fedi.org/',
])('lets a user choose %s', (url) => {
  expect(guardUserUrl(url).href).toMatch(/^https:\/\/[^:]+\//);
});

it.each([
  `https://${'a'.repeat(64)}.org/`,
  `https://${'a.'.repeat(126)}org/`,
  'https://-a.org/',
  'https://a-.org/',
  'https://a_b.org/',
  'https://a..org/',
  'https://.org/',
])('refuses %s, which no host can be called', (url) => {
  expect(() => guardUserUrl(url)).toThrow(WebFailure);
});

it.each([
  'alt',
  'arpa',
  'home.arpa',
  'corp',
  'example',
  'home',
  'internal',
  'invalid',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'onion',
  'test',
])('refuses the special names under .%s', (name) => {
  expect(() => guardUserUrl(`https://fedi.${name}/`)).toThrow(WebFailure);
});

it.each(['http://127.0.0.1:8080/x', 'https://10.0.0.1/', 'http://gateway:3000/', 'https://api.github.com/gists/1'])(
  'lets the operator choose %s',
  (url) => {
    expect(guardOperatorUrl(url).href).toBe(url);
  },
);

it.each(['file:///etc/passwd', 'data:text/plain,x', 'ftp://ftp.fedi.org/', 'nothing', ''])(
  'refuses %p even from the operator',
  (url) => {
    expect(() => guardOperatorUrl(url)).toThrow(WebFailure);
  },
);
