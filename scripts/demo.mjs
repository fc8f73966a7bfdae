/**
 * The life of a binding against a running service (BASE_URL, by default http://localhost:3000), with fresh keys: every request and answer is
 * shown, and everything the service says is verified here.
 */
import { confirm, conversation, DemoFailure, explain } from './demo/conversation.mjs';
import { freshKey } from './demo/keys.mjs';
import { followFeed, verifyChain, walletLife } from './demo/wallet-life.mjs';

const baseUrl = (process.env.BASE_URL ?? `http://localhost:${process.env.PORT ?? 3000}`).replace(/\/$/, '');

try {
  const call = conversation(baseUrl);
  const avatar = freshKey();
  const wallet = freshKey();
  explain('Say hello', `A fresh Avatar ${avatar.publicKey} and a fresh wallet ${wallet.address} meet ${baseUrl}.`);
  const health = await call('GET', '/healthz');
  confirm(health.platforms.includes('ethereum'), 'this server checks wallets');
  const { uuids } = await walletLife(call, avatar, wallet);
  await verifyChain(call, avatar, uuids);
  await followFeed(call, uuids);
  console.log('\nDemo finished: everything that was claimed was verified here.');
} catch (error) {
  if (!(error instanceof DemoFailure)) throw error;
  console.error(`\nDemo stopped. ${error.message}`);
  process.exit(1);
}
