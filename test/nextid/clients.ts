import type { Answer } from '../support/app.js';
import type { TestAvatar, TestWallet } from '../support/avatar.js';

/*
 * Stand-ins for the clients of NextID's services, written from what those clients send and need (docs/guide/nextid.md):
 * each is as strict as its client, and no stricter.
 */

/** What a client is given: a server, and the person who uses it. */
export interface Situation {
  baseUrl: string;
  avatar: TestAvatar;
  wallet: TestWallet;
}

/** One call of a client with what it makes of the answer; throws where the client would fail. */
type Step = (situation: Situation) => Promise<void>;

/** A client: what it does in order, by name. */
export type Client = Record<string, Step>;

class Refused extends Error {}

async function call(
  baseUrl: string,
  method: string,
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
  type = 'application/json',
): Promise<Answer['body']> {
  const init = body === undefined ? {} : { body, headers: { 'Content-Type': type } };
  const response = await fetch(`${baseUrl}${path}`, { method, ...init });
  const answer = (await response.json()) as Answer['body'];
  if (response.status !== 200 && response.status !== 201) throw new Refused(`${response.status} ${answer.message}`);
  return answer;
}

const get = ({ baseUrl }: Situation, path: string) => call(baseUrl, 'GET', path);
const post = ({ baseUrl }: Situation, path: string, body: object, type?: string) =>
  call(baseUrl, 'POST', path, JSON.stringify(body), type);

/** As a deserialiser with required members does. */
function need(value: Answer['body'], members: Record<string, 'string' | 'number' | 'boolean' | 'object'>): void {
  for (const [name, type] of Object.entries(members)) {
    if (typeof value[name] !== type || value[name] === null) throw new Error(`no ${type} ${name}`);
  }
}

function expectSame(what: string, seen: unknown, wanted: unknown): void {
  if (seen !== wanted) throw new Error(`${what} is ${String(seen)}, not ${String(wanted)}`);
}

const bare = (key: string) => key.slice(2);
const GROUP = { persona: 'string', last_arweave_id: 'string', proofs: 'object' } as const;

/** The TypeScript SDK of NextID: keys with `0x`, `platform=ethereum`, nothing beyond the contract. */
export const SDK: Client = {
  'bind a wallet': async (situation) => {
    const { avatar, wallet } = situation;
    const link = {
      action: 'create',
      platform: 'ethereum',
      identity: wallet.address,
      public_key: avatar.key.compressed,
    };
    const payload = await post(situation, '/v1/proof/payload', { ...link, extra: null });
    need(payload, { post_content: 'object', sign_payload: 'string', uuid: 'string', created_at: 'string' });
    const { uuid, created_at, sign_payload: text } = payload;
    const extra = { wallet_signature: wallet.sign(text), signature: avatar.sign(text) };
    await post(
      situation,
      '/v1/proof',
      { ...link, uuid, created_at, proof_location: '', extra },
      'text/plain;charset=utf-8',
    );
  },
  'look it up': async (situation) => {
    const { body } = {
      body: await get(situation, `/v1/proof?platform=ethereum&identity=${situation.wallet.address}&exact=false`),
    };
    expectSame('avatar', body.ids[0].avatar, situation.avatar.key.compressed);
  },
  'ask whether it exists': async (situation) => {
    const { avatar, wallet } = situation;
    const query = `platform=ethereum&identity=${wallet.address}&public_key=${avatar.key.compressed}`;
    need(await get(situation, `/v1/proof/exists?${query}`), { is_valid: 'boolean', created_at: 'string' });
  },
  'read the chain': async (situation) => {
    const { proof_chain: links } = await get(situation, `/v1/proofchain?public_key=${situation.avatar.key.compressed}`);
    expectSame('links', links.length > 0, true);
  },
};

async function signedLink(
  situation: Situation,
  { name = 'identity', key, action = 'create' }: { name?: string; key: [string, string]; action?: string },
): Promise<void> {
  const { avatar, wallet } = situation;
  const link = (publicKey: string) => ({ action, platform: 'ethereum', [name]: wallet.address, public_key: publicKey });
  const payload = await post(situation, '/v1/proof/payload', link(key[0]));
  const { uuid, created_at, sign_payload: text } = payload;
  const extra = {
    signature: avatar.sign(text),
    ...(action === 'create' ? { wallet_signature: wallet.sign(text) } : {}),
  };
  await post(situation, '/v1/proof', { ...link(key[1]), uuid, created_at, extra });
}

