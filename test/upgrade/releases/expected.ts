import type { Expected } from './differences.js';

/**
 * What this version answers otherwise than the releases whose data it finds, and why that is in order. Everything else
 * has to be the same, member by member.
 */
export const EXPECTED: Record<string, Expected[]> = {
  '0.1.0': [
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
};
