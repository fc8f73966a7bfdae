import type { ArweaveStandIn } from '../../../archive/arweave-stand-in.js';
import { kvPayload, writeKv } from '../../../kv/kv-scenario.js';
import { type Answer } from '../../../support/app.js';
import { anAvatar, aSolanaWallet, aWallet, type TestAvatar, type TestWallet } from '../../../support/avatar.js';
import type { EvmStandIn } from '../../../../packages/look/test/support/evm-stand-in.js';
import { linkSolana, linkWallet, signedSubmit, walletPayload } from '../../../support/scenario.js';
import { compileSolidity } from '../../../../packages/look/test/support/solidity.js';
import { until } from '../../../support/until.js';
import { HOOKS_HOST, type OutsideWorld, PEOPLE, placeOf, PUBLISHING, type Publishing } from '../accounts.js';
import type { IssuedPayload } from '../release-data.js';
import type { ReleaseServer } from './release-server.js';

const HOUR_MS = 3_600_000;

const personOf = (number: number): TestAvatar => anAvatar(`person ${number}`);
/** With the longest chain of links, and the longest of patches. */
const LONG = anAvatar('long');
const LONG_LINKS = 65;
const LONG_PATCHES = 45;

function expect201(answer: Answer): void {
  if (answer.status !== 201) throw new Error(`Answered ${answer.status}: ${JSON.stringify(answer.body)}`);
}

/** Both steps on a platform, with the post in between. */
async function bind(server: ReleaseServer, world: OutsideWorld, platform: Publishing, number: number): Promise<void> {
  const avatar = personOf(number);
  const { identity, proofLocation } = placeOf(platform, number);
  const link = { action: 'create', platform, identity, public_key: avatar.key.compressed };
  const { status, body } = await server.post('/v1/proof/payload', link);
  if (status !== 200) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
  const text = (body.post_content.default as string).replace('%SIG_BASE64%', avatar.sign(body.sign_payload));
  world.publish({ platform, number, text, avatar: avatar.key.compressed, state: 'there' });
  const { uuid, created_at } = body;
  expect201(await server.post('/v1/proof', { ...link, uuid, created_at, proof_location: proofLocation }));
}

async function revoke(server: ReleaseServer, avatar: TestAvatar, platform: string, identity: string): Promise<void> {
  const link = { action: 'delete', platform, identity, public_key: avatar.key.compressed };
  const { body } = await server.post('/v1/proof/payload', link);
  const { uuid, created_at, sign_payload: text } = body;
  expect201(await server.post('/v1/proof', { ...link, uuid, created_at, extra: { signature: avatar.sign(text) } }));
}

/** Bindings on every platform, in every state of proof; the clock ends two hours after `aheadMs`. */
export async function proofsInEveryState(server: ReleaseServer, world: OutsideWorld, aheadMs: number): Promise<void> {
  for (const number of Object.values(PEOPLE))
    for (const platform of PUBLISHING) await bind(server, world, platform, number);

  world.set(PEOPLE.lost, 'gone');
  world.set(PEOPLE.back, 'gone');
  await recheckAll(server, PEOPLE.lost, 'gone', 1);
  await server.setClock(aheadMs + HOUR_MS + 60_000);
  await recheckAll(server, PEOPLE.lost, 'gone', 2);
  world.set(PEOPLE.back, 'there');
  world.set(PEOPLE.missing, 'gone');
  world.set(PEOPLE.silent, 'down');
  await server.setClock(aheadMs + 2 * HOUR_MS);
  await recheckAll(server, PEOPLE.missing, 'gone', 1);
  for (const platform of PUBLISHING) {
    const { identity } = placeOf(platform, PEOPLE.remade);
    await revoke(server, personOf(PEOPLE.remade), platform, identity);
    await bind(server, world, platform, PEOPLE.remade);
    await revoke(server, personOf(PEOPLE.revoked), platform, placeOf(platform, PEOPLE.revoked).identity);
  }
}

/** Makes everything due, and waits until the accounts of `number` have `times` checks with this outcome everywhere. */
async function recheckAll(server: ReleaseServer, number: number, outcome: string, times: number): Promise<void> {
  for (const platform of PUBLISHING) await server.admin.post('/revalidation', { platform });
  for (const platform of PUBLISHING) {
    const { identity } = placeOf(platform, number);
    const path = `/v1/proof/history?platform=${platform}&identity=${identity}&public_key=${personOf(number).key.compressed}`;
    await until(async () => {
      const { body } = await server.get(path);
      return body.checks.filter((check: { outcome: string }) => check.outcome === outcome).length >= times;
    });
  }
  await until(async () => (await server.admin.get('/revalidation')).body.total.due === 0);
}

