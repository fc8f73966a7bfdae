import { existsSync } from 'node:fs';
import base from './jest.config.mjs';

/** By folder; `*` is all of it. */
const SPECS = {
  'packages/look/test': ['address-guard', 'url-guard'],
  'packages/look/test/verifiers': ['ethereum.verifier', 'github', 'post-texts', 'solana.verifier'],
  test: ['architecture'],
  'test/concurrency': ['*'],
  'test/config': ['*'],
  'test/crypto': ['encoding', 'ethereum-address', 'hashing', 'personal-sign', 'public-keys'],
  'test/docs': ['links', 'readme', 'threat-model'],
  'test/domain': ['*'],
  'test/events': ['event-relay', 'event-wake-up'],
  'test/http': ['http-protocol'],
  'test/kv': ['kv', 'kv-identity', 'kv-payload', 'kv-refusals', 'merge-patch', 'patch-rules', 'patch-text'],
  'test/ledger': ['avatar-signature', 'batch-recorder', 'judge-batch', 'own-rules', 'payload-seal', 'third-chain'],
  'test/platform': ['platforms'],
  'test/proof': ['exists', 'find-proofs.sized', 'payload', 'submit', 'submit-refusals'],
  'test/proof-chain': ['changes.sized', 'link-payload', 'proof-chain.service'],
  'test/rechecks': ['recheck-pace', 'recheck-schedule', 'recheck-state', 'recheck-tally'],
  'test/transparency-log': ['cache-size', 'log'],
  'test/webhooks': ['webhook-message', 'webhook-schedule'],
};

const files = Object.entries(SPECS).flatMap(([folder, names]) => names.map((name) => `${folder}/${name}.spec.ts`));
for (const file of files) {
  if (file.endsWith('/*.spec.ts') || existsSync(`${base.rootDir}/${file}`)) continue;
  throw new Error(`test:quick names a file that is not there: ${file}`);
}

/**
 * `npm run test:quick`, for the inner loop: the rules, and for each module the tests that most mistakes fail. No
 * service processes, no browser, no failures, and PostgreSQL alone.
 */
export default { ...base, testMatch: files.map((file) => `<rootDir>/${file}`) };
