import { crc32, inflateSync } from 'node:zlib';
import { sealCorners } from '@signet/verify/seal';
import { DataSource } from 'typeorm';
import { isInked } from '../../packages/verify/src/seal/seal-outlines.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { sendRaw } from '../support/raw-http.js';
import { writeKv } from '../kv/kv-scenario.js';
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

  it('names a binding, its key and the day of its last check, with the seal of its key as picture', async () => {
    const html = await open(`/p/ethereum/${wallet.address.toUpperCase().replace('0X', '0x')}?from=somewhere`);
    const key = alice.key.compressed;

    expect(title(html)).toBe(`${wallet.address} on ethereum · Signet`);
    expect(content(html, 'og:title')).toBe(title(html));
    expect(content(html, 'description')).toMatch(
      new RegExp(
        `^${wallet.address} on ethereum is connected to the key ${key.slice(0, 8)}…${key.slice(-4)}; last checked 20\\d\\d-`,
      ),
    );
    expect(content(html, 'og:description')).toBe(content(html, 'description'));
    expect(content(html, 'og:image')).toBe(`${running.baseUrl}/seal/${key}.png`);
    expect(content(html, 'twitter:card')).toBe('summary_large_image');
    expect(html).toContain(`<link rel="canonical" href="${running.baseUrl}/p/ethereum/${wallet.address}" />`);
    expect(html.match(/<title>/g)).toHaveLength(1);
    expect(html.match(/name="description"/g)).toHaveLength(1);
  });

  it('names what is bound to a key, in any spelling of it', async () => {
    const html = await open(`/a/${alice.key.uncompressed}`);

    expect(content(html, 'og:description')).toBe(`Connected to this key: ${wallet.address} (ethereum).`);
    expect(content(html, 'og:url')).toBe(`${running.baseUrl}/a/${alice.key.compressed}`);
  });

  it('names the answers that the page begins with', async () => {
    const key = alice.key.compressed;
    const answersOf = async (path: string) =>
      [...(await open(path)).matchAll(/rel="preload" as="fetch" [^>]*href="([^"?]+)[^"]*"/g)].map(([, name]) => name);
    const withoutContent = await answersOf(`/a/${key}`);
    await writeKv(running, alice, { name: 'Alice' });

    expect(withoutContent).toEqual([
      '/v1/platforms',
      '/v1/hidden',
      '/v1/proof',
      '/v1/proofchain',
      '/v1/keys/chain',
      '/v1/kv/chain',
    ]);
    expect(await answersOf(`/a/${key}`)).toEqual([...withoutContent, '/v1/kv']);
    expect(await answersOf(`/p/ethereum/${wallet.address}`)).toEqual(withoutContent.slice(0, 5));
  });

  it('says where nothing is bound, and asks not to be listed', async () => {
    for (const path of ['/p/github/nobody', `/a/${anAvatar('mallory').key.compressed}`]) {
      const html = await open(path);

      expect(content(html, 'description')).toMatch(
        /^(Nobody has connected nobody on github|This key has connected nothing) here\.$/,
      );
      expect(content(html, 'robots')).toBe('noindex');
      expect(content(html, 'og:image')).toBeUndefined();
    }
  });

  it('has the seal of the key as a picture that social networks show', async () => {
    const response = await fetch(content(await open(`/a/${alice.key.compressed}`), 'og:image')!);
    const bytes = Buffer.from(await response.arrayBuffer());
    const { width, height, pixels, palette } = decodePng(bytes);

    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect([width, height]).toEqual([1200, 630]);
    expect(bytes.length).toBeLessThan(60_000);
    expect([palette[0], palette[15]]).toEqual(['fbfaf8', '1f4b8f']);
    // Outlines computed another way: the rule of the block characters, applied to the middle of each pixel.
    const corners = sealCorners(alice.key.compressed, 'full', 16);
    let differing = 0;
    for (let y = 2; y < 500; y += 10) {
      for (let x = 2; x < 500; x += 10) {
        const isInk = isInked(corners, ((x + 0.5) / 500) * 100 - 50, ((y + 0.5) / 500) * 100 - 50);
        const shade = pixels(350 + x, 65 + y);
        // Pixels at an edge are between.
        if (shade !== (isInk ? 15 : 0)) differing++;
      }
    }
    expect(differing).toBeLessThan(2500 * 0.12);
    expect(pixels(10, 10)).toBe(0);
  });

  it('has the same one for a key in its longest form', async () => {
    const [long, short] = await Promise.all(
      [alice.key.uncompressed, alice.key.compressed].map((key) => fetch(`${running.baseUrl}/seal/${key}.png`)),
    );

    expect(long!.status).toBe(200);
    expect(Buffer.from(await long!.arrayBuffer())).toEqual(Buffer.from(await short!.arrayBuffer()));
  });

  it.each(['/seal/0x02.png', '/seal/alice.png', `/seal/${alice.key.compressed}.svg`])(
    'has no picture of what is no key: %s',
    async (path) => {
      const { status, body } = await running.get(path);

      expect([status, body.code]).toEqual([404, 'not_found']);
    },
  );

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

  it.each(["a'b.example", '[a.example]', 'a.example:1234567'])(
    'repeats no host that no address of a page has: %s',
    async (host) => {
      const { text: body } = await sendRaw(
        running.baseUrl,
        `GET /a/${alice.key.compressed} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      );

      expect(body).not.toContain(host);
      expect(body).toContain('Connected to this key');
      expect(body).not.toContain('rel="canonical"');
    },
  );

  it('lets no cache keep the host that a request named', async () => {
    const answer = await fetch(`${running.baseUrl}/a/${alice.key.compressed}`, { headers: { accept: 'text/html' } });

    expect(await answer.text()).toContain(`<link rel="canonical" href="${running.baseUrl}/`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  describe('behind a proxy', () => {
    /** Addresses of this server in the document that a request with these fields gets. */
    const addresses = async (env: Record<string, string>, fields: string[]) => {
      const other = await startApp({ env: { TRUST_PROXY: '1', ...env } });
      try {
        const path = `/a/${anAvatar().key.compressed}`;
        await linkWallet(other, anAvatar(), aWallet());
        const lines = [`GET ${path} HTTP/1.1`, 'Host: good.example', ...fields, 'Connection: close', '', ''];
        const { text } = await sendRaw(other.baseUrl, lines.join('\r\n'));
        return [content(text, 'og:url'), content(text, 'og:image'), /canonical" href="([^"]*)"/.exec(text)?.[1]].map(
          (address) => address!.replace(/\/(a|seal)\/.*/, ''),
        );
      } finally {
        await other.close();
      }
    };
    const thrice = (origin: string) => [origin, origin, origin];

    it.each([
      ['https where the proxy says so', ['X-Forwarded-Proto: https'], 'https://good.example'],
      ['http for a scheme that is none of the web', ['X-Forwarded-Proto: javascript'], 'http://good.example'],
      ['the host of the request, and no forwarded one', ['X-Forwarded-Host: evil.example'], 'http://good.example'],
    ])('names %s', async (_what, fields, origin) => {
      expect(await addresses({}, fields)).toEqual(thrice(origin));
    });

    it('names the address of the setting PUBLIC_URL, whatever a request says', async () => {
      const fields = ['X-Forwarded-Proto: javascript', 'X-Forwarded-Host: evil.example'];

      expect(await addresses({ PUBLIC_URL: 'https://id.example.org/' }, fields)).toEqual(
        thrice('https://id.example.org'),
      );
    });
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

/** Reads what `encodePng` writes, by the specification: 4 bits a pixel, a palette, no filters. */
function decodePng(bytes: Buffer): {
  width: number;
  height: number;
  palette: string[];
  pixels: (x: number, y: number) => number;
} {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length;) {
    const [length, name] = [bytes.readUInt32BE(at), bytes.toString('latin1', at + 4, at + 8)];
    chunks.set(name, bytes.subarray(at + 8, at + 8 + length));
    expect(bytes.readUInt32BE(at + 8 + length)).toBe(crc32(bytes.subarray(at + 4, at + 8 + length)));
    at += 12 + length;
  }
  const header = chunks.get('IHDR')!;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  expect([...header.subarray(8)]).toEqual([4, 3, 0, 0, 0]);
  const rows = inflateSync(chunks.get('IDAT')!);
  const palette = chunks.get('PLTE')!.toString('hex').match(/.{6}/g)!;
  const pixels = (x: number, y: number) => {
    const byte = rows[y * (width / 2 + 1) + 1 + (x >> 1)]!;
    return x % 2 === 0 ? byte >> 4 : byte & 15;
  };
  return { width, height, palette, pixels };
}
