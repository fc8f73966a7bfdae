import { createClient, type Person, VerificationError, WrongUsageError } from '@signet/sdk';
import { type LyingProxy, startLyingProxy } from '../page/lying-proxy.js';
import { type GistWorld, startGistWorld } from '../rechecks/bound-gist.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import { errorOf } from '../support/sdk-answers.js';

const [FIRST, SECOND] = ['3'.repeat(32), '4'.repeat(32)];

describe('who is behind an address, an account or a key', () => {
  const alice = anAvatar('alice');
  const bob = anAvatar('bob');
  const nobody = anAvatar('nobody');
  const wallet = aWallet('alice');
  const key = alice.key.compressed;
  let world: GistWorld;
  let proxy: LyingProxy;

  beforeAll(async () => {
    world = await startGistWorld();
    await linkWallet(world.app, alice, wallet);
    await world.bind(alice, FIRST, 'alice-demo');
    const signer = { wallet: alice.privateKey };
    await createClient({ baseUrl: world.app.baseUrl }).kv.patch({
      ...{ platform: await createClient({ baseUrl: world.app.baseUrl }).serviceName(), identity: key },
      ...{ patch: { profile: { name: 'Alice', about: 'Of the demo.' } }, signer: signer.wallet },
    });
    proxy = await startLyingProxy(world.app.baseUrl);
  });
  afterEach(() => {
    proxy.lie = null;
  });
  afterAll(async () => {
    await proxy?.close();
    await world?.close();
  });

  /** Changes answers alone, and those that are given together. */
  const lieTo = (lie: NonNullable<LyingProxy['lie']>) => {
    proxy.lie = (path, answer) => {
      if (!path.startsWith('/v1/resolve?')) return lie(path, answer);
      for (const { request, json } of answer.answers) if (json) lie(request, json);
    };
  };
  const client = () => createClient({ baseUrl: proxy.baseUrl, retries: 0 });
  const namesOf = (person: Person | null) =>
    person?.accounts.map(({ platform, identity }) => `${platform}:${identity}`);

  it('is one person, by each of the ways in which people write it', async () => {
    const ways = [
      ...[wallet.address, wallet.address.toUpperCase().replace('0X', '0x'), `eip155:1:${wallet.address}`],
      ...[
        'github:alice-demo',
        'github:@Alice-Demo',
        `ethereum:${wallet.address}`,
        key,
        alice.key.uncompressed,
        key.slice(2),
      ],
    ];
    for (const who of [...ways, { platform: 'github', identity: 'ALICE-demo' }]) {
      const person = await client().resolve(who);

      expect([who, person?.avatar, person?.profile?.name]).toEqual([who, key, 'Alice']);
      expect(namesOf(person)).toEqual(['github:alice-demo', `ethereum:${wallet.address}`]);
      expect(person!.alsoHeldBy).toEqual([]);
    }
  });

  it('says of the account that was asked for, and of all, in which state they are and on what they rest', async () => {
    const person = (await client().resolve('github:alice-demo'))!;
    const [post, other] = person.accounts;

    expect(person.account).toEqual(post);
    expect(post).toMatchObject({ state: 'valid', reason: '', resting: { key: 'signature', identity: 'server' } });
    expect(Math.abs(post!.seenAt! - Date.now() / 1000)).toBeLessThan(600);
    expect(other).toMatchObject({ state: 'valid', seenAt: null, resting: { identity: 'wallet' } });
    expect(person.resting).toMatchObject({
      accounts: { key: 'signature', whole: 'server' },
      profile: { key: 'signature' },
    });
    expect((await client().resolve(key))!.account).toBeNull();
  });

  it('is not seen lately where nobody has looked for nine days, and invalid where the server says so', async () => {
    const old = String(Math.floor(Date.now() / 1000) - 10 * 24 * 3600);
    const stateSaid = async (said: object) => {
      lieTo((path, answer) => {
        if (!path.startsWith('/v1/proof?')) return;
        for (const one of answer.ids[0].proofs) if (one.platform === 'github') Object.assign(one, said);
      });
      const { state, reason } = (await client().resolve('github:alice-demo'))!.account!;
      return [state, reason];
    };

    expect(await stateSaid({ last_checked_at: old })).toEqual(['stale', '']);
    expect(await stateSaid({ is_valid: false, invalid_reason: 'It is gone.' })).toEqual(['invalid', 'It is gone.']);
  });

  it('is null for what nobody has bound, and a person without accounts where only a profile was written', async () => {
    expect(await client().resolve('github:nobody')).toBeNull();
    expect(await client().resolve(nobody.key.compressed)).toBeNull();
  });

  it('is the newest who holds a name validly, and the others are named', async () => {
    const pause = Math.floor(Date.now() / 1000);
    await world.bind(bob, SECOND, 'alice-demo');
    const person = (await client().resolve('github:alice-demo'))!;

    expect([person.avatar, ...person.alsoHeldBy].sort()).toEqual([key, bob.key.compressed].sort());
    expect(person.account!.boundAt).toBeGreaterThanOrEqual(pause - 600);
    lieTo((path, answer) => {
      if (!path.startsWith('/v1/proof?')) return;
      for (const group of answer.ids) if (group.avatar === bob.key.compressed) group.proofs[0].is_valid = false;
    });
    expect(await client().resolve('github:alice-demo')).toMatchObject({ avatar: key, alsoHeldBy: [] });
  });

  it('is nobody where the server invents a binding or content', async () => {
    lieTo((path, answer) => {
      if (path.startsWith('/v1/proof?')) for (const group of answer.ids) group.avatar = nobody.key.compressed;
    });
    expect(await errorOf(client().resolve('github:alice-demo'))).toBeInstanceOf(VerificationError);
    lieTo((path, answer) => {
      if (path.startsWith('/v1/kv?')) answer.proofs[0].content.profile.name = 'Mallory';
    });
    expect(await errorOf(client().resolve(key))).toBeInstanceOf(VerificationError);
  });

  it('shows nobody who was not asked for, also where an address was asked for that only servers read', async () => {
    const asksFor = (...identity: string[]) => client().proofs.find({ platform: 'github', identity }).toArray();
    const [group] = await asksFor('alice-demo');
    lieTo((path, answer) => {
      if (path.startsWith('/v1/proof?')) answer.ids = [group];
    });

    for (const asked of [['nobody', 'https://github.com/bob'], ['https://github.com/alice'], ['a..b']]) {
      expect((await errorOf(asksFor(...asked))).message).toContain('which holds nothing that was asked for.');
    }
    expect(await asksFor('nobody', 'https://github.com/Alice-Demo/')).toHaveLength(1);
  });

  it('takes the demands of the client', async () => {
    const complete = createClient({ baseUrl: proxy.baseUrl, retries: 0, demand: { complete: true } });
    const person = (await complete.resolve('github:alice-demo'))!;

    expect(person.resting).toMatchObject({ accounts: { whole: 'map', map: {} }, profile: { whole: 'map', map: {} } });
    lieTo((path, answer) => {
      if (path.startsWith('/v1/proof?')) answer.ids = [];
    });
    expect(await errorOf(complete.resolve('github:alice-demo'))).toMatchObject({ code: 'incomplete' });
    const here = createClient({ baseUrl: proxy.baseUrl, retries: 0, demand: { here: true } });
    proxy.lie = null;
    expect(await errorOf(here.resolve('github:alice-demo'))).toMatchObject({ code: 'not_shown_here' });
  });

  it.each([undefined, 7, '', 'alice', '0x12', {}, { platform: 'github' }, { platform: 'github', identity: ' ' }])(
    'refuses %j with a sentence that says what it takes',
    async (who) => {
      expect(await errorOf(client().resolve(who as never))).toBeInstanceOf(WrongUsageError);
    },
  );
});