/** Wallets of one key and of two chains, and a chain of several pages. */
export async function wallets(server: ReleaseServer, chains: EvmStandIn[], signsChains: boolean): Promise<void> {
  for (let write = 0; write < LONG_LINKS; write++) {
    const action = write % 5 === 4 ? 'delete' : 'create';
    // Each delete is of the wallet before it.
    const number = (action === 'delete' ? write - 1 : write) % 23;
    expect201(await linkWallet(server, LONG, aWallet(`long ${number}`), { action }));
  }
  for (const name of ['one', 'two']) expect201(await linkSolana(server, LONG, aSolanaWallet(name)));
  expect201(await linkSolana(server, LONG, aSolanaWallet('two'), { action: 'delete' }));
  const owner = aWallet('owner');
  const bytecode = compileSolidity('contracts/wallets.sol')['OwnedWallet']!;
  for (const [index, chain] of chains.entries()) {
    const address = await chain.deploy(bytecode + owner.address.slice(2).padStart(64, '0'));
    const wallet = { ...owner, address };
    const chainId = signsChains ? Number(chain.setting.split('=')[0]) : undefined;
    await bindContract(server, wallet, chainId);
    if (index > 0) await revoke(server, anAvatar('contracts'), 'ethereum', address);
    if (index > 0) await bindContract(server, wallet, chainId);
  }
}

/** Both steps for a contract wallet, whose chain is signed since 0.2.0. */
async function bindContract(server: ReleaseServer, wallet: TestWallet, chainId: number | undefined): Promise<void> {
  const avatar = anAvatar('contracts');
  if (chainId === undefined) return expect201(await linkWallet(server, avatar, wallet));
  const link = { platform: 'ethereum', identity: wallet.address, public_key: avatar.key.compressed };
  const asked = { action: 'create', ...link, extra: { chain_id: chainId } };
  const { body } = await server.post('/v1/proof/payload', asked);
  const submit = signedSubmit(body, avatar, wallet);
  expect201(await server.post('/v1/proof', { ...submit, extra: { ...submit.extra, ...body.extra } }));
}

/** A revoked wallet and the first patch of somebody: what `npm run log -- erase` is to be asked for, since 0.2.0. */
export async function erasedRecords(server: ReleaseServer): Promise<string[][]> {
  const avatar = anAvatar('erased');
  expect201(await linkWallet(server, avatar, aWallet('erased')));
  await revoke(server, avatar, 'ethereum', aWallet('erased').address);
  expect201(await linkWallet(server, avatar, aWallet('kept')));
  for (const patch of [{ name: 'to be erased' }, { name: 'kept' }]) expect201(await writeKv(server, avatar, patch));
  const chain = await server.get(`/v1/proofchain?public_key=${avatar.key.compressed}`);
  const [made, revoked] = chain.body.proof_chain as [{ uuid: string }, { uuid: string }];
  const { body } = await server.get(`/v1/kv/chain?avatar=${avatar.key.compressed}`);
  const patch = body.kv_chain[0].uuid as string;
  // An erasure names the entry of the log.
  for (const uuid of [made.uuid, revoked.uuid, patch]) {
    await until(async () => (await fetch(`${server.baseUrl}/v1/log/proof?uuid=${uuid}`)).ok);
  }
  return [
    ['--link', revoked.uuid],
    ['--link', made.uuid],
    ['--patch', patch],
  ];
}

/** Chains of patches: of several pages, under identities of others, with deletes and hard text. */
export async function contents(server: ReleaseServer): Promise<void> {
  for (let number = 0; number < LONG_PATCHES; number++) {
    const value = number % 7 === 6 ? null : { number, list: [number, 'é🔑'], deep: { __proto__x: number / 3 } };
    expect201(await writeKv(server, LONG, { [`key ${number % 9}`]: value }));
  }
  const { identity } = placeOf('github', PEOPLE.steady);
  for (const name of ['person 0', 'person 1', 'writer']) {
    const options = { platform: 'github', identity };
    expect201(await writeKv(server, anAvatar(name), { site: `https://${name.replace(' ', '-')}.org` }, options));
    expect201(await writeKv(server, anAvatar(name), { site: null, tags: ['a', 'b'] }, options));
    expect201(await writeKv(server, anAvatar(name), { own: true }));
  }
}

