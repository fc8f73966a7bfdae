/**
 * What an app does, through the installed package alone; started by journey.spec.ts as a child in an empty project.
 * Messages to the parent: `{ publish }` (answered by `go on`), `{ restart }` (the same), and `{ done }`.
 */
import { isDeepStrictEqual } from 'node:util';
import { ed25519 } from '@noble/curves/ed25519.js';
import { createClient, fromWallet, fromPrivateKey, solanaWallet, VerificationError } from '@signet/sdk';
import { encodeBase58 } from '@signet/verify';
import { once } from 'node:events';

const { BASE_URL = '', LYING_URL = '', AVATAR_KEY = '' } = process.env;
/** @param {string} text */
const bytes = (text) => new Uint8Array(Buffer.from(text, 'hex'));

/** @param {object} message */
async function ask(message) {
  process.send?.(message);
  await once(process, 'message');
}

/**
 * A wallet of a browser page with one key.
 * @param {Uint8Array} key
 */
function provider(key) {
  const signer = fromPrivateKey(key);
  return {
    /** @param {{ method: string, params?: unknown }} request */
    async request({ method, params }) {
      if (method === 'eth_requestAccounts') return [signer.address];
      if (method !== 'personal_sign') throw new Error(method);
      const text = Buffer.from(/** @type {string[]} */ (params)[0].slice(2), 'hex').toString();
      return `0x${Buffer.from(await signer.sign(text), 'base64').toString('hex')}`;
    },
  };
}

/** @param {Uint8Array} seed */
function solana(seed) {
  const signMessage = async (/** @type {{ message: Uint8Array }} */ { message }) => [
    { signedMessage: message, signature: ed25519.sign(message, seed) },
  ];
  return { features: { 'solana:signMessage': { signMessage } } };
}

const client = createClient({ baseUrl: BASE_URL });
const stop = new AbortController();
/** @type {string[]} */
const seen = [];
const streamed = (async () => {
  for await (const event of client.events({ after: 0, signal: stop.signal }))
    seen.push(`${event.type} ${'platform' in event ? event.platform : ''}`);
})().catch((error) => error.name);

const eoa = await fromWallet(provider(bytes('11'.repeat(32))));
const own = await client.bind({ platform: 'ethereum', identity: eoa.address, signer: eoa });

const signer = fromPrivateKey(bytes(AVATAR_KEY));
const seed = bytes('22'.repeat(32));
const address = encodeBase58(ed25519.getPublicKey(seed));
await client.bind({ platform: 'solana', identity: address, signer, wallet: solanaWallet(solana(seed), {}) });

/** @type {number[]} */
const waits = [];
const post = await client.bind({
  platform: 'github',
  identity: 'alice-demo',
  signer,
  publish: ({ text }) => (
    process.send?.({ publish: text }),
    'https://gist.github.com/alice-demo/0123456789abcdef0123456789abcdef'
  ),
  onProgress: ({ waitMs }) => waits.push(waitMs),
});

const groups = await client.proofs.find({ identity: 'alice-demo' }).toArray();
const many = await client.proofs.findMany(['nobody-here', 'Alice-Demo', address, eoa.address]);
const state = await client.proofs.exists({ platform: 'github', identity: 'alice-demo', avatar: signer.avatar });
const evidence = await client.proofs.evidence({ platform: 'github', identity: 'alice-demo', avatar: signer.avatar });
const history = await client.proofs
  .history({ platform: 'github', identity: 'alice-demo', avatar: signer.avatar })
  .toArray();

await client.kv.patch({ platform: 'github', identity: 'alice-demo', patch: { name: 'Alice', tags: [1] }, signer });
const content = await client.kv.patch({ platform: 'github', identity: 'alice-demo', patch: { name: null }, signer });
const read = await client.kv.get(signer.avatar);
const patches = await client.kv.chain(signer.avatar).toArray();

await ask({ restart: true });

await client.unbind({ platform: 'github', identity: 'alice-demo', signer });
const after = await client.proofs.exists({ platform: 'github', identity: 'alice-demo', avatar: signer.avatar });
const links = await client.chain(signer.avatar).toArray();
const feed = [];
for await (const link of client.changes()) feed.push(link.uuid);

const liar = createClient({ baseUrl: LYING_URL });
/** @type {Record<string, string>} */
const caught = {};
const lies = {
  chain: () => liar.chain(signer.avatar).toArray(),
  find: () => liar.proofs.find({ identity: address }).toArray(),
  feed: async () => {
    for await (const link of liar.changes()) void link;
  },
  kv: () => liar.kv.chain(signer.avatar).toArray(),
};
for (const [name, lie] of Object.entries(lies)) {
  caught[name] = await lie().then(
    () => 'nothing',
    (error) =>
      error instanceof VerificationError && error.steps.some((step) => step.state === 'failed')
        ? 'caught'
        : error.stack,
  );
}

while (!seen.includes('proof.revoked github')) await new Promise((resolve) => setTimeout(resolve, 20));
stop.abort();
await streamed;
process.send?.({
  done: {
    own: own.avatar === eoa.avatar,
    waits: waits.slice(0, 1),
    location: post.proof_location,
    group: groups[0].proofs.map((proof) => proof.identity),
    many: many.map((one) => one.groups.length),
    isValid: state?.is_valid,
    account: evidence.account_id,
    checks: history.length > 0,
    content: content.proofs[0].content,
    // Behind a patch there is also its receipt, and nothing was checked yet.
    isRead: isDeepStrictEqual({ ...read, resting: content.resting, receipt: content.receipt }, content),
    patches: patches.length,
    after,
    actions: links.map((link) => `${link.action} ${link.platform}`),
    feed: feed.length,
    caught,
    seen,
  },
});
process.disconnect();
