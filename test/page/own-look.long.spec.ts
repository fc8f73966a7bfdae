import type { FrameLocator, Page } from 'playwright-core';
import { type RunningApp, startApp } from '../support/app.js';
import {
  jsonReply,
  type PlainReply,
  type StandIn,
  type StandInHandler,
  startStandIn,
} from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';
import { describePage, type Look } from './browser.js';
import { GITHUB, type Scene, startScene } from './scene.js';
import { counts } from './shown.js';

const SOCIAL = 'social.demo-instance.org';
/** Accounts by a text of a profile, with the host that a look at each asks. */
const PROFILES: [platform: string, identity: string, host: string][] = [
  ['hackernews', 'Alice_Demo', 'hacker-news.firebaseio.com'],
  ['orcid', '0000-0002-1825-0097', 'pub.orcid.org'],
  ['forgejo', 'alice@code.demo-instance.org', 'code.demo-instance.org'],
  ['discourse', 'alice@forum.demo-instance.org', 'forum.demo-instance.org'],
  ['website', 'alice-site.demo-instance.org', 'alice-site.demo-instance.org'],
];
const HOSTS = [
  ...['api.github.com', SOCIAL, 'cloudflare-dns.com', 'dns.google', 'exfiltrates.example.net'],
  ...PROFILES.map(([, , host]) => host),
];
/** Complaints that are none here: what this suite is about. */
const LOOKED: Look = {
  expected: [
    /^request: https:\/\/(api\.github\.com|\S+\.demo-instance\.org|hacker-news\.firebaseio\.com|pub\.orcid\.org)\//,
  ],
};
/** What the browser says of answers that it may not show. */
const UNREADABLE: Look = { expected: [...LOOKED.expected!, /CORS policy/, /net::ERR_FAILED/, /status of 404/] };
/** Headers that every page may send, or that the browser adds. */
const SENT_HEADERS =
  /^(host|connection|accept|accept-encoding|accept-language|cache-control|origin|pragma|priority|sec-.*|user-agent)$/;

