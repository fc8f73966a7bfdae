import { randomUUID } from 'node:crypto';
import { writeVerifierKey } from '@signet/verify/log';
import { cosigner } from '@signet/verify/log-sign';
import { startApp } from '../support/app.js';
import { startStandIn, textReply } from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';
import { TestLog } from './test-log.js';

const SEED = 0x31;
const JUNK = Array.from({ length: 99 }, (_, n) => `— x${n} AAAAAAA=\n`).join('');

/** Witnesses of earlier versions stored what strangers sent along: their notes still have to stop a restored log. */
it('a log reads the note of a witness that strangers have filled with lines, and signs nothing more', async () => {
  const origin = `signet.example/log-${randomUUID()}`;
  const lost = new TestLog(origin, SEED, ['a', 'b', 'c']);
  const witness = cosigner('witness.example/w', new Uint8Array(32).fill(0x22));
  const text = lost.checkpoint().split('\n\n')[0]!;
  const standIn = await startStandIn(({ path }) =>
    path.endsWith('/add-checkpoint')
      ? { ...textReply('3\n', 409), headers: { 'content-type': 'text/x.tlog.size' } }
      : textReply(lost.checkpoint() + JUNK + witness.cosign(`${text}\n`, 1_700_000_000)),
  );
  const app = await startApp({
    env: {
      LOG_ORIGIN: origin,
      LOG_KEY: Buffer.alloc(32, SEED).toString('hex'),
      LOG_WITNESS_SECONDS: '1',
      LOG_POLICY: `witness w ${writeVerifierKey(witness.key)} ${standIn.baseUrl}\nquorum w`,
    },
  });
  try {
    await until(async () => (await app.get('/v1/log')).body.state === 'refused');

    expect((await app.get('/v1/log')).body.problem).toMatch(/witness w shows a tree head of 3 entries/);
  } finally {
    await app.close();
    await standIn.close();
  }
});
