import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { base64 } from '@scure/base';
import { createClient, fromPrivateKey } from '@signet/sdk';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { findBinding } from '../../web/src/embed/find-binding.js';
import { base64 as smallBase64 } from '../../web/src/embed/small-base.js';
import * as smallBytes from '../../web/src/embed/small-bytes.js';
import smallCanonicalize from '../../web/src/embed/small-canonicalize.js';
import { zippedSize } from '../../packages/verify/test/support/bundle.js';
import { type GistWorld, startGistWorld } from '../rechecks/bound-gist.js';
import { anAvatar, aSolanaWallet, aWallet } from '../support/avatar.js';
import { linkSolana, linkWallet } from '../support/scenario.js';
import { type StandIn, startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';
import { describePage, type Visit } from './browser.js';
import { counts } from './shown.js';

const FILE = fileURLToPath(new URL('../../dist/web/embed.js', import.meta.url));
/** The picture of the example of the page: a PNG of 64 pixels. */
const EXAMPLE = JSON.parse(readFileSync(new URL('../../web/public/example.json', import.meta.url), 'utf8')) as {
  patches: { patch: { profile: { picture: string } } }[];
};
const PNG = EXAMPLE.patches[0]!.patch.profile.picture;
const GIST = '0123456789abcdef0123456789abcdef';

/** A Base64 text with one letter changed, whatever that letter is. */
const withOtherLetter = (text: string) => `${text.slice(0, 20)}${text[20] === 'A' ? 'B' : 'A'}${text.slice(21)}`;

describe('<signet-proof>', () => {
  let world: GistWorld;
  const alice = anAvatar();
  const wallet = aWallet();
  const solana = aSolanaWallet();
  beforeAll(async () => {
    world = await startGistWorld();
    await world.bind(alice, GIST, 'alice');
    await linkWallet(world.app, alice, wallet);
    await linkSolana(world.app, alice, solana);
  });
  afterAll(() => world.close());

  // Version 0.2.0 had 20,068. A second file for profiles, loaded when it is needed, would be none that a site can allow
  // by its hash. Sentences in eight languages take the most of what there is besides the rules.
  it('is one file of at most 20,000 bytes after gzip, which imports nothing', () => {
    const code = readFileSync(FILE, 'utf8');

    expect(zippedSize(code)).toBeLessThanOrEqual(20_000);
    expect(code).not.toMatch(/\bimport\b(?!\.meta)/);
  });

  it('finds the binding of the key that a site expects, however many newer Avatars hold the name', async () => {
    const count = 25;
    await world.sql(
      `with link as (
         insert into chain_link (id, avatar, position_in_chain, action, platform, identity, created_at, uuid, signature, signature_payload)
         select 1000 + n, '0x02' || encode(sha256(n::text::bytea), 'hex'), 1, 'create', 'github', 'alice', now(), gen_random_uuid(), 's', 't'
         from generate_series(1, $1::int) as n returning id, avatar
       )
       insert into proof (avatar, platform, identity, identity_folded, link_id, created_at, last_checked_at, is_valid)
       select avatar, 'github', 'alice', 'alice', id, now(), now(), true from link`,
      [count],
    );
    try {
      const asked = { server: world.app.baseUrl, platform: 'github', identity: '@Alice' };
      const find = (avatar: string) => findBinding({ ...asked, avatar }, AbortSignal.timeout(300_000));

      const found = await Promise.all([find(alice.key.compressed), find(anAvatar('mallory').key.compressed)]);

      expect(found).toMatchObject([
        { avatar: alice.key.compressed, identity: 'alice', state: 'valid', here: 'checked_post' },
        { identity: '@Alice', state: 'not_bound' },
      ]);
    } finally {
      await world.sql(`delete from proof where link_id > 1000`);
    }
  });

  it('may be loaded by any site', async () => {
    const { headers } = await fetch(`${world.app.baseUrl}/embed.js`);

    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
    });
  });

  it('reads Base64 as strictly as the library in whose place it has its own', () => {
    const outcome = (read: (text: string) => Uint8Array, text: string) => {
      try {
        return [...read(text)];
      } catch {
        return 'refused';
      }
    };
    const nearBase64 = fc.string({ unit: fc.constantFrom(...'AQgwz09+/=- \n_') });
    fc.assert(
      fc.property(fc.oneof(nearBase64, fc.string(), fc.base64String()), (text) => {
        expect(outcome(smallBase64.decode, text)).toEqual(outcome((it) => base64.decode(it), text));
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(smallBase64.encode(bytes)).toBe(base64.encode(bytes));
      }),
    );
  });

  it('writes canonical JSON, hex and joined bytes as the libraries do that it leaves out', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(smallCanonicalize(value)).toBe(canonicalize(value));
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (one, other) => {
        const hex = bytesToHex(one);
        expect(smallBytes.bytesToHex(one)).toBe(hex);
        expect(smallBytes.hexToBytes(hex.toUpperCase())).toEqual(hexToBytes(hex));
        expect(smallBytes.concatBytes(one, other)).toEqual(concatBytes(one, other));
      }),
    );
  });

  it('hashes as the library does of whose helpers it leaves out the most', () => {
    const texts = Array.from({ length: 300 }, (_, length) =>
      bytesToHex(Uint8Array.from({ length }, (_byte, place) => place * 167 + length)),
    );
    const script = fileURLToPath(new URL('element-hashes.mjs', import.meta.url));
    const found = execFileSync(process.execPath, [script], { input: JSON.stringify(texts), encoding: 'utf8' });

    expect(JSON.parse(found)).toEqual(
      texts.map((text) => [sha256, keccak_256].map((hash) => bytesToHex(hash(hexToBytes(text))))),
    );
  });

  it.each([
    ['its chain in front', (address: string) => `eip155:1:${address}`],
    ['capitals', (address: string) => address.replace(/[a-f]/g, (letter) => letter.toUpperCase())],
    ['its chain behind', (address: string) => `ethereum:${address}@1`],
  ])('finds a wallet that is written with %s', async (_what, written) => {
    const asked = { server: world.app.baseUrl, platform: 'ethereum', avatar: alice.key.compressed };

    const found = await findBinding({ ...asked, identity: written(wallet.address) }, AbortSignal.timeout(300_000));

    expect(found).toMatchObject({ identity: wallet.address, state: 'valid', here: 'checked' });
  });

  it('stands alone in a document that any site may frame, and no other document may be framed', async () => {
    const headersOf = async (path: string) =>
      (await fetch(`${world.app.baseUrl}${path}`, { headers: { Accept: 'text/html' } })).headers;
    const frame = await headersOf('/embed/github/alice');

    expect(frame.get('content-security-policy')).toContain('frame-ancestors *');
    expect(frame.get('x-frame-options')).toBeNull();
    for (const path of ['/', '/p/github/alice', '/bind', '/docs']) {
      const headers = await headersOf(path);
      expect([path, headers.get('content-security-policy')]).toEqual([
        path,
        expect.stringContaining("frame-ancestors 'none'"),
      ]);
      expect([path, headers.get('x-frame-options')]).toEqual([path, 'DENY']);
    }
  });

  it.each(['a%00', 'a%1b', 'a%C2%85', 'a%E2%80%AE', 'a%E2%81%A6', 'a%EF%BF%BE'])(
    'shows no name that hides or turns what stands beside it: %s',
    async (name) => {
      for (const path of [`/embed/github/${name}`, `/embed/${name}/alice`, `/embed/github/alice?avatar=${name}`]) {
        const { status, body } = await world.app.get(path);

        expect([path, status, body.code]).toEqual([path, 400, 'invalid_request']);
      }
    },
  );

  describePage('in a page of another site', (visit) => {
    let site: StandIn;
    beforeAll(async () => {
      site = await startStandIn(() => ({ status: 204 }));
    });
    afterAll(() => site.close());

    const serve = (markup: string, policy: string, language = 'en') => {
      const text = `<!doctype html><html lang="${language}"><title>A site</title><main><h1>A site</h1>${markup}</main></html>`;
      const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy };
      site.handle(({ path }) => (path === '/' ? { text, headers } : { status: 204 }));
    };

    /** A site with a policy as strict as it can be for this element. */
    const show = async (markup: string, servers: string[] = [world.app.baseUrl], language = 'en'): Promise<Visit> => {
      const script = `<script type="module" crossorigin src="${world.app.baseUrl}/embed.js"></script>`;
      const policy = `default-src 'none'; script-src ${world.app.baseUrl}; connect-src ${servers.join(' ')}; require-trusted-types-for 'script'; trusted-types 'none'`;
      serve(markup + script, policy, language);
      const expected = servers.map((server) => new RegExp(`^request: ${server}/`));
      return visit(site.baseUrl, {
        expected: [...expected, new RegExp(`^request: ${world.app.baseUrl}/embed.js`), /ERR_EMPTY/],
      });
    };
    const proof = (attributes: string) => `<signet-proof ${attributes}></signet-proof>`;

    it('shows what the server says and, apart from it, that it was checked here, with the seal of the key', async () => {
      const seen = await show(proof('platform="github" identity="@Alice"'));
      const link = seen.page.getByRole('link', {
        name: /github alice Server: valid on .* ✓ Signature checked here; post and newer revokes not/,
      });

      await link.waitFor();
      expect(await link.getAttribute('href')).toBe(`${world.app.baseUrl}/p/github/alice`);
      await counts(seen.page.locator('signet-proof svg path'), 1);
      expect(await seen.seriousProblems()).toEqual([]);
      await seen.close();
    });

    it('checks the signature of an Ethereum wallet here, and leaves that of a Solana wallet open', async () => {
      const seen = await show(
        proof(`platform="ethereum" identity="${wallet.address}"`) +
          proof(`platform="solana" identity="${solana.address}"`),
      );

      await seen.page.getByText('✓ Both signatures checked here; newer revokes not').waitFor();
      await seen.page.getByText('Not checked here').waitFor();
      await seen.close();
    });

    it('says that a name is not bound, or not to the key that the site expects', async () => {
      const other = anAvatar('mallory').key.compressed;
      const seen = await show(
        proof('platform="github" identity="nobody"') + proof(`platform="github" identity="alice" avatar="${other}"`),
      );

      await seen.page.getByText('Server: no such connection').nth(1).waitFor();
      expect(await seen.page.getByText('✓').count()).toBe(0);
      await seen.close();
    });

    it('speaks the language of the site', async () => {
      const seen = await show(proof('platform="github" identity="alice"'), undefined, 'de');

      await seen.page.getByText('Unterschrift hier geprüft').waitFor();
      await seen.close();
    });

    it.each([
      ['signature', (link: Record<string, string>) => ({ ...link, signature: withOtherLetter(link['signature']!) })],
      ['identity', (link: Record<string, string>) => ({ ...link, identity: 'mallory' })],
      [
        'signed text',
        (link: Record<string, string>) => ({
          ...link,
          signature_payload: link['signature_payload']!.replace('alice', 'bobby'),
        }),
      ],
    ])('shows red where the server changes the %s', async (_name, change) => {
      const liar = await startStandIn(async ({ path, query }) => {
        const { status, body: json } = await world.app.get(`${path}?${query.toString()}`);
        if (path === '/v1/proofchain') json.proof_chain[0] = change(json.proof_chain[0]);
        return { status, json, headers: { 'access-control-allow-origin': '*' } };
      });
      try {
        const seen = await show(proof(`platform="github" identity="alice" server="${liar.baseUrl}"`), [liar.baseUrl]);

        await seen.page.getByText('✕ Does not verify').waitFor();
        expect(await seen.page.getByText('✓').count()).toBe(0);
        await seen.close();
      } finally {
        await liar.close();
      }
    });

    it('shows the name and the face that the key has signed, and none that the server made up', async () => {
      const signer = fromPrivateKey(alice.privateKey);
      const client = createClient({ baseUrl: world.app.baseUrl });
      const write = (patch: object) => client.kv.patch({ platform: 'self', identity: signer.avatar, signer, patch });
      await write({ profile: { name: 'Alice Seal', picture: PNG } });
      const seen = await show(proof('platform="github" identity="alice"'));
      await seen.page.getByRole('link', { name: /^“Alice Seal” github alice Server: valid on / }).waitFor();
      // Pixels that were drawn, without a picture that the policy of the site would have to allow.
      expect(
        await seen.page.locator('signet-proof canvas').evaluate((face) => (face as { width?: number }).width),
      ).toBe(64);
      expect(await seen.seriousProblems()).toEqual([]);
      await seen.close();

      let asked = 0;
      const liar = await startStandIn(async ({ path, query }) => {
        const { status, body } = await world.app.get(`${path}?${query.toString()}`);
        if (path === '/v1/kv/chain') asked++;
        const json = JSON.parse(JSON.stringify(body).replaceAll('Alice Seal', 'Mallory')) as object;
        return { status, json, headers: { 'access-control-allow-origin': '*' } };
      });
      try {
        const misled = await show(proof(`platform="github" identity="alice" server="${liar.baseUrl}"`), [liar.baseUrl]);
        await misled.page.getByText('✓ Signature checked here').waitFor();
        await until(() => asked === 1);
        expect(await misled.page.getByText(/Mallory|Alice Seal/).count()).toBe(0);
        expect(await misled.page.locator('signet-proof canvas').count()).toBe(0);
        await misled.close();
      } finally {
        await liar.close();
        await write({ profile: null });
      }
    });

    it.each([
      ['a key is frozen', { frozen: true }, 'Server: the key is frozen'],
      ['another key has come after', { successor: wallet.address }, 'Server: another key has taken its place'],
    ])('says, as the word of the server, that %s', async (_what, held, sentence) => {
      const server = await startStandIn(async ({ path, query }) => {
        const { status, body: json } = await world.app.get(`${path}?${query.toString()}`);
        if (path === '/v1/proof') Object.assign(json.ids[0], held);
        return { status, json, headers: { 'access-control-allow-origin': '*' } };
      });
      try {
        const seen = await show(proof(`platform="github" identity="alice" server="${server.baseUrl}"`), [
          server.baseUrl,
        ]);
        await seen.page.getByText(sentence).waitFor();
        await seen.page.getByText('✓ Signature checked here').waitFor();
        expect(await seen.seriousProblems()).toEqual([]);
        await seen.close();
      } finally {
        await server.close();
      }
    });

    it('says that there was no answer, and shows nothing else', async () => {
      const silent = await startStandIn(() => 'cut');
      try {
        const seen = await show(proof(`platform="github" identity="alice" server="${silent.baseUrl}"`), [
          silent.baseUrl,
        ]);

        await seen.page.getByText('Could not be checked: no answer').waitFor();
        await seen.close();
      } finally {
        await silent.close();
      }
    });

    it('works in its frame, where a site allows no scripts of others', async () => {
      serve(
        `<iframe title="Proof" src="${world.app.baseUrl}/embed/github/alice"></iframe>`,
        `default-src 'none'; frame-src ${world.app.baseUrl}`,
      );
      const seen = await visit(site.baseUrl, { expected: [new RegExp(`^request: ${world.app.baseUrl}/`)] });

      await seen.page.frameLocator('iframe').getByText('✓ Signature checked here').waitFor();
      await seen.close();
    });
  });
});
