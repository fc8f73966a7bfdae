import base from './jest.config.mjs';

/**
 * `npm run test:quick`, for the inner loop: the rules, and for each module the tests that most mistakes fail. No
 * service processes, no browser, no failures, and PostgreSQL alone.
 */
export default {
  ...base,
  testMatch: [
    'architecture.spec.ts',
    '{concurrency,config,domain}/*.spec.ts',
    'ledger/{avatar-signature,batch-recorder,judge-batch,own-rules,payload-seal,third-chain}.spec.ts',
    'crypto/{encoding,ethereum-address,hashing,personal-sign,public-keys}.spec.ts',
    'docs/{links,readme,threat-model}.spec.ts',
    'events/event-{relay,wake-up}.spec.ts',
    'http/http-protocol.spec.ts',
    'kv/{kv,kv-refusals,kv-identity,kv-payload,merge-patch,patch-rules,patch-text}.spec.ts',
    'outbound/{address,url}-guard.spec.ts',
    'platform/{github,platforms,post-texts,ethereum.verifier,solana.verifier}.spec.ts',
    'proof-chain/{link-payload,proof-chain.service,changes.sized}.spec.ts',
    'proof/{submit,submit-refusals,payload,exists,find-proofs.sized}.spec.ts',
    'rechecks/recheck-{pace,schedule,state,tally}.spec.ts',
    'transparency-log/{cache-size,log}.spec.ts',
    'webhooks/webhook-signature.spec.ts',
  ].map((pattern) => `<rootDir>/test/${pattern}`),
};