/** sdk_rust: keys without `0x`, long in the first step and short in the second; its lists of members are closed. */
export const SDK_RUST: Client = {
  'bind a wallet': (situation) => {
    const { compressed, uncompressed } = situation.avatar.key;
    return signedLink(situation, { key: [bare(uncompressed), bare(compressed)] });
  },
  'look up by wallet': async (situation) => {
    const { ids } = await get(situation, `/v1/proof?platform=ethereum&identity=${situation.wallet.address}`);
    need(ids[0], { avatar: 'string', last_arweave_id: 'string', proofs: 'object' });
  },
  'look up by key': async (situation) => {
    const { ids } = await get(situation, `/v1/proof?platform=nextid&identity=${situation.avatar.key.compressed}`);
    need(ids[0], { avatar: 'string', last_arweave_id: 'string', proofs: 'object' });
  },
  'write key-value content': async (situation) => {
    const { avatar } = situation;
    const target = {
      avatar: avatar.key.uncompressed,
      platform: 'nextid',
      identity: avatar.key.compressed,
      patch: { a: 1 },
    };
    const payload = await post(situation, '/v1/kv/payload', target);
    const { uuid, created_at, sign_payload: text } = payload;
    await post(situation, '/v1/kv', { ...target, uuid, created_at, signature: avatar.sign(text) });
  },
  'read key-value content': async (situation) => {
    const { proofs } = await get(situation, `/v1/kv?avatar=${situation.avatar.key.compressed}`);
    const known = ['nextid', 'github', 'twitter', 'keybase', 'ethereum', 'discord', 'dotbit', 'solana', 'dns', 'minds'];
    for (const { platform } of proofs) expectSame(`platform ${platform} known`, known.includes(platform), true);
  },
  'delete the wallet': (situation) => {
    const { compressed, uncompressed } = situation.avatar.key;
    return signedLink(situation, { key: [bare(uncompressed), bare(compressed)], action: 'delete' });
  },
};

/** sdk_java: `Identity`, the text `null` for what it does not give, bodies in ISO-8859-1. */
export const SDK_JAVA: Client = {
  'bind a wallet': (situation) => {
    const { compressed } = situation.avatar.key;
    return signedLink(situation, { name: 'Identity', key: [compressed, compressed] });
  },
  'look up by wallet': async (situation) => {
    const query = `platform=ethereum&identity=${situation.wallet.address}&page=null`;
    need((await get(situation, `/v1/proof?${query}`)).ids[0], { persona: 'string', last_arweave_id: 'string' });
  },
  'look up by key': async (situation) => {
    const query = `platform=nextid&identity=${situation.avatar.key.compressed}&page=null`;
    expectSame('number', (await get(situation, `/v1/proof?${query}`)).ids.length, 1);
  },
  'follow the feed from the start': async (situation) => {
    const { links } = await get(situation, '/v1/proofchain/changes?last_id=null&count=null');
    for (const link of links) need(link, { alt_id: 'string', arweave_id: 'string' });
  },
  'follow the feed with a count of its own': async (situation) => {
    await get(situation, '/v1/proofchain/changes?count=1000');
    await get(situation, '/v1/proofchain/changes?last_id=0&count=1');
  },
  'write a patch in ISO-8859-1': async (situation) => {
    const { avatar } = situation;
    const target = {
      avatar: avatar.key.compressed,
      platform: 'nextid',
      identity: avatar.key.compressed,
      patch: { n: 'Zoë' },
    };
    const bytes = Uint8Array.from(Buffer.from(JSON.stringify(target), 'latin1'));
    await call(situation.baseUrl, 'POST', '/v1/kv/payload', bytes, 'application/json; charset=ISO-8859-1');
  },
  'delete the wallet': (situation) => {
    const { compressed } = situation.avatar.key;
    return signedLink(situation, { name: 'Identity', key: [compressed, compressed], action: 'delete' });
  },
};

/** What both endpoints of proofs give kv_server and relation_server, which only read. */
const boundBySdk: Client = { 'somebody bound a wallet': SDK['bind a wallet']! };

/** kv_server asks for the key itself, and needs `persona`. */
export const KV_SERVER: Client = {
  ...boundBySdk,
  'find the bindings of a key': async (situation) => {
    const { compressed } = situation.avatar.key;
    const { ids } = await get(situation, `/v1/proof?platform=nextid&identity=${compressed}&exact=true`);
    need(ids[0], GROUP);
    expectSame('persona', ids[0].persona, compressed);
  },
  'find a binding': async (situation) => {
    const { compressed } = situation.avatar.key;
    const { ids } = await get(situation, `/v1/proof?platform=ethereum&identity=${situation.wallet.address}`);
    need(ids[0], GROUP);
    expectSame('persona', ids[0].persona, compressed);
  },
};

