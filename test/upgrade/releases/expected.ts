import { PUBLISHING } from './accounts.js';
import type { Expected } from './differences.js';

/** An attempt to upload that fails is made again half a minute later, while all is asked for the last time. */
const LAST_ATTEMPT_SECONDS = 60;
/** Rechecks of one platform that are due: three an hour after the data was made, and all six some days later. */
const [LEAST_DUE, MOST_DUE] = [3, 6];

type Progress = Record<'due' | 'done' | 'failed', number>;
interface Rechecks {
  total: Progress;
  platforms: Record<string, Progress>;
}

/** Whether rechecks of every platform have become due, and none was made. */
function areOnlyDue({ total, platforms }: Rechecks): boolean {
  const parts = Object.values(platforms);
  return (
    Object.keys(platforms).sort().join() === [...PUBLISHING].sort().join() &&
    parts.every(({ due, done, failed }) => due >= LEAST_DUE && due <= MOST_DUE && done + failed === 0) &&
    total.due === parts.reduce((sum, { due }) => sum + due, 0)
  );
}

interface Queues {
  queues: { queue: string; waiting: number; running: number; dead: number }[];
}

/** Of webhooks: what has to be done still, whether or not it is being done, and what was given up. */
function webhooksOf({ queues }: Queues): number[] {
  return queues.flatMap(({ queue, waiting, running, dead }) => (queue === 'webhook' ? [waiting + running, dead] : []));
}

function namesOf({ platforms }: { platforms: (string | { platform: string })[] }): string[] {
  return platforms.map((one) => (typeof one === 'string' ? one : one.platform));
}

/** Platforms are behind those of before, which are as they were but for their texts. */
const ADDED_PLATFORM: Expected[] = [
  {
    path: /^\/(healthz|v1\/platforms)$/,
    member: /^platforms$/,
    why: 'added: Bluesky, and those behind it',
    holds: (now, before) =>
      namesOf(now)
        .join()
        .startsWith(`${namesOf(before).join()},bluesky`),
  },
  {
    path: /^\/v1\/proof$/,
    member: /^message$/,
    why: 'the refusal of an unknown platform names those that there are',
    holds: ({ message }, before) => message.replace(/, bluesky(?:, (?!and )\w+)*/, '') === before.message,
  },
];

/**
 * What this version answers otherwise than the releases whose data it finds, and why that is in order. Everything else
 * has to be the same, member by member.
 */
export const EXPECTED: Record<string, Expected[]> = {
  '0.1.0': [
    ADDED_PLATFORM[0]!,
    { path: /^\/healthz$/, member: /^(built_at|revision)$/, why: 'another build' },
    { path: /^\/(healthz|readyz)$/, member: /^log$/, why: 'added: state of the transparency log' },
    { path: /^\/v1\/platforms$/, member: /^service_name$/, why: 'added: for clients that offer the platform `self`' },
    { path: /^\/v1\/platforms$/, member: /^platforms\[\]\.steps/, why: 'texts for people, which say more than before' },
    {
      path: /^\/v1\/platforms$/,
      member: /^platforms\[\]\.(label|profile_urls|post_url|compose_url|file_name)/,
      why: 'added: what a page shows of a platform',
    },
    { path: /^\/v1\/proof$/, member: /^ids\[\]\.proofs_total$/, why: 'added: lists of several Avatars are bounded' },
    {
      path: /^\/v1\/proof(\/exists)?$/,
      member: /^(ids\[\]\.proofs\[\]\.)?chain_id$/,
      why: 'added: the chain of a contract wallet, which 0.1.0 stored with its link',
    },
    {
      path: /^\/v1\/proof$/,
      member: /^(status|pagination|ids|message|code)$/,
      why: 'a page behind the fiftieth of an ambiguous search is refused; an unknown platform is told of `self`',
    },
    {
      path: /^\/v1\/proof\/evidence$/,
      member: /^(message|code)$/,
      why: 'a 404 for an unknown Avatar says so, as `exists` does',
    },
    {
      path: /^\/v1\/kv\/chain$/,
      member: /^pagination\.(per|next)$/,
      why: 'pages of 10, so that an answer stays under 2 MB',
    },
    {
      path: /^\/v1\/kv\/by_identity$/,
      member: /^values\[\]\.content_bytes$/,
      why: 'added: says how much there is where a list leaves content out',
    },
    { path: /^\/subscriptions/, member: /(^|\.)format$/, why: 'added: CloudEvents' },
    {
      path: /^\/archive$/,
      member: /^(store|wallet_address|wallet_balance)$/,
      why: 'the comparison is made with ARCHIVE=none, so that nothing goes on',
    },
    {
      path: /^\/jobs$/,
      member: /^queues/,
      why: 'without ARCHIVE there is no queue of it; rows are counted, where 0.1.0 counted jobs that served them',
    },
  ],
  '0.2.0': [
    ...ADDED_PLATFORM,
    {
      path: /^\/v1\/platforms$/,
      member: /^platforms\[\]\.steps/,
      why: 'servers of the Fediverse that answer signed requests alone can be checked',
      holds: ({ platforms }) =>
        JSON.stringify(platforms).includes('can be checked where PUBLIC_URL is an https address'),
    },
    { path: /^\/healthz$/, member: /^(built_at|revision)$/, why: 'another build' },
    {
      path: /^\/archive$/,
      member: /^(store|wallet_address|wallet_balance)$/,
      why: 'the comparison is made with ARCHIVE=none, so that nothing goes on',
      holds: ({ store }) => store === 'none',
    },
    {
      path: /^\/archive$/,
      member: /^last_error_at$/,
      why: 'an attempt failed between the last question and the end of the process',
      holds: (now, before) => {
        const later = Number(now.last_error_at) - Number(before.last_error_at);
        return later > 0 && later <= LAST_ATTEMPT_SECONDS;
      },
    },
    {
      path: /^\/jobs$/,
      member: /^queues/,
      why: 'without ARCHIVE there is no queue of it; deliveries whose time has come wait for their receivers',
      holds: (now: Queues, before: Queues) => `${webhooksOf(now)}` === `${webhooksOf(before)}`,
    },
    {
      path: /^\/revalidation$/,
      member: /^(total\.(due|estimated_seconds_left)|platforms\.\w+)$/,
      why: 'rechecks are due by the clock of the database, and time has passed since',
      holds: areOnlyDue,
    },
  ],
};
