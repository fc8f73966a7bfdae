/**
 * The life of a binding with fresh keys: every request and answer is shown, and all answers of the service are verified
 * here. `npm run demo -- --help` lists the options.
 */
import './check-node.mjs';
import { parseArgs } from 'node:util';
import { confirm, conversation, DemoFailure, explain } from './demo/conversation.mjs';
import { freshKey } from './demo/keys.mjs';
import { eventsLife } from './demo/events-life.mjs';
import { kvLife } from './demo/kv-life.mjs';
import { startOwnServer } from './demo/own-server.mjs';
import { platformLife } from './demo/platform-life.mjs';
import { playground } from './demo/playground.mjs';
import { STAND_IN_PLATFORMS, startPlatforms } from './demo/stand-in-platforms.mjs';
import { followFeed, verifyChain, walletLife } from './demo/wallet-life.mjs';

const HELP = `Usage: npm run demo [-- OPTION]

  (none)               binds and revokes a wallet and writes content, against the running service
                       (BASE_URL, by default http://localhost:3000)
  --platform NAME      binds and revokes an account, against a server and platforms of the demo's own;
                       NAME is ${STAND_IN_PLATFORMS.join(', ')} or all
  --events             shows a signed webhook and the event stream, against a server and a receiver of the demo's own
  --playground         starts a server with stand-ins of the platforms and leaves it running, for the walks of docs/guide
                       (PORT, by default 3000; PLATFORMS_PORT, by default 3001)
  --help               shows this

Nothing leaves this machine, and all keys are thrown away.`;

async function wallets() {
  const baseUrl = (process.env.BASE_URL ?? `http://localhost:${process.env.PORT ?? 3000}`).replace(/\/$/, '');
  const call = conversation(baseUrl);
  const avatar = freshKey();
  const wallet = freshKey();
  explain('Say hello', `A fresh Avatar ${avatar.publicKey} and a fresh wallet ${wallet.address} meet ${baseUrl}.`);
  const health = await call('GET', '/healthz');
  confirm(health.platforms.includes('ethereum'), 'this server checks wallets');
  const { uuids } = await walletLife(call, avatar, wallet);
  await verifyChain(call, avatar, uuids);
  await followFeed(call, uuids);
  await kvLife(call, avatar);
}

/** @param {string} name */
async function platforms(name) {
  const wanted = name === 'all' ? STAND_IN_PLATFORMS : [name];
  if (!wanted.every((platform) => STAND_IN_PLATFORMS.includes(platform))) {
    throw new DemoFailure(
      `There is no stand-in for "${name}"; choose one of ${STAND_IN_PLATFORMS.join(', ')} or all. Wallets need none: npm run demo`,
    );
  }
  const world = await startPlatforms();
  const server = await startOwnServer(world.env, world.transport, world.baseUrl);
  try {
    const call = conversation(server.baseUrl);
    for (const platform of wanted) await platformLife(call, freshKey(), platform, world);
  } finally {
    await server.close();
    await world.close();
  }
}

/** @param {{ events?: boolean, platform?: string }} options */
async function show({ events, platform }) {
  if (events) await eventsLife();
  else if (platform) await platforms(platform);
  else await wallets();
  console.log('\nDemo finished: everything that was claimed was verified here.');
}

try {
  const { values } = parseArgs({
    options: {
      platform: { type: 'string' },
      events: { type: 'boolean' },
      playground: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) console.log(HELP);
  else if (values.playground) await playground();
  else await show(values);
} catch (error) {
  const isUsage = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  if (!(error instanceof DemoFailure || isUsage)) throw error;
  console.error(`\nDemo stopped. ${error.message}${isUsage ? '\n\n' + HELP : ''}`);
  process.exitCode = 1;
}
