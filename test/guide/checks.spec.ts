import { readFileSync } from 'node:fs';
import { type BindingResting, type ClientOptions, createClient } from '@signet/sdk';
import { createLooks } from '@signet/sdk/look';
import { type ObserverInTest, startThreeObservers } from '../observer/observer-world.js';
import { type GistWorld, startGistWorld } from '../rechecks/bound-gist.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';

const page = readFileSync(new URL('../../docs/guide/app/checks.md', import.meta.url), 'utf8');
/** The rows of the table: the options, the most requests of a call of each kind, and the words of `resting`. */
const rows = [...page.matchAll(/^\| (.+?) \|(?:.*?\|){2} ([\d +]+) \| ([\d +]+) \| (.*) \|$/gm)].map(
  ([, options, exists, resolve, resting]) => ({
    options: options!,
    exists: countsOf(exists!),
    resolve: countsOf(resolve!),
    words: [...resting!.matchAll(/`(\w+): ([\w ]+)`/g)].map(([, part, word]) => [part!, word!] as const),
  }),
);

const OPTIONS: Record<string, Pick<ClientOptions, 'trustServer' | 'demand'>> = {
  '`trustServer: true`': { trustServer: true },
  '(none)': {},
  '`demand: { log: true }`': { demand: { log: true } },
  '`demand: { complete: true }`': { demand: { complete: true } },
  '`demand: { posts: true }`': { demand: { posts: true } },
  '`demand: { observers: true }`': { demand: { observers: true } },
  '`demand: { here: true }`': { demand: { here: true } },
  // Of an account: test/platform/bluesky.spec.ts.
  '`demand: { platform: true }`': { demand: { platform: true } },
  '`demand: { posts: true, here: true }`': { demand: { posts: true, here: true } },
  '`demand: { complete: true, posts: true, here: true }`': { demand: { complete: true, posts: true, here: true } },
};

describe('the table of checks in the guide for app developers', () => {
  const [alice, bob] = [anAvatar('alice'), anAvatar('bob')];
  const wallet = aWallet('bob');
  let world: GistWorld;
  let observers: ObserverInTest[];
  let lines: string[];

  beforeAll(async () => {
    world = await startGistWorld();
    await world.bind(alice, '3'.repeat(32), 'alice-demo');
    await linkWallet(world.app, bob, wallet);
    observers = await startThreeObservers(world, alice.key.compressed);
    const lineOf = async (one: ObserverInTest, n: number) =>
      `observer eye${n} ${await one.verifierKey()} ${one.app.baseUrl}/`;
    lines = await Promise.all(observers.map(lineOf));
  });
  afterAll(async () => {
    await Promise.all((observers ?? []).map((one) => one.close()));
    await world?.close();
  });

  it('has a row for each option, and all of them together', () => {
    expect(rows.map(({ options }) => options)).toEqual(Object.keys(OPTIONS));
  });

  it.each(rows)('$options costs no more requests than it says, and rests on what it says', async (row) => {
    const isOfWallets = ['`demand: { here: true }`', '`demand: { platform: true }`'].includes(row.options);
    const account = { platform: 'github', identity: 'alice-demo', avatar: alice.key.compressed };
    const own = { platform: 'ethereum', identity: wallet.address, avatar: bob.key.compressed };
    const name = isOfWallets ? own : account;
    const others = async () => world.github.requests.length;
    const costOf = async <Answer>(call: (client: ReturnType<typeof createClient>) => Promise<Answer>) => {
      const asked = { server: 0, others: -(await others()) };
      const client = createClient({
        baseUrl: world.app.baseUrl,
        looks: createLooks({ github: { apiBase: world.github.baseUrl } }),
        observers: { observers: lines.join('\n') },
        ...OPTIONS[row.options],
        fetch: (input, init) => {
          const isOfServer = String(input).startsWith(world.app.baseUrl);
          asked[isOfServer ? 'server' : 'others']++;
          return fetch(input, init);
        },
      });
      const answer = await call(client);
      asked.others += await others();
      return { answer, asked };
    };

    const { answer: state, asked } = await costOf((client) => client.proofs.exists(name));
    const { answer: person, asked: askedBehind } = await costOf((client) => client.resolve(name));

    expect(asked.server).toBeLessThanOrEqual(row.exists.server);
    expect(asked.others).toBeLessThanOrEqual(row.exists.others);
    expect(askedBehind.server).toBeLessThanOrEqual(row.resolve.server);
    expect(askedBehind.others).toBeLessThanOrEqual(row.resolve.others);
    for (const resting of [state!.resting, person!.account!.resting]) expectWords(resting, row.words, row.options);
  });

  it('refuses an account that rests on the server, with `here` alone', async () => {
    const client = createClient({ baseUrl: world.app.baseUrl, demand: { here: true } });

    await expect(client.resolve('github:alice-demo')).rejects.toMatchObject({ code: 'not_shown_here' });
  });
});

function countsOf(text: string): { server: number; others: number } {
  const [server = NaN, others = 0] = text.split('+').map(Number);
  return { server, others };
}

/** `server` in every part where the row names no part; else the words that it names. */
function expectWords(resting: BindingResting, words: (readonly [string, string])[], options: string): void {
  const named = options === '(none)' ? words.filter(([part]) => part !== 'identity') : words;
  expect(resting).toMatchObject(
    named.length > 0
      ? Object.fromEntries(named)
      : { key: 'server', record: 'server', whole: 'server', identity: 'server' },
  );
}
