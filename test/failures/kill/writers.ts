import type { SeededRandom } from '../../crypto/seeded-random.js';
import { kvPayload, readKvChain, submitKv } from '../../kv/kv-scenario.js';
import { flawOf, replay } from '../../kv/replay.js';
import type { Answer, RunningApp } from '../../support/app.js';
import { aWallet, anAvatar, type TestAvatar } from '../../support/avatar.js';
import { type AnsweredLink, problemsOfChain, readChain } from '../../support/chain-checks.js';
import { signedSubmit, walletPayload } from '../../support/scenario.js';

type Client = Pick<RunningApp, 'get' | 'post'>;

/** Few, so that deletes and refreshes often meet something. */
const THINGS = 4;

/**
 * A client that writes with one Avatar at full speed, remembers what was acknowledged, and checks later that it is
 * there.
 */
export interface Writer {
  /** Number of writes that were answered 201. */
  acknowledged(): number;
  /** The uuids of those. */
  uuids(): string[];
  /**
   * One write. False if the service said that it cannot reach its database.
   * @throws TypeError of `fetch` if the service is gone. @throws Error if it gives any other answer than it may.
   */
  write(client: Client): Promise<boolean>;
  /** What is wrong with what the service shows now; empty if nothing is. */
  check(client: Client): Promise<string[]>;
}

/** The uuids that were sent, and those whose 201 came back. */
class SentWrites {
  private readonly sent = new Set<string>();
  readonly acknowledged: string[] = [];

  /** Sends one signed write and judges its answer; `refusal` is the code of a 400 that is in order. */
  async send(uuid: string, send: () => Promise<Answer>, refusal?: string): Promise<boolean> {
    this.sent.add(uuid);
    const answer = await send();
    if (answer.status === 201) this.acknowledged.push(uuid);
    return answer.status === 201 || answer.body.code === refusal || isAway(answer, `the submit of ${uuid}`);
  }

  /** Every acknowledged write is there, in order, and nothing that was never sent. */
  problemsWith(stored: string[]): string[] {
    const kept = new Set(this.acknowledged);
    const found = stored.filter((uuid) => kept.has(uuid));
    const inOrder = found.join() === this.acknowledged.join();
    const strangers = stored.filter((uuid) => !this.sent.has(uuid));
    return [
      ...(inOrder ? [] : [`${this.acknowledged.length} were acknowledged, ${found.length} are there in order`]),
      ...strangers.map((uuid) => `${uuid} was never sent`),
    ];
  }
}

/** @throws Error for any other answer than that the database is away; `request` says what was asked */
function isAway({ status, body }: Answer, request: string): boolean {
  if (status === 503 && body.code === 'database_unavailable') return true;
  // A server that is stopped for a minute finds that the rest of a request has not come, and has read nothing.
  if (status === 408 && body.code === 'request_timeout') return true;
  throw new Error(`Unexpected answer ${status} to ${request}: ${JSON.stringify(body)}`);
}

/** Binds, refreshes and revokes wallets. */
export function linkWriter(name: string, random: SeededRandom): Writer {
  const avatar = anAvatar(name);
  const writes = new SentWrites();
  return {
    acknowledged: () => writes.acknowledged.length,
    uuids: () => writes.acknowledged,
    write: async (client) => {
      const wallet = aWallet(`${name} ${random.below(THINGS)}`);
      const action = random.below(3) === 0 ? 'delete' : 'create';
      const payload = await walletPayload(client, avatar, wallet, { action });
      if (payload.status !== 200) return !isAway(payload, `${name} for a payload`);
      const submit = signedSubmit(payload.body, avatar, wallet, { action });
      return writes.send(payload.body.uuid, () => client.post('/v1/proof', submit), 'binding_not_found');
    },
    check: async (client) => {
      const chain = await readChain(client, avatar.key.compressed);
      return [
        ...problemsOfChain(avatar.key.compressed, chain),
        ...writes.problemsWith(chain.map(({ uuid }) => uuid)),
        ...(await problemsOfBindings(client, avatar, chain)),
      ].map((problem) => `${name}: ${problem}`);
    },
  };
}

/** The bindings must be what the chain adds up to: a link and its proof are stored together or not at all. */
async function problemsOfBindings(client: Client, avatar: TestAvatar, chain: AnsweredLink[]): Promise<string[]> {
  const expected = new Set<string>();
  for (const { action, identity } of chain) {
    if (action === 'create') expected.add(identity);
    else expected.delete(identity);
  }
  const { body } = await client.get(`/v1/proof?platform=self&identity=${avatar.key.compressed}`);
  const held: string[] = (body.ids[0]?.proofs ?? []).map(({ identity }: { identity: string }) => identity);
  return held.sort().join() === [...expected].sort().join()
    ? []
    : [`holds ${held}, but the chain says ${[...expected]}`];
}

/** Sets and deletes keys of its own content. */
export function patchWriter(name: string, random: SeededRandom): Writer {
  const avatar = anAvatar(name);
  const writes = new SentWrites();
  let number = 0;
  return {
    acknowledged: () => writes.acknowledged.length,
    uuids: () => writes.acknowledged,
    write: async (client) => {
      const value = random.below(4) === 0 ? null : { number: ++number, list: [number, 'é🔑'] };
      const patch = { [`key ${random.below(THINGS)}`]: value };
      const payload = await kvPayload(client, avatar, patch);
      if (payload.status !== 200) return !isAway(payload, `${name} for a payload`);
      return writes.send(payload.body.uuid, () => submitKv(client, avatar, payload.body, patch));
    },
    check: async (client) => {
      const chain = await readKvChain(client, avatar);
      const flaw = flawOf(chain, avatar.key.compressed);
      const { body } = await client.get(`/v1/kv?avatar=${avatar.key.compressed}`);
      const shown = (body.proofs ?? []).map((entry: { content: unknown }) => ({ ...entry, patch: entry.content }));
      const isReplay = JSON.stringify(replay(chain)) === JSON.stringify(replay(shown));
      return [
        ...(flaw ? [flaw] : []),
        ...(isReplay ? [] : ['the content is not what the patches add up to']),
        ...writes.problemsWith(chain.map(({ uuid }) => uuid)),
      ].map((problem) => `${name}: ${problem}`);
    },
  };
}
