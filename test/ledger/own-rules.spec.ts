import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { KvRecorder } from '../../src/kv/patches/kv-recorder.js';
import { buildLinkPayload } from '../../src/proof-chain/link-payload.js';
import { LinkRecorder } from '../../src/proof/link-recorder.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { aNewPatch } from '../kv/kv-stores.js';

const [alice, mallory] = [anAvatar('alice'), anAvatar('mallory')];
const REFUSAL = {
  code: 'does_not_verify',
  message: expect.stringMatching(/^It is not recorded, because nobody could/),
};

/** What the checks of a request let through by mistake: the recorder asks the rules of all readers itself. */
describe('a record that no reader could verify', () => {
  let server: RunningApp;
  beforeAll(async () => {
    server = await startApp({ env: { LOG: 'off' } });
  });
  afterAll(() => server?.close());

  const count = async (table: string) =>
    (await server.app.get(DataSource).query(`select count(*)::int as rows from ${table}`))[0].rows as number;

  /** A link of alice that is signed by `signer`. */
  const linkBy = (signer: typeof alice) => {
    const wallet = aWallet('one');
    const now = new Date(Math.floor(Date.now() / 1000) * 1000);
    const fields = {
      ...({ action: 'create', avatar: alice.key, platform: 'ethereum', identity: wallet.address } as const),
      ...{ uuid: randomUUID(), createdAt: now, previous: null },
    };
    const signaturePayload = buildLinkPayload(fields);
    const extra = { wallet_signature: wallet.sign(signaturePayload) };
    return {
      ...{ ...fields, signaturePayload, signature: signer.sign(signaturePayload), proofLocation: '', extra },
      ...{ previousAt: null, verdict: { valid: true as const }, checkedAt: now },
    };
  };

  it('is not recorded where it is a link that another key signed', async () => {
    const recorder = server.app.get(LinkRecorder);

    await expect(recorder.record(linkBy(mallory))).rejects.toMatchObject(REFUSAL);
    expect(await count('chain_link')).toBe(0);
    await recorder.record(linkBy(alice));
    expect(await count('chain_link')).toBe(1);
  });

  it('is not recorded where it is a patch whose text is not the one that was signed', async () => {
    const recorder = server.app.get(KvRecorder);
    const patch = aNewPatch(alice.key, { name: 'Alice' });
    const changed = { ...patch, patch: { name: 'Mallory' }, patchText: '{"name":"Mallory"}' };

    await expect(recorder.record(changed)).rejects.toMatchObject(REFUSAL);
    expect(await count('kv_patch')).toBe(0);
    await recorder.record(patch);
    expect(await count('kv_patch')).toBe(1);
  });
});
