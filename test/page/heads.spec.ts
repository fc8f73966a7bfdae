import { DataSource } from 'typeorm';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { sendRaw } from '../support/raw-http.js';
import { linkWallet } from '../support/scenario.js';

describe('the head of the page of a binding or an Avatar', () => {
  let running: RunningApp;
  const alice = anAvatar();
  const wallet = aWallet();
  beforeAll(async () => {
    running = await startApp();
    await linkWallet(running, alice, wallet);
  });
  afterAll(() => running.close());

  const open = async (path: string) =>
    (await fetch(`${running.baseUrl}${path}`, { headers: { Accept: 'text/html' } })).text();
  const content = (html: string, name: string) =>
    new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1];
  const title = (html: string) => /<title>([^<]*)<\/title>/.exec(html)?.[1];

  it('names a binding, its key and the day of its last check, with its badge as picture', async () => {
    const html = await open(`/p/ethereum/${wallet.address.toUpperCase().replace('0X', '0x')}?from=somewhere`);
    const key = alice.key.compressed;

    expect(title(html)).toBe(`${wallet.address} on ethereum · Signet`);
    expect(content(html, 'og:title')).toBe(title(html));
    expect(content(html, 'description')).toMatch(
      new RegExp(
        `^${wallet.address} on ethereum is bound to the key ${key.slice(0, 8)}…${key.slice(-4)}; last checked 20\\d\\d-`,
      ),
    );
    expect(content(html, 'og:description')).toBe(content(html, 'description'));
    expect(content(html, 'og:image')).toBe(`${running.baseUrl}/badge/ethereum/${wallet.address}.svg`);
    expect(html).toContain(`<link rel="canonical" href="${running.baseUrl}/p/ethereum/${wallet.address}" />`);
    expect(html.match(/<title>/g)).toHaveLength(1);
    expect(html.match(/name="description"/g)).toHaveLength(1);
  });

  it('names what is bound to a key, in any spelling of it', async () => {
    const html = await open(`/a/${alice.key.uncompressed}`);

    expect(content(html, 'og:description')).toBe(`Bound to this key: ${wallet.address} (ethereum).`);
    expect(content(html, 'og:url')).toBe(`${running.baseUrl}/a/${alice.key.compressed}`);
  });

  it('says where nothing is bound, and asks not to be listed', async () => {
    for (const path of ['/p/github/nobody', `/a/${anAvatar('mallory').key.compressed}`]) {
      const html = await open(path);

      expect(content(html, 'description')).toMatch(
        /^(Nobody has bound nobody on github|This key has bound nothing) here\.$/,
      );
      expect(content(html, 'robots')).toBe('noindex');
    }
  });

  it.each(['/p/nowhere/alice', '/p/github/-', '/p/github', '/a/0x02', '/p/dns/%00'])(
    'is that of every page where nothing can be said: %s',
    async (path) => {
      const html = await open(path);

      expect(title(html)).toBe('Signet');
      expect(content(html, 'og:title')).toBeUndefined();
    },
  );

  it('holds names as text, whatever they are', async () => {
    const html = await open(`/p/dotbit/${encodeURIComponent('a"><script>alert(1)</script>.bit')}`);

    expect(html).not.toContain('<script>alert');
    expect(html).not.toMatch(/content="[^"]*"><script/);
  });

  it('repeats no host that is not one', async () => {
    const { text: body } = await sendRaw(
      running.baseUrl,
      `GET /a/${alice.key.compressed} HTTP/1.1\r\nHost: a"><b>.example\r\nConnection: close\r\n\r\n`,
    );

    expect(body).not.toContain('<b>');
    expect(body).toContain('Bound to this key');
    expect(body).not.toContain('canonical');
  });

  it('is plain while the database cannot be asked', async () => {
    const dataSource = running.app.get(DataSource);
    await dataSource.query('alter table proof rename to proof_elsewhere');
    try {
      expect(title(await open(`/a/${alice.key.compressed}`))).toBe('Signet');
    } finally {
      await dataSource.query('alter table proof_elsewhere rename to proof');
    }
  });
});
