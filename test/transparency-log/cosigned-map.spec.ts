import { DataSource } from 'typeorm';
import { readCheckpoint, writeVerifierKey } from '@signet/verify/log';
import { cosigner } from '@signet/verify/log-sign';
import { HeadStore } from '../../src/transparency-log/signing/heads/head-store.js';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';
import { getRaw, headOfRecords } from './log-client.js';

const alice = anAvatar('alice');
/** A witness without a server: what it signs is written to the database, at the moment that a test wants. */
const witness = cosigner('witness.example/w', new Uint8Array(32).fill(0x71));

describe('the map of a cosigned tree head that is no longer the newest one', () => {
  let server: RunningApp;
  const query = <Row>(sql: string, values: unknown[] = []): Promise<Row[]> =>
    server.app.get(DataSource).query(sql, values);

  beforeAll(async () => {
    const LOG_POLICY = `witness w ${writeVerifierKey(witness.key)} http://127.0.0.1:1/\nquorum w`;
    server = await startApp({ env: { LOG_POLICY } });
  });
  afterAll(() => server?.close());

  let records = 0;
  /** Signs a tree head over one more link, and waits until the server has forgotten what it wants to. */
  const sign = async (): Promise<number> => {
    await query("insert into map_past values (-1, '{}') on conflict do nothing");
    await linkWallet(server, alice, aWallet(`${records}`));
    const { size } = await headOfRecords(server, (records += 1));
    await until(async () => (await query('select from map_past where since < 0')).length === 0);
    return size;
  };
  const cosign = async (size: number): Promise<void> => {
    const { note, size: shown } = readCheckpoint((await getRaw(server, '/log/checkpoint')).text)!;
    expect(shown).toBe(size);
    const text = note.text;
    const [line] = witness
      .cosign(text, Math.floor(Date.now() / 1000))
      .trim()
      .split('\n');
    await query('insert into log_cosignature values ($1, $2, $3, $4, now())', [
      size,
      witness.key.name,
      witness.key.id,
      line,
    ]);
    await until(async () => (await server.get('/v1/log')).body.cosigned?.size === size);
  };
  /** All tree heads but the newest were signed long ago. */
  const age = () => query("update log_checkpoint set signed_at = signed_at - interval '1 hour'");
  const isKept = async (size: number): Promise<boolean> => {
    const top = await server.app.get(HeadStore).mapTopOf(size);
    return (await query('select from map_tile where number = $1', [top])).length === 1;
  };

  it('stays as long as another server may answer by it, and is forgotten then', async () => {
    const first = await sign();
    await cosign(first);
    await sign();
    const last = await sign();
    await age();
    await cosign(last);

    await sign();
    expect(await isKept(first)).toBe(true);

    await until(async () => {
      await sign();
      return !(await isKept(first));
    });
    expect(await isKept(last)).toBe(true);
  });
});
