/**
 * The parts that are mutated together, and the tests that run against them. A part only has the tests that specify it:
 * each mutant loads the tests of its file anew, and a thousand requests to the whole service for one mutant would take
 * too long.
 *
 * @type {Record<string, { mutate: string[], tests: string[], needsDatabase?: boolean }>} globs from the root of the
 *   repository
 */
export const PARTS = {
  crypto: { mutate: ['src/crypto/**/*.ts'], tests: ['test/crypto/*.spec.ts'] },
  payload: {
    mutate: ['src/ledger/{payload.seal,avatar-signature}.ts'],
    tests: ['test/ledger/{payload-seal,avatar-signature}.spec.ts'],
  },
  texts: {
    mutate: [
      'src/kv/kv-identity.ts',
      'src/kv/patches/{kv-payload,patch-rules,patch-text}.ts',
      'src/proof-chain/link-payload.ts',
    ],
    tests: [
      'test/kv/{kv-identity,kv-payload,merge-patch,patch-rules,patch-text}.spec.ts',
      'test/proof-chain/link-payload.spec.ts',
    ],
  },
  rules: {
    mutate: ['packages/verify/src/**/*.ts'],
    // Not the thousands of vectors of test/crypto, which all run through the same few lines, nor what runs in another
    // process.
    tests: [
      'packages/verify/test/{borders.spec.ts,nostr.spec.ts,verify.spec.ts,vectors.mutation.mjs}',
      'test/crypto/{canonical-json,encoding,ethereum-address,public-keys,signature-mistakes}.spec.ts',
      'test/kv/{merge-patch,kv-payload}.spec.ts',
      'test/proof-chain/link-payload.spec.ts',
      'packages/look/test/verifiers/{posted-signature,proof-document,solana.verifier}.spec.ts',
      'test/archive/data-item.spec.ts',
      'test/webhooks/webhook-message.spec.ts',
    ],
  },
  'log-rules': {
    mutate: ['packages/verify/src/{log,log-sign}.ts', 'packages/verify/src/log/*.ts'],
    tests: ['packages/verify/test/log/*.spec.ts', 'packages/verify/test/vectors.mutation.mjs'],
  },
  seals: { mutate: ['packages/verify/src/{seal*,seal/*}.ts'], tests: ['packages/verify/test/seal.spec.ts'] },
  verifiers: { mutate: ['packages/look/src/verifiers/**/*.ts'], tests: ['packages/look/test/verifiers/*.spec.ts'] },
  commits: {
    mutate: [
      'src/ledger/{batch-recorder,batch-queue}.ts',
      'src/events/{cloud-event,event-listeners,on-domain-event}.ts',
    ],
    tests: ['test/ledger/batch-recorder.spec.ts', 'test/events/{cloud-event,event-listeners}.spec.ts'],
  },
  events: {
    mutate: ['src/events/**/*.ts'],
    // Not event-clocks.spec.ts, which waits for seconds to pass.
    tests: ['test/events/event-{delivery,relay,relay-passes,wake-up}.spec.ts'],
    needsDatabase: true,
  },
  chains: {
    mutate: ['src/proof-chain/**/*.ts', 'src/ledger/{signed-chain,record-feed,judge-batch}.ts'],
    tests: [
      'test/ledger/{judge-batch,third-chain}.spec.ts',
      'test/proof-chain/*.spec.ts',
      'test/proof-chain/{proofchain,changes}.sized.spec.ts',
      'test/http/conditional-requests.spec.ts',
    ],
    needsDatabase: true,
  },
  kv: {
    mutate: ['src/kv/**/*.ts'],
    tests: ['test/kv/*.spec.ts'],
    needsDatabase: true,
  },
  // Here each mutant starts the whole application.
  'kv-requests': {
    mutate: ['src/kv/{kv.controller,kv.service}.ts'],
    tests: ['test/kv/{kv,kv-refusals}.spec.ts'],
    needsDatabase: true,
  },
};
/** Files without behaviour of their own: lists of providers, columns, and shapes for the API description. */
export const NOT_MUTATED = ['!src/**/*.{module,entity,dto}.ts'];

/**
 * Globs of the files that the part `name` mutates, without those of other parts.
 * @param {string} name
 */
export function mutatedIn(name) {
  /** @param {{ mutate: string[] }} part */
  const files = ({ mutate }) => mutate.filter((glob) => !glob.startsWith('!') && !glob.includes('**'));
  const others = Object.entries(PARTS).filter(([other]) => other !== name);
  const ofOthers = others.flatMap(([, part]) => files(part)).filter((glob) => !PARTS[name].mutate.includes(glob));
  return [...PARTS[name].mutate, ...ofOthers.map((glob) => `!${glob}`), ...NOT_MUTATED];
}
