import { DataSource } from 'typeorm';
import { KvService } from '../../src/kv/kv.service.js';
import { SeededRandom } from '../crypto/seeded-random.js';
import { readKvChain, writeKv } from './kv-scenario.js';
import { randomPatch } from './random-patch.js';
import { type ChainItem, flawOf, replay } from './replay.js';
import { type Answer, type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet, type TestAvatar } from '../support/avatar.js';
import { sized } from '../support/tier.js';

/**
 * Sequences of patches, each by an Avatar of its own; every tenth goes over HTTP, the others through the service that
 * the controller calls.
 */
const SEQUENCES = sized('KV_SEQUENCES', { short: 60, long: 1000 });
const MAX_PATCHES = 4;
/** Sequences that run side by side. */
const LANES = 8;

interface Step {
  platform: string;
  identity: string;
  patch: object;
}

let app: RunningApp;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

function randomSteps(random: SeededRandom, { key }: TestAvatar, index: number): Step[] {
  const targets = [
    { platform: 'self', identity: key.uncompressed },
    { platform: 'ethereum', identity: aWallet(`replay ${index}`).address },
  ];
  return Array.from({ length: 1 + random.below(MAX_PATCHES) }, () => ({
    ...random.pick(targets),
    patch: randomPatch(random),
  }));
}

async function writeOverHttp(avatar: TestAvatar, { patch, ...target }: Step): Promise<void> {
  expect((await writeKv(app, avatar, patch, target)).status).toBe(201);
}

async function writeToService(avatar: TestAvatar, step: Step): Promise<void> {
  const kv = app.app.get(KvService);
  const request = { avatar: avatar.key.compressed, ...step };
  const { sign_payload: signPayload, ...issued } = await kv.prepare(request, new Date());
  await kv.submit({ ...request, ...issued, signature: avatar.sign(signPayload) }, new Date());
}

/** What GET /v1/kv and GET /v1/kv/chain show. */
async function seenOverHttp(avatar: TestAvatar) {
  const { body } = await app.get(`/v1/kv?avatar=${avatar.key.compressed}`);
  return { chain: await readKvChain(app, avatar), entries: replay(body.proofs.map(asPatch)) };
}

/** What is in the tables. */
async function seenInDatabase({ key }: TestAvatar) {
  const database = app.app.get(DataSource);
  const chain: (ChainItem & { patch: string })[] = await database.query(
    `select uuid, platform, identity, patch, extract(epoch from created_at)::int as created_at, signature, signature_payload
     from kv_patch where avatar = $1 order by position_in_chain`,
    [key.compressed],
  );
  const entries: { key: string; content: string }[] = await database.query(
    `select platform || ' ' || identity as key, content from kv_entry where avatar = $1`,
    [key.compressed],
  );
  return {
    chain: chain.map((item) => ({ ...item, patch: JSON.parse(item.patch) as unknown })),
    entries: Object.fromEntries(entries.map((entry) => [entry.key, entry.content])),
  };
}

/** Content as the patch that makes it out of nothing. */
function asPatch({ platform, identity, content }: Answer['body']) {
  return { platform, identity, patch: content };
}

it('keeps exactly the content that replaying the signed chain gives, for random sequences', async () => {
  const random = new SeededRandom('kv replay');
  const work = Array.from({ length: SEQUENCES }, (_, index) => {
    const avatar = anAvatar(`replay ${index}`);
    return { avatar, steps: randomSteps(random, avatar, index), isHttp: index % 10 === 0 };
  });
  const queue = work.values();

  const lane = async () => {
    for (const { avatar, steps, isHttp } of queue) {
      for (const step of steps) await (isHttp ? writeOverHttp : writeToService)(avatar, step);
      const { chain, entries } = await (isHttp ? seenOverHttp : seenInDatabase)(avatar);
      expect(flawOf(chain, avatar.key.compressed)).toBeNull();
      expect(replay(chain)).toEqual(entries);
      expect(chain.map(({ platform, identity }) => ({ platform, identity }))).toEqual(
        steps.map(({ platform, identity }) => ({ platform, identity })),
      );
      expect(replay(chain)).toEqual(replay(steps));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
});
