import { addKey, edApp, writeAsApp } from '../../keys/app-scenario.js';
import { commit, say, type SayOptions, succeed } from '../../keys/key-scenario.js';
import { writeKv } from '../../kv/kv-scenario.js';
import type { Answer, RunningApp } from '../../support/app.js';
import { anAvatar, aWallet, type TestAvatar, type TestWallet } from '../../support/avatar.js';
import { linkWallet } from '../../support/scenario.js';

type Server = Pick<RunningApp, 'get' | 'post'>;

/** An Avatar, a wallet that it has bound, and what key events have made of it. */
export interface Holder {
  avatar: TestAvatar;
  wallet: TestWallet;
}

const paper = anAvatar('words on paper');
const CASES = {
  'without key events': async () => {},
  'with recovery keys': async () => {},
  'frozen and thawed': async (server, { avatar }) => {
    taken(await say(server, avatar, { action: 'key.freeze' }));
    taken(await say(server, avatar, { action: 'key.thaw' }, { by: paper }));
    await write(server, avatar, 'behind a freeze');
  },
  frozen: async (server, { avatar }) => void taken(await say(server, avatar, { action: 'key.freeze' }, { by: paper })),
  'with a succession that is pending': async (server, { avatar }) => {
    taken(await succeed(server, avatar, await next(server, 'of a pending one'), { by: paper }));
  },
  'with a succession that was vetoed': async (server, { avatar }) => {
    const theft = taken(await succeed(server, avatar, await next(server, 'of a thief')));
    const veto = { action: 'key.veto' as const, fields: { event: theft.body.key_event.uuid } };
    taken(await say(server, avatar, veto, { by: paper }));
    await write(server, avatar, 'behind a veto');
  },
  succeeded: async (server, { avatar }) => {
    taken(await succeed(server, avatar, await next(server, 'of a succession'), { also: paper }));
  },
  'succeeded, with a binding of a thief': (server, one) => succeedBehind(server, one, { link: true }),
  'succeeded, with content of a thief': (server, one) => succeedBehind(server, one, { patch: true }),
  'with the key of an app that signed nothing': async (server, { avatar }) => {
    taken(await addKey(server, avatar, edApp('of an idle app')));
    await write(server, avatar, 'behind a key of an app');
  },
  'with a patch of the key of an app': async (server, { avatar }) => {
    taken(await addKey(server, avatar, edApp('of a busy app')));
    taken(await writeAsApp(server, avatar, edApp('of a busy app'), { by: 'an app' }));
  },
} satisfies Record<string, (server: Server, one: Holder) => Promise<void>>;

/** What key events have made of an Avatar of the scene. */
export type Case = keyof typeof CASES;

/** One Avatar for each thing that key events do, with links and content before and behind them. */
export async function playScene(server: Server): Promise<Map<Case, Holder>> {
  const holders = new Map<Case, Holder>();
  for (const [name, play] of Object.entries(CASES) as [Case, (server: Server, one: Holder) => Promise<void>][]) {
    const one = { avatar: anAvatar(name), wallet: aWallet(name) };
    if (name !== 'without key events') taken(await commit(server, one.avatar, [paper]));
    taken(await linkWallet(server, one.avatar, one.wallet));
    taken(await writeKv(server, one.avatar, { name }));
    await play(server, one);
    holders.set(name, one);
  }
  return holders;
}

/** What a thief has added is behind the last link and patch that the owner names. */
async function succeedBehind(server: Server, { avatar }: Holder, { link = false, patch = false }): Promise<void> {
  const { body: links } = await server.get(`/v1/proofchain?public_key=${avatar.key.compressed}`);
  const { body: patches } = await server.get(`/v1/kv/chain?avatar=${avatar.key.compressed}`);
  if (link) taken(await linkWallet(server, avatar, aWallet('of a thief')));
  if (patch) taken(await writeKv(server, avatar, { name: 'Eve' }));
  const successor = await next(server, `behind a thief ${String(link)}`);
  const since = { since_link: links.proof_chain[0].uuid, since_patch: patches.kv_chain[0].uuid };
  const options: SayOptions = { also: paper, successor };
  const fields = { ...since, successor: successor.key.compressed };
  taken(await say(server, avatar, { action: 'key.succeed', fields }, options));
}

/** An Avatar that comes after another one, with a link of its own. */
async function next(server: Server, name: string): Promise<TestAvatar> {
  const avatar = anAvatar(`the next key ${name}`);
  taken(await linkWallet(server, avatar, aWallet(`the next wallet ${name}`)));
  return avatar;
}

async function write(server: Server, avatar: TestAvatar, name: string): Promise<void> {
  taken(await linkWallet(server, avatar, aWallet(name)));
  taken(await writeKv(server, avatar, { note: name }));
}

function taken(answer: Answer): Answer {
  if (answer.status === 201) return answer;
  throw new Error(`Step 2 answered ${answer.status}: ${JSON.stringify(answer.body)}`);
}