/** Subscriptions of every kind, by the name of their receiver; and what was answered to their creation. */
export async function subscriptions(server: ReleaseServer): Promise<Record<string, Answer['body']>> {
  const made: Record<string, Answer['body']> = {};
  const subscribe = async (receiver: string, filters: object = {}) => {
    const answer = await server.admin.post('/subscriptions', { url: `https://${HOOKS_HOST}/${receiver}`, ...filters });
    expect201(answer);
    made[receiver] = answer.body;
  };
  await subscribe('all');
  // Few events, so that the schedule of its attempts comes to its end, and is at rest later.
  await subscribe('failing', { types: ['proof.bound'], platform: 'solana' });
  await subscribe('gone', { types: ['proof.revoked'] });
  await subscribe('github', { platform: 'github' });
  await subscribe('long', { avatar: LONG.key.compressed, types: ['kv.patched'] });
  await subscribe('rotated', { types: ['kv.patched'] });
  await subscribe('disabled');
  const rotated = await server.admin.post(`/subscriptions/${made['rotated'].id}/rotate`);
  made['rotated'] = { ...made['rotated'], ...rotated.body };
  await server.admin.patch(`/subscriptions/${made['disabled'].id}`, { enabled: false });
  for (const name of ['all', 'failing']) await server.admin.post(`/subscriptions/${made[name].id}/test`);
  return made;
}

/** Waits until a receiver has a delivery of this state that tells of an event. */
export async function deliveryOf(server: ReleaseServer, status: string, receiver: Answer['body']): Promise<void> {
  await until(async () => {
    const { body } = await server.admin.get(`/subscriptions/${receiver.id}/deliveries?status=${status}`);
    return body.deliveries.some(({ type }: { type: string }) => type !== 'webhook.test');
  });
}

/** Has an attempt that is made again find its subscription disabled, and be given up. */
export async function giveUpDisabled(server: ReleaseServer, receiver: Answer['body']): Promise<void> {
  const enable = (enabled: boolean) => server.admin.patch(`/subscriptions/${receiver.id}`, { enabled });
  await deliveryOf(server, 'pending', receiver);
  await enable(false);
  const { body } = await server.admin.get(`/subscriptions/${receiver.id}/deliveries?status=pending&type=proof.bound`);
  await server.admin.post(`/deliveries/${body.deliveries[0].id}/replay`);
  await deliveryOf(server, 'dead', receiver);
  await enable(true);
}

/** Waits until the archive is so far. */
export async function archived(server: ReleaseServer, isEnough: (status: Answer['body']) => boolean): Promise<void> {
  await until(async () => isEnough((await server.admin.get('/archive')).body));
}

/** Something of which the receiver that fails is told once more. */
export async function tellFailing(server: ReleaseServer): Promise<void> {
  expect201(await linkSolana(server, LONG, aSolanaWallet('three')));
}

/**
 * Links that stand still on their way into the archive: some accepted and not confirmed, the others not accepted.
 */
export async function uploadsUnderWay(server: ReleaseServer, network: ArweaveStandIn): Promise<void> {
  const before = (await server.admin.get('/archive')).body;
  network.isConfirming = false;
  const sender = anAvatar('uploads');
  for (let number = 0; number < 3; number++) expect201(await linkWallet(server, sender, aWallet(`upload ${number}`)));
  await archived(server, (status) => status.unconfirmed >= before.unconfirmed + 3);
  network.uploadFault = () => ({ status: 503 });
  for (let number = 3; number < 6; number++) expect201(await linkWallet(server, sender, aWallet(`upload ${number}`)));
  await archived(server, (status) => status.last_error !== '' && status.last_error !== null);
}

/** Payloads that nobody submits yet. */
export async function issuePayloads(server: ReleaseServer, world: OutsideWorld): Promise<IssuedPayload[]> {
  const issued: IssuedPayload[] = [];
  const wallet = aWallet('later');
  const [alice, bob, carol] = ['later alice', 'later bob', 'person 0'].map((name) => anAvatar(name));
  issued.push({
    kind: 'wallet',
    avatar: 'later alice',
    wallet: 'later',
    payload: (await walletPayload(server, alice!, wallet)).body,
  });
  const patch = { later: ['é', 1] };
  issued.push({ kind: 'patch', avatar: 'later bob', patch, payload: (await kvPayload(server, bob!, patch)).body });
  const number = 50;
  const { identity } = placeOf('github', number);
  const link = { action: 'create', platform: 'github', identity, public_key: carol!.key.compressed };
  const { body } = await server.post('/v1/proof/payload', link);
  const text = (body.post_content.default as string).replace('%SIG_BASE64%', carol!.sign(body.sign_payload));
  world.publish({ platform: 'github', number, text, avatar: carol!.key.compressed, state: 'there' });
  issued.push({ kind: 'post', avatar: 'person 0', number, payload: body });
  return issued;
}
