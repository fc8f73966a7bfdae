/** What is checked comes from strangers: an answer that was cut, an error in its place, anything that JSON can hold. */
import * as fc from 'fast-check';
import * as rules from '../src/index.js';
import { verifyKeyChain, verifyKeyEvent } from '../src/key-events/key-events.js';
import { verifyExportLog, verifyLogProof, verifyMapAnswer, verifyReceipt } from '../src/log.js';
import { verifyExportSeen } from '../src/seen.js';

const policy = { logs: [], witnesses: [], quorum: 'none' } as never;
const secret = rules.webhookSecret(new Uint8Array(32));
const now = 1_718_000_000;

/** Each function as it is asked about a value of which nothing is known. */
const CHECKS: Record<string, (value: never) => unknown> = {
  verifyLink: (value) => rules.verifyLink(value),
  verifyChain: (value) => rules.verifyChain(value),
  verifyPatch: (value) => rules.verifyPatch(value),
  verifyPatchChain: (value) => rules.verifyPatchChain(value),
  verifyWallet: (value) => rules.verifyWallet(value),
  verifyExport: (value) => rules.verifyExport(value),
  verifyArchiveDocuments: (value) => rules.verifyArchiveDocuments(value),
  'verifyWebhook, secret': (value) => rules.verifyWebhook(value, {}, '{}', { now }),
  'verifyWebhook, headers': (value) => rules.verifyWebhook(secret, value, '{}', { now }),
  'verifyWebhook, body': (value) =>
    rules.verifyWebhook(
      secret,
      { 'webhook-id': 'a', 'webhook-timestamp': String(now), 'webhook-signature': 'v1,a' },
      value,
      {
        now,
      },
    ),
  verifyKeyEvent: (value) => verifyKeyEvent(value),
  verifyKeyChain: (value) => verifyKeyChain(value),
  verifyLogProof: (value) => verifyLogProof(value, { policy }),
  verifyReceipt: (value) => verifyReceipt(value, { policy, now }),
  verifyMapAnswer: (value) => verifyMapAnswer(value, { avatar: `0x02${'a'.repeat(64)}` }, { policy }),
  verifyExportLog: (value) => verifyExportLog(value),
  verifyExportSeen: (value) => verifyExportSeen(value, { observers: [] } as never),
};

const PLAIN = [undefined, null, true, 0, '', 'text', [], [undefined], [null], ['text'], [[]], [{}], {}, { steps: 1 }];

describe.each(Object.entries(CHECKS))('%s', (name, check) => {
  it('refuses any value by its steps, and throws for none', () => {
    const property = fc.property(fc.oneof(fc.constantFrom(...PLAIN), fc.anything(), fc.jsonValue()), (value) => {
      check(value as never);
    });

    fc.assert(property, { numRuns: 500, examples: PLAIN.map((value) => [value]) });
  });

  if (
    ['verifyChain', 'verifyPatchChain', 'verifyKeyChain', 'verifyWallet', 'verifyLogProof', 'verifyReceipt'].includes(
      name,
    )
  ) {
    it.each([[undefined], [{ message: 'The key is not one.', code: 'invalid_request' }]])(
      'says of %j that it fails',
      (value) => {
        const result = check(value as never) as rules.Verification | rules.Step;

        expect('steps' in result ? result.ok : result.state).toBe('steps' in result ? false : 'failed');
      },
    );
  }
});
