import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DataSource } from 'typeorm';
import { ArchiveScheduler } from '../../src/archive/archive.scheduler.js';
import type { RunningApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { type AnsweredLink, readFeed } from '../support/chain-checks.js';
import { linkWallet } from '../support/scenario.js';
import { QUICK_START } from '../support/tier.js';
import { until } from '../support/until.js';
import type { ArweaveStandIn } from './arweave-stand-in.js';

/** Reading the whole feed costs the server something. */
const LOOK_MS = 100;

type Client = Pick<RunningApp, 'get' | 'post'>;

/**
 * Adds `each` links to each of `avatars` Avatars, all Avatars at once: wallets are bound and revoked in pairs. Other
 * names are other Avatars.
 */
export async function addLinks(client: Client, avatars: number, each: number, name = 'archived'): Promise<void> {
  await Promise.all(
    Array.from({ length: avatars }, async (_, number) => {
      const avatar = anAvatar(`${name} ${number}`);
      for (let write = 0; write < each; write += 1) {
        const wallet = aWallet(`${name} ${number} ${Math.floor(write / 2)}`);
        const { status, body } = await linkWallet(client, avatar, wallet, {
          action: write % 2 === 0 ? 'create' : 'delete',
        });
        if (status !== 201) throw new Error(`a link was answered ${status}: ${JSON.stringify(body)}`);
      }
    }),
  );
}

/** Lets the archive of a server of this process go on now, as if the time until its next look or try had passed. */
export async function hurry({ app }: RunningApp): Promise<void> {
  const isWaiting = "next_at > now() - interval '1 minute' and (leased_until is null or leased_until < now())";
  await app.get(DataSource).query(`update archive_batch set next_at = now() - interval '1 minute' where ${isWaiting}`);
  app.get(ArchiveScheduler).tick();
}

/**
 * Waits until `isTrue`, and makes a server of this process hurry until then; not for failures, which would open the
 * circuit of the network.
 */
export async function untilInHurry(running: RunningApp, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  await until(async () => {
    await hurry(running);
    await delay(LOOK_MS);
    return isTrue();
  });
}

/**
 * Waits until the feed has `count` links and tells where each is archived. A server of this process is made to hurry.
 */
export async function untilArchived(client: Client | RunningApp, count: number): Promise<AnsweredLink[]> {
  let [links, archived]: [AnsweredLink[], number] = [[], 0];
  const isArchived = async () => {
    if ('app' in client) await hurry(client);
    links = await readFeed(client);
    archived = links.filter(({ archive_id: id }) => id !== '').length;
    return archived === count && links.length === count;
  };
  await until(isArchived).catch((error: unknown) => {
    throw new Error(`${archived} of ${links.length} links are archived, and not ${count}`, { cause: error });
  });
  return links;
}

/**
 * What is wrong with the archive of these links; empty if every link was taken once, under the id that the API tells,
 * and its document holds the link and names the one before it.
 */
export function problemsOfArchive(network: ArweaveStandIn, links: AnsweredLink[]): string[] {
  const heads = new Map<string, AnsweredLink>();
  const problems = links.flatMap((link) => {
    const previous = heads.get(link.avatar);
    heads.set(link.avatar, link);
    const { id, archive_id: said, ...fields } = link;
    const ids = network.idsOf(link.uuid);
    if (ids.join() !== said) return [`link ${id} is said to be ${said} and is ${ids.join()}`];
    const times = network.timesTaken.get(said);
    const expected = {
      ...fields,
      previous_uuid: previous?.uuid ?? '',
      previous_archive_id: previous?.archive_id ?? '',
    };
    const document = JSON.parse(network.items.get(said)!.data.toString()) as object;
    return [
      ...(times === 1 ? [] : [`link ${id} was taken ${times} times`]),
      ...(sorted(document) === sorted(expected) ? [] : [`link ${id} has the document ${JSON.stringify(document)}`]),
    ];
  });
  return [...problems, ...network.complaints];
}

/** The archive ids of the newest link of each Avatar. */
export function headsOf(links: AnsweredLink[]): string[] {
  return [...new Map(links.map((link) => [link.avatar, link.archive_id])).values()];
}

export interface Verification {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs `signet archive verify` in a process that knows nothing but a gateway and ids. */
export function verifyArchive(gateway: string, ...words: string[]): Promise<Verification> {
  const script = fileURLToPath(new URL('../../packages/cli/bin/signet.mjs', import.meta.url));
  const env = { PATH: process.env.PATH, ARWEAVE_GATEWAY_URL: gateway };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...QUICK_START, script, 'archive', 'verify', ...words],
      { env, maxBuffer: 1 << 24 },
      (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, stdout, stderr });
      },
    );
  });
}

function sorted(value: object): string {
  return JSON.stringify(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