describe('looking at posts by oneself', () => {
  let scene: Scene;
  /** The platforms as the browser reaches them: what the scene's platforms answer, for every origin. */
  let outside: StandIn;
  beforeAll(async () => {
    scene = await startScene();
    for (const platform of ['twitter', 'lobsters', ...PROFILES.map(([name]) => name)]) {
      await scene.bind(scene.alice, platform);
    }
    outside = await startStandIn(passedOn, { tls: true });
  });
  afterAll(async () => {
    await outside?.close();
    await scene?.close();
  });
  beforeEach(() => {
    outside.handle(passedOn);
    outside.requests.length = 0;
  });

  const allowed = (reply: PlainReply): PlainReply => ({
    ...reply,
    headers: { ...reply.headers, 'access-control-allow-origin': '*' },
  });
  const passedOn: StandInHandler = async ({ path, query }) => {
    const answer = await fetch(`${scene.platforms.baseUrl}${path}?${query}`);
    const headers = { 'content-type': answer.headers.get('content-type') ?? '' };
    return allowed({ status: answer.status, headers, bytes: new Uint8Array(await answer.arrayBuffer()) });
  };
  const post = (platform: string, identity: string) => `${scene.baseUrl}/p/${platform}/${encodeURIComponent(identity)}`;
  const holder = (page: Page) => page.locator('.holder').filter({ hasText: scene.alice.avatar.slice(0, 10) });
  const frameOf = (page: Page): FrameLocator => page.frameLocator('iframe.look-frame');
  const press = (page: Page, name = 'Look myself') => holder(page).getByRole('button', { name }).click();
  /**
   * A press in the frame, once the button keeps its place. The browser may never say that the press is over, because
   * the frame is gone by then, so it is not waited for; what it leads to is.
   */
  const pressInFrame = async (page: Page, name: string): Promise<void> => {
    const button = frameOf(page).getByRole('button', { name });
    await button.waitFor();
    void button.click().catch(() => undefined);
  };
  const agree = (page: Page, host: string) => pressInFrame(page, `Ask ${host}`);

  describePage(
    'in a browser',
    (visit) => {
      it('asks nobody before the visitor agreed, who is told what is revealed to whom', async () => {
        const seen = await visit(post('github', GITHUB));
        const { page } = seen;
        await holder(page).getByText('Whether the post is there, only the platform can show.').first().waitFor();
        expect(await page.locator('iframe').count()).toBe(0);

        await press(page);
        await frameOf(page)
          .getByText(/^This browser asks api\.github\.com itself: .* learns this browser's address/)
          .waitFor();
        expect(await seen.seriousProblems()).toEqual([]);
        await pressInFrame(page, 'Not now');
        await holder(page).getByRole('button', { name: 'Look myself' }).waitFor();
        expect(await page.locator('iframe').count()).toBe(0);
        expect(outside.requests).toEqual([]);
        await seen.close();
      });

      it('shows what this browser saw, in the sign of what was checked here, and sends nothing but the question', async () => {
        const seen = await visit(post('github', GITHUB), LOOKED);
        const { page } = seen;
        await press(page);
        await agree(page, 'api.github.com');

        await holder(page)
          .locator('.checked-here.ok')
          .getByText(/^Seen by this browser just now, at /)
          .waitFor();
        await holder(page).getByText('Stable account id: 9000001').waitFor();
        // The checks are folded, because all that could be made came out right.
        await holder(page).locator('.folded-steps summary').click();
        const step = holder(page)
          .locator('.steps li')
          .filter({ has: page.getByText('Post', { exact: true }) });
        expect(await step.innerText()).toContain('Seen by this browser just now');
        expect(await holder(page).innerText()).not.toContain('only the platform can show');
        expect(outside.requests.map(({ method, path, headers }) => [method, headers['host'], path])).toEqual([
          ['GET', 'api.github.com', '/gists/0123456789abcdef0123456789abcdef'],
        ]);
        const { headers } = outside.requests[0]!;
        expect(Object.keys(headers).filter((name) => !SENT_HEADERS.test(name))).toEqual([]);
        expect(headers['origin']).toBe('null');
        expect(await seen.seriousProblems()).toEqual([]);
        await seen.close();
      });

      it('remembers the answer for the visit', async () => {
        const seen = await visit(post('github', GITHUB), LOOKED);
        const { page } = seen;
        await press(page);
        await agree(page, 'api.github.com');
        await holder(page)
          .getByText(/^Seen by this browser/)
          .waitFor();
        await page.reload();
        expect(outside.requests).toHaveLength(1);

        await press(page);
        await holder(page)
          .getByText(/^Seen by this browser/)
          .waitFor();
        expect(outside.requests).toHaveLength(2);
        await seen.close();
        const other = await visit(post('github', GITHUB));
        await press(other.page);
        await frameOf(other.page).getByRole('button', { name: 'Ask api.github.com' }).waitFor();
        await other.close();
      });

      it('says of a server of the Fediverse that its owner may be who is looked up, and asks for a press each time', async () => {
        const seen = await visit(post('activitypub', `alice@${SOCIAL}`), LOOKED);
        const { page } = seen;
        await press(page);
        await frameOf(page)
          .getByText(/perhaps the very person you look up/)
          .waitFor();
        expect(outside.requests).toEqual([]);
        await agree(page, SOCIAL);
        await holder(page)
          .getByText(/^Seen by this browser/)
          .waitFor();
        const asked = outside.requests.map(({ path, headers }) => [headers['host'], path]);
        expect(asked).toEqual([
          [SOCIAL, '/.well-known/webfinger'],
          [SOCIAL, '/api/v1/statuses/110000000000000001'],
        ]);

        await press(page, 'Look again');
        await frameOf(page)
          .getByRole('button', { name: `Ask ${SOCIAL}` })
          .waitFor();
        expect(
          await frameOf(page)
            .getByText(/perhaps the very person/)
            .count(),
        ).toBe(0);
        expect(outside.requests).toHaveLength(2);
        await seen.close();
      });

      it.each<[string, () => PlainReply, RegExp]>([
        ['is gone', () => jsonReply({ message: 'Not Found' }, 404), /There is no such gist/],
        ['never was', () => jsonReply({ message: 'Not Found' }, 404), /There is no such gist/],
        [
          'belongs to another account',
          () => jsonReply({ public: true, owner: { login: 'mallory', id: 1 }, files: {} }),
          /belongs to "mallory"/,
        ],
      ])('shows in red that a post %s, beside the server that says it is valid', async (_how, reply, reason) => {
        outside.handle(() => allowed(reply()));
        const seen = await visit(post('github', GITHUB), UNREADABLE);
        const { page } = seen;
        await press(page);
        await agree(page, 'api.github.com');

        await holder(page)
          .locator('.checked-here.failed')
          .getByText(/did not find it there/)
          .waitFor();
        await holder(page).getByText(reason).waitFor();
        expect(await holder(page).locator('.server-says').first().textContent()).toContain('Valid');
        await seen.close();
      });

      it.each<[string, StandInHandler]>([
        ['may not be read', () => jsonReply({ message: 'Not Found' }, 404)],
        ['does not come', () => 'cut'],
      ])('says of an answer that %s that it says nothing about the post, in grey', async (_how, handler) => {
        outside.handle(handler);
        const seen = await visit(post('github', GITHUB), { expected: [...UNREADABLE.expected!, /net::ERR_/] });
        const { page } = seen;
        await press(page);
        await agree(page, 'api.github.com');

        const sentence = holder(page).locator('.checked-here.not_checkable');
        await sentence.getByText(/^This browser could not look: .* This says nothing about the post\.$/).waitFor();
        expect(await page.locator('.stamp.failed').count()).toBe(0);
        await seen.close();
      });

      it.each(PROFILES)(
        'sees the text on %s where its server lets pages read it, and else says why not',
        async (...one) => {
          const [platform, identity, host] = one;
          const seen = await visit(post(platform, identity), { expected: [...UNREADABLE.expected!, /net::ERR_/] });
          const { page } = seen;
          await press(page);
          await agree(page, host);
          await holder(page)
            .locator('.checked-here.ok')
            .getByText(/^Seen by this browser just now/)
            .waitFor();
          expect([...new Set(outside.requests.map(({ headers }) => headers['host']))]).toEqual([host]);

          outside.handle(async (request) => {
            const { headers, ...rest } = (await passedOn(request)) as PlainReply;
            return { ...rest, headers: { 'content-type': headers!['content-type']! } };
          });
          await press(page, 'Look again');
          // A server that a person chose is asked about each time.
          if (!['hackernews', 'orcid'].includes(platform)) await agree(page, host);
          await holder(page)
            .locator('.checked-here.not_checkable')
            .getByText(/^This browser could not look: .* This says nothing about the post\.$/)
            .waitFor();
          await holder(page).getByText('lets no page of another site read it').waitFor();
          expect(await page.locator('.stamp.failed').count()).toBe(0);
          await seen.close();
        },
      );

      it('says that it could not look where the frame does not load', async () => {
        const seen = await visit(post('github', GITHUB), { expected: [/net::ERR_FAILED/] });
        const { page } = seen;
        const aborted = page.waitForEvent('requestfailed', (request) => request.url().includes('look-frame'));
        await page.route('**/assets/look-frame-*.js', (route) => route.abort());
        await page.clock.install();
        await press(page);
        await aborted;
        await page.clock.fastForward('00:16');

        await holder(page)
          .getByText(/^This browser could not look: no answer came/)
          .waitFor();
        expect(await page.locator('iframe').count()).toBe(0);
        await seen.close();
      });

      it.each([
        ['twitter', 'https://x.com/alice_demo/status/1800000000000000001'],
        ['lobsters', 'https://lobste.rs/~alice_demo'],
      ])('says of %s, which no page can read, to open the post', async (platform, address) => {
        const seen = await visit(post(platform, 'alice_demo'));
        const { page } = seen;

        await holder(page)
          .getByText(/^Pages cannot read this platform from a browser\./)
          .waitFor();
        const link = holder(page).getByRole('link', { name: 'Open the post' });
        expect(await link.getAttribute('href')).toBe(address);
        expect(await page.getByRole('button', { name: 'Look myself' }).count()).toBe(0);
        await seen.close();
      });

      it('looks from the list of a key as well, and asks nobody at the start, in search results or in an embed', async () => {
        const seen = await visit(`${scene.baseUrl}/`, LOOKED);
        const { page } = seen;
        for (const [place, shown] of [
          [`/?q=${GITHUB}`, '.results li'],
          [`/embed/github/${GITHUB}`, 'signet-proof .checked_post'],
          [`/a/${scene.alice.avatar}`, '.own-look button'],
        ] as const) {
          await page.goto(`${scene.baseUrl}${place}`);
          await page.locator(shown).first().waitFor();
        }
        expect(outside.requests).toEqual([]);
        const row = page.locator('.binding').filter({ has: page.locator(`a[href="/p/github/${GITHUB}"]`) });
        await row.getByRole('button', { name: 'Look myself' }).click();
        await agree(page, 'api.github.com');

        await row.getByText(/^Seen by this browser/).waitFor();
        await seen.close();
      });

      it('lets the page itself reach nobody, and a script in it no host of its choice through the frame', async () => {
        const blocked = { expected: [/CSP: connect-src/, /Content Security Policy/] };
        const seen = await visit(post('activitypub', `alice@${SOCIAL}`), blocked);
        const { page } = seen;
        await holder(page).getByRole('button', { name: 'Look myself' }).waitFor();
        const [link] = (await scene.client.chain(scene.alice.avatar).toArray()).filter(
          ({ platform }) => platform === 'activitypub',
        );
        const fetched = await page.evaluate(() => fetch('https://api.github.com/').then(String, String));
        // What an injected script would do: it says that the visitor has agreed, and presses the button.
        const bound = { avatar: scene.alice.avatar, link, accountId: '' };
        const request = JSON.stringify({ bound, language: 'en', agreed: [SOCIAL] });
        await page.evaluate(`(() => {
          const frame = document.createElement('iframe');
          frame.className = 'look-frame';
          frame.setAttribute('sandbox', 'allow-scripts');
          frame.src = '/look-frame';
          frame.onload = () => frame.contentWindow.postMessage(${request}, '*', [new MessageChannel().port2]);
          document.body.append(frame);
        })()`);
        const button = frameOf(page).getByRole('button', { name: `Ask ${SOCIAL}` });
        await button.waitFor();
        await button.evaluate((element: { click(): void }) => element.click());
        await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => resolve(null)))');

        expect(fetched).toBe('TypeError: Failed to fetch');
        await counts(button, 1);
        expect(outside.requests).toEqual([]);
        await seen.close();
      });

      it('gives the frame an origin of its own, without storage, that only the page may frame', async () => {
        const response = await fetch(`${scene.baseUrl}/look-frame`);
        const policy = response.headers.get('content-security-policy')!.split('; ');

        expect(policy.sort()).toEqual(
          [
            "default-src 'none'",
            "script-src 'self'",
            'connect-src https:',
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'self'",
            'sandbox allow-scripts',
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
          ].sort(),
        );
        expect(response.headers.get('x-frame-options')).toBeNull();
        const seen = await visit(post('github', GITHUB));
        await press(seen.page);
        await frameOf(seen.page).getByRole('button', { name: 'Not now' }).waitFor();
        const [, frame] = seen.page.frames();
        expect(await frame!.evaluate('origin')).toBe('null');
        await expect(frame!.evaluate('localStorage')).rejects.toThrow('SecurityError');
        await seen.close();
      });

      it('says the sentence in the language of the page', async () => {
        const seen = await visit(post('github', GITHUB), { language: 'de' });
        const { page } = seen;
        await press(page, 'Selbst nachsehen');

        await frameOf(page)
          .getByText(/^Dieser Browser fragt api\.github\.com selbst/)
          .waitFor();
        await until(async () => (await page.locator('iframe').getAttribute('height')) !== '0');
        await seen.close();
      });
    },
    () => ({ outside: Object.fromEntries(HOSTS.map((host) => [host, outside.port])) }),
  );

  describe('where WEB_LOOK is off', () => {
    let running: RunningApp;
    beforeAll(async () => {
      running = await startApp({ env: { WEB_LOOK: 'off' } });
    });
    afterAll(() => running.close());

    it('has no frame, and a page that says so', async () => {
      const page = await fetch(`${running.baseUrl}/`, { headers: { accept: 'text/html' } });

      expect((await fetch(`${running.baseUrl}/look-frame`)).status).toBe(404);
      expect(page.headers.get('content-security-policy')).not.toContain('frame-src');
      expect(await page.text()).toContain('name="signet-look" content=""');
    });
  });
});
