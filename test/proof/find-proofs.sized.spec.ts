import { DataSource } from 'typeorm';
import { type RunningApp, startApp } from '../support/app.js';
import { aSolanaWallet, aWallet, anAvatar } from '../support/avatar.js';
import { ENGINES_OF_TIER } from '../support/engines.js';
import { linkSolana, linkWallet } from '../support/scenario.js';

const alice = anAvatar('alice');
const bob = anAvatar('bob');
const carol = anAvatar('carol');
const [shared, second] = [aWallet('shared'), aWallet('second')];
const solana = aSolanaWallet('alice');

type Query = Record<string, string>;

describe.each(ENGINES_OF_TIER)('GET /v1/proof on %s', (engine) => {
  let running: RunningApp;

  const find = (query: Query) => running.get(`/v1/proof?${new URLSearchParams(query)}`);
  const avatarsFound = async (query: Query): Promise<string[]> => {
    const { status, body } = await find(query);
    expect(status).toBe(200);
    return body.ids.map(({ avatar }: { avatar: string }) => avatar);
  };

  // Alice: shared, second, solana. Bob: shared, later than Alice.
  beforeAll(async () => {
    running = await startApp({ engine });
    await linkWallet(running, alice, shared);
    await linkWallet(running, alice, second);
    await linkSolana(running, alice, solana);
    await linkWallet(running, bob, shared);
  });
  afterAll(() => running.close());

  it('answers each Avatar that holds the identity with all its proofs, the newest matching proof first', async () => {
    const { status, body } = await find({ platform: 'ethereum', identity: shared.address, exact: 'true' });

    const state = {
      created_at: expect.stringMatching(/^\d{10}$/),
      last_checked_at: expect.stringMatching(/^\d{10}$/),
      is_valid: true,
      invalid_reason: '',
    };
    expect(status).toBe(200);
    expect(body).toEqual({
      pagination: { total: 2, per: 20, current: 1, next: 0 },
      ids: [
        {
          avatar: bob.key.compressed,
          last_archive_id: '',
          proofs: [{ platform: 'ethereum', identity: shared.address, ...state }],
          proofs_total: 1,
        },
        {
          avatar: alice.key.compressed,
          last_archive_id: '',
          proofs: [
            { platform: 'solana', identity: solana.address, ...state },
            { platform: 'ethereum', identity: second.address, ...state },
            { platform: 'ethereum', identity: shared.address, ...state },
          ],
          proofs_total: 3,
        },
      ],
    });
  });

  it('says nothing was found with an empty list', async () => {
    const { status, body } = await find({ identity: aWallet('nobody').address });

    expect(status).toBe(200);
    expect(body).toEqual({ pagination: { total: 0, per: 20, current: 1, next: 0 }, ids: [] });
  });

  it.each<[string, Query, string[]]>([
    ['one platform only', { platform: 'solana', identity: solana.address }, ['alice']],
    ['another platform than the one it is on', { platform: 'solana', identity: shared.address }, []],
    ['all platforms where none is named', { identity: solana.address }, ['alice']],
    ['all platforms where the name is empty', { platform: '', identity: solana.address }, ['alice']],
    ['all platforms, exactly', { identity: solana.address, exact: 'true' }, ['alice']],
    ['several identities as alternatives', { identity: `${second.address},${shared.address}` }, ['bob', 'alice']],
    [
      'several identities on one platform',
      { platform: 'solana', identity: `${shared.address},${solana.address}` },
      ['alice'],
    ],
    ['spaces and empty ones between identities', { identity: ` , ${second.address} ,,` }, ['alice']],
    ['exactly, with spaces around', { identity: ` ${second.address} `, exact: 'true' }, ['alice']],
    [
      'exactly, with marks of direction around',
      { identity: `\u202a${second.address}\u202c`, exact: 'true' },
      ['alice'],
    ],
    ['exactly, with a line end behind', { identity: `${second.address}\t\r\n`, exact: 'true' }, ['alice']],
    [
      'exactly, with a blank of no width',
      { identity: second.address.replace('0x', '0x\u200b'), exact: 'true' },
      ['alice'],
    ],
    ['with quotes and marks around', { identity: `“\u2068${second.address}\u2069”` }, ['alice']],
    ['a part of an identity', { identity: second.address.slice(7, 30) }, ['alice']],
    ['a part in another letter case', { identity: solana.address.slice(2, 20).toLowerCase() }, ['alice']],
    ['a part in capitals', { identity: second.address.slice(7, 30).toUpperCase() }, ['alice']],
    ['a part with exact=false', { identity: second.address.slice(7, 30), exact: 'false' }, ['alice']],
    ['a part with an empty exact', { identity: second.address.slice(7, 30), exact: '' }, ['alice']],
    ['not a part, when exact', { identity: second.address.slice(0, -1), exact: 'true' }, []],
    [
      'an address in capitals, exactly',
      { identity: `0x${second.address.slice(2).toUpperCase()}`, exact: 'true' },
      ['alice'],
    ],
    ['not a Solana address in another letter case', { identity: solana.address.toLowerCase(), exact: 'true' }, []],
    ['nothing for a text no platform could have', { identity: 'a b\\c', exact: 'true' }, []],
    ['nothing for it on one platform either', { platform: 'ethereum', identity: 'alice.eth', exact: 'true' }, []],
    ['nothing for %, which means itself', { identity: '%' }, []],
    ['nothing for _, which means itself', { identity: '_' }, []],
    ['nothing for a backslash', { identity: '\\' }, []],
    ['nothing for a backslash at the end', { identity: `${second.address.slice(0, 9)}\\` }, []],
    ['nothing for a quote', { identity: "'" }, []],
    ['nothing for U+0000', { identity: '\0' }, []],
    ['nothing for U+0000, exactly', { identity: '\0', exact: 'true' }, []],
    ['what stands beside U+0000', { identity: `\0,${second.address}` }, ['alice']],
    ['nothing for U+FFFD', { identity: '\ufffd' }, []],
  ])('searches %s', async (_what, query, expected) => {
    const found = await avatarsFound(query);

    expect(found).toEqual(expected.map((name) => anAvatar(name).key.compressed));
  });

  it.each([
    ['compressed', alice.key.compressed],
    ['uncompressed', alice.key.uncompressed],
    ['in capitals', `0x${alice.key.compressed.slice(2).toUpperCase()}`],
  ])('looks up by public key, %s, under the name of the service', async (_form, key) => {
    expect(await avatarsFound({ platform: 'self', identity: key })).toEqual([alice.key.compressed]);
  });

  it('looks up several public keys at once, and none that is not whole', async () => {
    const keys = [alice.key.compressed, bob.key.uncompressed, carol.key.compressed.slice(0, 40), 'not a key'].join(',');

    expect(await avatarsFound({ platform: 'self', identity: keys })).toEqual([
      bob.key.compressed,
      alice.key.compressed,
    ]);
  });

  it.each([
    ['a part of a key', alice.key.compressed.slice(0, 30)],
    ['a key that is unknown', carol.key.compressed],
    ['a text that is not a key', '%'],
  ])('finds nothing by %s', async (_what, identity) => {
    expect(await avatarsFound({ platform: 'self', identity })).toEqual([]);
  });

  it('does not look for keys on all platforms', async () => {
    expect(await avatarsFound({ identity: alice.key.compressed })).toEqual([]);
  });

  it('brings an Avatar to the front when it binds the identity again', async () => {
    const [dave, erin, both] = [anAvatar('dave'), anAvatar('erin'), aWallet('both')];
    await linkWallet(running, dave, both);
    await linkWallet(running, erin, both);
    await linkWallet(running, dave, both);

    expect(await avatarsFound({ identity: both.address })).toEqual([dave.key.compressed, erin.key.compressed]);
  });

  it('finds an identity no more after it was revoked', async () => {
    const [frank, gone] = [anAvatar('frank'), aWallet('gone')];
    await linkWallet(running, frank, gone);
    await linkWallet(running, frank, gone, { action: 'delete' });

    expect(await avatarsFound({ identity: gone.address })).toEqual([]);
  });

  it('shows a proof that is not valid any more, with the reason', async () => {
    const [grace, dead] = [anAvatar('grace'), aWallet('dead')];
    await linkWallet(running, grace, dead);
    await running.app
      .get(DataSource)
      .query(`update proof set is_valid = false, invalid_reason = 'gone' where avatar = $1`, [grace.key.compressed]);

    const { body } = await find({ identity: dead.address });

    expect(body.ids[0].proofs).toMatchObject([{ is_valid: false, invalid_reason: 'gone' }]);
  });

  it('tells the archive id of the head alone, not of earlier links', async () => {
    const [heidi, kept] = [anAvatar('heidi'), aWallet('kept')];
    const lastArchiveId = async () => (await find({ identity: kept.address })).body.ids[0].last_archive_id;
    await linkWallet(running, heidi, kept);
    await running.app
      .get(DataSource)
      .query(`update chain_link set archive_id = 'archived-1' where avatar = $1`, [heidi.key.compressed]);
    const atFirst = await lastArchiveId();

    await linkWallet(running, heidi, aWallet('later'));

    expect([atFirst, await lastArchiveId()]).toEqual(['archived-1', '']);
  });

  describe('with identities that hold %, _ and \\', () => {
    // Rows as other platforms leave them, because no wallet address holds such a character.
    beforeAll(async () => {
      for (const identity of ['ann_lee', 'annXlee', '50%', '500', 'c:\\temp', 'c:temp', 'ÄRGER']) {
        await running.app.get(DataSource).query(
          `with link as (
             insert into chain_link (id, avatar, position_in_chain, action, platform, identity, created_at, uuid, signature, signature_payload)
             select max(id) + 1, $1, 1, 'create', 'twitter', $2, now(), gen_random_uuid(), '', '' from chain_link
             returning id
           )
           insert into proof (avatar, platform, identity, identity_folded, link_id, created_at, last_checked_at, is_valid)
           select $1, 'twitter', $2, $3, id, now(), now(), true from link`,
          [anAvatar(`holder of ${identity}`).key.compressed, identity, identity.toLowerCase()],
        );
      }
    });

    it.each([
      ['n_l', ['ann_lee']],
      ['nn_le', ['ann_lee']],
      ['nn_ee', []],
      ['50%', ['50%']],
      ['5%0', []],
      [':\\t', ['c:\\temp']],
      ['c:t', ['c:temp']],
      ['ärg', ['ÄRGER']],
    ])('takes %s for itself', async (text, expected) => {
      const { body } = await find({ identity: text });

      expect(body.ids.map(({ proofs }: { proofs: { identity: string }[] }) => proofs[0]!.identity)).toEqual(expected);
    });
  });
});