/** relation_server reads times as decimal text, and panics otherwise. */
export const RELATION_SERVER: Client = {
  ...boundBySdk,
  'fetch an identity': async (situation) => {
    const answer = await get(situation, `/v1/proof?platform=ethereum&identity=${situation.wallet.address}&exact=true`);
    need(answer.pagination, { total: 'number', per: 'number', current: 'number', next: 'number' });
    for (const { created_at: time } of answer.ids[0].proofs) expectSame('time', /^\d+$/.test(time), true);
  },
  'fetch a key': async (situation) => {
    const { compressed } = situation.avatar.key;
    const { ids } = await get(situation, `/v1/proof?platform=nextid&identity=${compressed}&exact=true`);
    expectSame('number', ids.length, 1);
  },
};

/** auth_server asks whether a binding exists. */
export const AUTH_SERVER: Client = { ...boundBySdk, 'ask whether it exists': SDK['ask whether it exists']! };

/** Maskbook signs what it has read and written, sends `persona`, and compares compressed keys. */
const rewritten = (text: string) => JSON.stringify(JSON.parse(text));
/** Where its page marks a tweet as a proof: the text as it joins the parts of the page, with two blanks between. */
const RECOGNISED = /^🎭\s+Verify\s+@[\w]+\s+with\s+@NextDotID\s*\.\s*Sig:\s+(\S+)\s+Misc:\s+(\S+)/;

export const MASKBOOK: Client = {
  'bind a wallet in mixed letters that are not its checksum': async (situation) => {
    const { avatar, wallet } = situation;
    const identity = `0x${wallet.address.slice(2).replace(/..?/g, (pair) => pair[0]!.toUpperCase() + pair.slice(1))}`;
    const link = { action: 'create', platform: 'ethereum', identity, public_key: avatar.key.compressed };
    const payload = await post(situation, '/v1/proof/payload', link);
    const { uuid, created_at, sign_payload: text } = payload;
    const extra = { wallet_signature: wallet.sign(text), signature: avatar.sign(rewritten(text)) };
    await post(situation, '/v1/proof', { ...link, uuid, created_at, extra }, 'text/plain;charset=UTF-8');
  },
  'find its own bindings': async (situation) => {
    const { compressed } = situation.avatar.key;
    const { ids } = await get(situation, `/v1/proof?platform=nextid&identity=${compressed}&exact=true&order=desc`);
    const own = ids.find(({ persona }: { persona: string }) => persona === compressed);
    need(own, { persona: 'string', activated_at: 'string', proofs: 'object' });
    expectSame('activated', Number(own.activated_at) > 0, true);
  },
  'search for what is no key': async (situation) => {
    expectSame('number', (await get(situation, '/v1/proof?platform=nextid&identity=vitalik')).ids.length, 0);
  },
  'hide an address': async (situation) => {
    const { avatar, wallet } = situation;
    const { compressed } = avatar.key;
    // Handles of digits beside a name that sorts before them: the two ways of writing it differ.
    const patch = { 'com.maskbook.hidden': { $: true, '137': { [wallet.address]: true } } };
    const target = { persona: compressed, platform: 'nextid', identity: compressed, patch };
    const { uuid, created_at, sign_payload: text } = await post(situation, '/v1/kv/payload', target);
    await post(situation, '/v1/kv', { ...target, uuid, created_at, signature: avatar.sign(rewritten(text)) });
  },
  'see it hidden': async (situation) => {
    const { compressed } = situation.avatar.key;
    const { proofs } = await get(situation, `/v1/kv?persona=${compressed}`);
    const own = proofs.find(
      ({ platform, identity }: Answer['body']) => platform === 'nextid' && identity === compressed,
    );
    need(own, { content: 'object' });
  },
  'read what others wrote under an identity': async (situation) => {
    const query = `platform=nextid&identity=${situation.avatar.key.compressed}`;
    for (const { content } of (await get(situation, `/v1/kv/by_identity?${query}`)).values) Object.keys(content);
  },
  'recognise the tweet that it is told to publish': async (situation) => {
    const link = {
      action: 'create',
      platform: 'twitter',
      identity: 'Alice_1',
      public_key: situation.avatar.key.compressed,
    };
    const { post_content: texts, uuid } = await post(situation, '/v1/proof/payload', link);
    const shown = texts.en_US.replace('%SIG_BASE64%', 'c2ln').replaceAll(' ', '  ').replaceAll('\n', '  ');
    const [, signature, misc] = RECOGNISED.exec(shown) ?? [];
    expectSame('signature', signature, 'c2ln');
    expectSame('uuid', misc?.split('|')[0], uuid);
  },
};
