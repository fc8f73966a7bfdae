import { readFileSync } from 'node:fs';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import {
  AUTH_SERVER,
  type Client,
  KV_SERVER,
  MASKBOOK,
  RELATION_SERVER,
  SDK,
  SDK_JAVA,
  SDK_RUST,
  type Situation,
} from './clients.js';

/** Each client with the steps that fail where the dialect is not spoken. */
const CLIENTS: [name: string, client: Client, failingWithout: string[]][] = [
  ['sdk', SDK, []],
  ['auth_server', AUTH_SERVER, []],
  ['relation_server', RELATION_SERVER, ['fetch a key']],
  ['kv_server', KV_SERVER, ['find the bindings of a key', 'find a binding']],
  ['sdk_rust', SDK_RUST, Object.keys(SDK_RUST)],
  ['sdk_java', SDK_JAVA, Object.keys(SDK_JAVA)],
  [
    'Maskbook',
    MASKBOOK,
    [
      'bind a wallet in mixed letters that are not its checksum',
      'find its own bindings',
      'search for what is no key',
      'hide an address',
      'see it hidden',
      'read what others wrote under an identity',
      'recognise the tweet that it is told to publish',
    ],
  ],
];

let spoken: RunningApp;
let plain: RunningApp;

beforeAll(async () => {
  spoken = await startApp({ env: { DIALECT: 'nextid' } });
  plain = await startApp();
});
afterAll(() => Promise.all([spoken?.close(), plain?.close()]));

/** Goes through the whole life of a client; answers the steps that failed, with the reason. */
async function failures({ baseUrl }: RunningApp, name: string, client: Client): Promise<Map<string, string>> {
  const situation: Situation = { baseUrl, avatar: anAvatar(`of ${name}`), wallet: aWallet(`of ${name}`) };
  const failed = new Map<string, string>();
  for (const [step, run] of Object.entries(client)) {
    await run(situation).catch((error: Error) => failed.set(step, error.message));
  }
  return failed;
}

describe('clients made for the services of NextID', () => {
  it.each(CLIENTS)('go through their whole life where their dialect is spoken: %s', async (name, client) => {
    expect(await failures(spoken, name, client)).toEqual(new Map());
  });

  it.each(CLIENTS)('fail without it where they ask for more than the contract: %s', async (name, client, failing) => {
    expect([...(await failures(plain, name, client)).keys()]).toEqual(failing);
  });

  it.each(CLIENTS)('stand in the guide: %s', (name, _client, failing) => {
    const guide = readFileSync(new URL('../../docs/guide/nextid.md', import.meta.url), 'utf8');
    const row = guide.split('\n').find((line) => line.startsWith(`| ${name} |`));

    expect(row).toContain(failing.length === 0 ? '| works |' : `| ${failing.length} of `);
  });
});
