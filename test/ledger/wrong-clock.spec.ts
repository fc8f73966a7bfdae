import { createClient, type VerificationError } from '@signet/sdk';
import { verifyExport } from '@signet/verify';
import { DataSource } from 'typeorm';
import { runHere } from '../../packages/cli/test/terminal.js';
import { verifyChains } from '../../src/audit/verify-command.js';
import { buildLinkPayload } from '../../src/proof-chain/link-payload.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';

const alice = anAvatar('alice');
const AVATAR = alice.key.compressed;
const [early, late] = [aWallet('early'), aWallet('late')];
const START = 1_795_000_000;

/** Two links as a server of 0.1.0 recorded them: its clock was three hours ahead, and was put right in between. */
async function recordWithWrongClock(source: DataSource): Promise<void> {
  let previous: string | null = null;
  for (const [index, wallet] of [early, late].entries()) {
    const uuid = `00000000-0000-4000-8000-00000000000${index + 1}`;
    const createdAt = new Date((START + (index === 0 ? 10_800 : 0)) * 1000);
    const fields = { action: 'create', platform: 'ethereum', identity: wallet.address, uuid, createdAt } as const;
    const text = buildLinkPayload({ ...fields, avatar: alice.key, previous });
    previous = alice.sign(text);
    await source.query(
      `with link as (
         insert into chain_link (id, avatar, position_in_chain, action, platform, identity, created_at, uuid, signature, signature_payload, extra)
         values ($1::int, $2::text, $1::int, 'create', 'ethereum', $3::text, $4::timestamptz, $5, $6, $7, $8) returning id
       )
       insert into proof (avatar, platform, identity, identity_folded, link_id, created_at, last_checked_at, is_valid, invalid_reason)
       select $2, 'ethereum', $3, $3, id, $4, $4, true, '' from link`,
      [
        index + 1,
        AVATAR,
        wallet.address,
        createdAt,
        uuid,
        previous,
        text,
        JSON.stringify({ wallet_signature: wallet.sign(text) }),
      ],
    );
  }
}

describe('a chain that goes back in time because a clock was wrong', () => {
  let server: RunningApp;
  let source: DataSource;
  beforeAll(async () => {
    server = await startApp({ env: { LOG: 'off' } });
    source = server.app.get(DataSource);
    await recordWithWrongClock(source);
  });
  afterAll(() => server?.close());
  const audit = async () => {
    const lines: string[] = [];
    const isGood = await verifyChains(
      (sql, values) => source.query(sql, values),
      (line) => lines.push(line),
    );
    return { isGood, text: lines.join('\n') };
  };

  it('verifies in the audit of the operator, which counts the wrong times', async () => {
    const { isGood, text } = await audit();

    expect(isGood).toBe(true);
    expect(text).toMatch(/^ProofChains: 2 links .*\(1 times are wrong: the clock of a server was, .*All verify/m);
  });

  it('is read and exported by the SDK, whose file says that a clock was wrong', async () => {
    const client = createClient({ baseUrl: server.baseUrl, demand: { here: true } });
    const file = await client.export(AVATAR);
    const { ok, steps } = verifyExport(JSON.stringify(file));
    const open = steps.filter(({ state }) => state !== 'ok').map(({ name, detail }) => [name, detail]);

    expect(await client.chain(AVATAR).toArray()).toHaveLength(2);
    expect((await client.proofs.of(AVATAR))!.proofs.map(({ resting }) => resting.identity)).toEqual([
      'wallet',
      'wallet',
    ]);
    expect([ok, open]).toEqual([true, [['time', expect.stringContaining('A clock was wrong when it or')]]]);
  });

  it('is told from a forged one by the command line', async () => {
    const signet = (...words: string[]) => runHere(words, { SIGNET_SERVER: server.baseUrl });
    const { code, text } = await signet('chain', AVATAR, '--verify');
    await source.query(`alter table chain_link disable trigger user`);
    await source.query(`update chain_link set created_at = created_at - interval '1 second' where id = 2`);
    const forged = await signet('chain', AVATAR, '--verify');
    const audited = await audit();
    await source.query(`update chain_link set created_at = created_at + interval '1 second' where id = 2`);

    expect(code).toBe(0);
    expect(text).toMatch(/not checkable +2 of 2: A clock was wrong .* its time is 10800 seconds before/);
    expect(text).not.toMatch(/FAILED|BAD/);
    expect([forged.code, audited.isGood]).toEqual([4, false]);
    expect(forged.text).toContain('FAILED');
  });

  it('goes on with links that go back no further', async () => {
    const { status } = await linkWallet(server, alice, aWallet('third'));
    const client = createClient({ baseUrl: server.baseUrl });
    const outcome = await client.export(AVATAR).catch((error: VerificationError) => error);

    expect(status).toBe(201);
    expect(outcome).toMatchObject({ links: { length: 3 } });
  });
});
