import { createClient, fromPrivateKey } from '@signet/sdk';
import { DataSource } from 'typeorm';
import { badgeSvg, THEMES } from '../../src/badge/badge-svg.js';
import { type GistWorld, startGistWorld } from '../rechecks/bound-gist.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import { sealPath } from '@signet/verify/seal';

const GIST = '0123456789abcdef0123456789abcdef';
const DAY = /\d{4}-\d\d-\d\d/;

describe('the badge of a binding', () => {
  let world: GistWorld;
  const alice = anAvatar();
  const wallet = aWallet();
  beforeAll(async () => {
    world = await startGistWorld();
    await world.bind(alice, GIST, 'alice');
    await linkWallet(world.app, alice, wallet);
  });
  afterAll(() => world.close());

  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${world.app.baseUrl}${path}`, { headers });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const age = (seconds: number, isValid: boolean) =>
    world.app.app
      .get(DataSource)
      .query(
        `update proof set last_checked_at = now() - make_interval(secs => $1), is_valid = $2, invalid_reason = case when $2 then '' else 'gist not found' end where identity = 'alice'`,
        [seconds, isValid],
      );

  it('shows a valid one with its name, its day and the seal of its key', async () => {
    await age(0, true);
    const { status, headers, text } = await ask('/badge/github/Alice.svg');

    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(text).toMatch(/^<svg [^>]*role="img" aria-label="Signet: alice on github, valid \d{4}-\d\d-\d\d"/);
    expect(text).toContain(`d="${sealPath(alice.key.compressed, 'emblem')}"`);
  });

  it('is there for a long identity, too', async () => {
    const domain = `${'a'.repeat(60)}.`.repeat(3) + 'example.org';

    const { status, text } = await ask(`/badge/dns/${domain}.svg`);

    expect(status).toBe(200);
    expect(text).toContain(`${domain} on dns`);
  });

  it('may be kept for five minutes and shown by any site, and is asked for again by its tag', async () => {
    const { headers } = await ask('/badge/github/alice.svg');

    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'public, max-age=300',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
    expect((await ask('/badge/github/alice.svg', { 'If-None-Match': headers.get('etag')! })).status).toBe(304);
  });

  it('says of one that was not rechecked for three intervals when it was', async () => {
    await age(3 * 3 * 24 * 3600 + 60, true);

    expect((await ask('/badge/github/alice.svg')).text).toContain('alice on github, not checked since 20');
  });

  it('says of one that is no longer there that it is gone', async () => {
    await age(0, false);

    expect((await ask('/badge/github/alice.svg')).text).toContain('alice on github, gone, seen 20');
  });

  it('says of one that is not there that it is not bound, and draws no seal', async () => {
    const { status, text } = await ask('/badge/github/nobody.svg');

    expect(status).toBe(200);
    expect(text).toMatch(new RegExp(`nobody on github, not bound, ${DAY.source}"`));
    expect(text).not.toContain('evenodd');
  });

  it('shows the binding of the Avatar that was asked for alone', async () => {
    const other = anAvatar('mallory');

    expect((await ask(`/badge/ethereum/${wallet.address}.svg?avatar=${alice.key.uncompressed}`)).text).toContain(
      ', valid ',
    );
    expect((await ask(`/badge/ethereum/${wallet.address}.svg?avatar=${other.key.compressed}`)).text).toContain(
      ', not bound,',
    );
  });

  it.each([
    ['/badge/nowhere/alice.svg', 'unknown_platform'],
    ['/badge/github/-.svg', 'invalid_identity'],
    ['/badge/github/alice', 'invalid_request'],
    ['/badge/github/.svg', 'invalid_identity'],
    ['/badge/github/alice.svg?theme=red', 'invalid_request'],
    ['/badge/github/alice.svg?avatar=0x02', 'invalid_public_key'],
  ])('is refused for %s', async (path, code) => {
    const { status, headers, text } = await ask(path);

    expect({ status, code: (JSON.parse(text) as { code: string }).code }).toEqual({ status: 400, code });
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('is well-formed XML for a name with a character that XML does not allow', async () => {
    const { status, text } = await ask('/badge/dotbit/a%EF%BF%BE.bit.svg');

    expect(status).toBe(200);
    expect(text).toContain('a⟨U+FFFE⟩.bit on dotbit');
    expect(text).not.toContain('\ufffe');
  });

  it('shows the name that the key gives itself in quotes, cut where it is long, and none that looks like a check', async () => {
    await age(0, true);
    const signer = fromPrivateKey(alice.privateKey);
    const client = createClient({ baseUrl: world.app.baseUrl });
    const named = async (name: string | null) => {
      const patch = { profile: { name } };
      await client.kv.patch({ platform: 'self', identity: signer.avatar, signer, patch });
      return (await ask('/badge/github/alice.svg')).text;
    };

    expect(await named('Alice <Seal>')).toMatch(/aria-label="Signet: alice on github, “Alice &lt;Seal&gt;”, valid \d/);
    expect(await named('x'.repeat(64))).toContain(`>“${'x'.repeat(23)}…”</text>`);
    for (const name of ['✓ Alice', null]) {
      expect(await named(name)).toMatch(/aria-label="Signet: alice on github, valid \d/);
    }
    await named('Alice');
    expect((await ask('/badge/github/nobody.svg')).text).not.toContain('“');
    await world.sql(
      `insert into incomplete_entry (avatar, identity_key)
       select avatar, encode(sha256(convert_to(concat_ws(chr(10), 'signet-map/1 identity', platform, identity), 'UTF8')), 'hex')
       from kv_entry`,
    );
    expect((await ask('/badge/github/alice.svg')).text).not.toContain('“');
  });
});

describe('the picture of a badge', () => {
  const facts = {
    platform: 'dns',
    identity: 'a.example',
    avatar: null,
    name: null,
    hold: null,
    state: 'valid' as const,
    date: new Date(0),
  };
  const drawn = (identity: string) => badgeSvg({ ...facts, identity }, THEMES.dark);

  it('holds a name as text, whatever it is', () => {
    const svg = drawn(`<script>"&'</script>`);

    expect(svg).toContain('&lt;script&gt;&quot;&amp;&#39;&lt;/script&gt;');
    expect(svg).not.toContain('<script');
  });

  it('holds no character that XML does not allow (XML 1.0, 2.2), and marks where one was', () => {
    const svg = drawn('a\ufffeb\uffffc\u0000d\u001be\ud800f😀\u{1f4a9}');

    expect(svg).toMatch(/^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u);
    expect(svg).toContain('<title>Signet: a⟨U+FFFE⟩b⟨U+FFFF⟩c⟨U+0000⟩d⟨U+001B⟩e⟨U+D800⟩f😀\u{1f4a9} on dns');
  });

  it('has no script, no style sheet and no address of another place', () => {
    expect(drawn('alice')).not.toMatch(/<script|<style|style=|href|url\(|\son\w+=/);
    expect(drawn('alice').match(/https?:[^"]*/g)).toEqual(['http://www.w3.org/2000/svg']);
  });

  it('leaves out the middle of a long name, and never half of a character', () => {
    expect(drawn(`${'a'.repeat(60)}.example`)).toContain(`>${'a'.repeat(27)}…aaaa.example<`);
    expect(drawn('😀'.repeat(60))).toContain(`>${'😀'.repeat(27)}…${'😀'.repeat(12)}<`);
    expect(drawn(`${'a'.repeat(60)}.example`)).toContain(`aria-label="Signet: ${'a'.repeat(60)}.example on dns`);
  });

  it('gives wide characters the width that they need', () => {
    const widthOf = (svg: string) => Number(/ width="(\d+)"/.exec(svg)![1]);

    expect(widthOf(drawn('漢字漢字漢字'))).toBeGreaterThan(widthOf(drawn('iiiiii')) + 40);
  });

  it.each(['valid', 'unchecked', 'gone', 'not_found'] as const)(
    'says %s in words and by a sign of its own',
    (state) => {
      const signs = (['valid', 'unchecked', 'gone', 'not_found'] as const).map(
        (one) => /d="([^"]*)" fill="none"/.exec(badgeSvg({ ...facts, state: one }, THEMES.light))![1],
      );

      expect(new Set(signs).size).toBe(4);
      expect(badgeSvg({ ...facts, state }, THEMES.light)).toContain(' 1970-01-01"');
    },
  );
});
