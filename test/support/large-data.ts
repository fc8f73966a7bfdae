import pg from 'pg';
import { largestHistory } from '../key-events/largest-history.js';
import { anAvatar } from './avatar.js';
import { fillSearchTable } from './search-table.js';

/** What a database holds after `seedLargeData`: the largest things that may be stored, so the dearest to answer. */
export interface LargeData {
  /** Avatars of 1,000 bindings each, all of them with one of `identity`. */
  collectors: string[];
  /** An identity on ethereum that all collectors hold. */
  identity: string;
  /** An Avatar with 4 MiB of content, and 1,000 patches, of which the newest 20 have 64 KiB. */
  hoarder: string;
  /** Avatars with as many key events as one may have (`largestHistory`). */
  keyrings: { commits: string; apps: string };
  /** An identity on ethereum under which 25 Avatars wrote 64 KiB each. */
  crowded: string;
  /** An Avatar whose chain, the last in the feed, has 100 links with a wallet signature of 64 KiB. */
  contract: string;
  /** The cursor before the first of those links. */
  beforeContract: number;
  /** A name on ethereum that very many Avatars hold, under which each of them wrote. */
  popular: string;
  /** Fifty more such names, held by fewer. */
  lessPopular: string[];
  /** An Avatar with as many links, on which these bindings rest. */
  longChain: string;
  /** How many. */
  holders: number;
  /** Events in the stream, numbered from 1 on; none of them is of the hoarder. */
  events: number;
}

/** Who has them. */
export const KEYRINGS = { commits: anAvatar('keyring of commits'), apps: anAvatar('keyring of apps') };

const COLLECTORS = 20;
const BINDINGS = 1000;
const CROWD = 25;
const KIB_64 = 64 * 1024;
const EVENTS = 20_000;

/** Ethereum address number `n`, where every third one is the same for all Avatars: an SQL expression. */
const ADDRESS = `'0x' || md5(case when n % 3 = 0 then '' else avatar end || n) || '00000000'`;

const BINDING_LINKS = `
  insert into chain_link (id, avatar, position_in_chain, action, platform, identity, created_at, uuid, signature, signature_payload, extra)
  select (number - 1) * ${BINDINGS} + n, avatar, n, 'create', 'ethereum', ${ADDRESS}, now(), gen_random_uuid(),
    repeat('A', 87) || '=', repeat('p', 400), jsonb_build_object('wallet_signature', repeat('A', 88))
  from unnest($1::text[]) with ordinality as a(avatar, number), generate_series(1, ${BINDINGS}) n`;
const LINKS = `
  insert into chain_link (id, avatar, position_in_chain, action, platform, identity, created_at, uuid, signature, signature_payload, extra)
  select n, avatar, n, 'create', 'ethereum', ${ADDRESS}, now(), gen_random_uuid(), repeat('A', 87) || '=', repeat('p', 400), '{}'
  from unnest($1::text[]) as avatar, generate_series(1, $2::int) n`;
const BINDINGS_OF_LINKS = `
  insert into proof (avatar, platform, identity, identity_folded, link_id, created_at, last_checked_at, is_valid)
  select avatar, platform, identity, identity, id, created_at, created_at, true from chain_link`;
const LARGE_LINKS = `
  insert into chain_link (id, avatar, position_in_chain, action, platform, identity, created_at, uuid, signature, signature_payload, extra)
  select ${COLLECTORS * BINDINGS} + n, avatar, n, 'create', 'ethereum', ${ADDRESS}, now(), gen_random_uuid(),
    repeat('A', 87) || '=', repeat('p', 400), jsonb_build_object('wallet_signature', repeat('A', ${KIB_64}))
  from unnest($1::text[]) as avatar, generate_series(1, 100) n`;
/** A quote for each second character: in a text inside JSON each of them takes two. */
const PATCHES = `
  insert into kv_patch (avatar, position_in_chain, platform, identity, patch, created_at, uuid, signature, signature_payload)
  select avatar, n, 'ethereum', '0x' || repeat('0', 40), text, now(), gen_random_uuid(), repeat('A', 87) || '=', '{"patch":' || text || '}'
  from unnest($1::text[]) as avatar, generate_series(1, 1000) n,
    lateral (select '[' || repeat('"",', case when n > 980 then ${Math.floor(KIB_64 / 3) - 2} else 10 end) || '""]' as text) as t`;
const CONTENT = `
  insert into kv_entry (avatar, platform, identity, content)
  select avatar, 'ethereum', '0x' || lpad(to_hex(n), 40, '0'), '{"text":"' || repeat('x', $2::int - 11) || '"}'
  from unnest($1::text[]) as avatar, generate_series(1, $3::int) n`;

const LONG_CHAIN = `
  insert into chain_link (id, avatar, position_in_chain, action, platform, identity, created_at, uuid, signature, signature_payload, extra)
  select $2::int + n, $1, n, 'create', 'ethereum', $3, now(), gen_random_uuid(), repeat('A', 87) || '=', repeat('p', 400), '{}'
  from generate_series(1, $4::int) n`;
/** Each binding has a key of its own; the newest have keys that exist, because content is shown with whole keys. */
const HOLDER = `coalesce(($2::text[])[n], '0x02' || encode(sha256(n::text::bytea), 'hex'))`;
const HOLDERS = `
  insert into proof (avatar, platform, identity, identity_folded, link_id, created_at, last_checked_at, is_valid)
  select ${HOLDER}, 'ethereum', $1, $1, $3::int - n + 1, now(), now(), true from generate_series(1, $4::int) n`;
const HOLDERS_OF_MORE = `
  insert into proof (avatar, platform, identity, identity_folded, link_id, created_at, last_checked_at, is_valid)
  select '0x03' || encode(sha256(n::text::bytea), 'hex'), 'ethereum', name, name, $2::int + n, now(), now(), true
  from generate_series(1, $3::int) n, lateral (select ($1::text[])[1 + n % cardinality($1::text[])] as name) as named`;
const CONTENT_OF_HOLDERS = `
  insert into kv_entry (avatar, platform, identity, content, updated_at)
  select ${HOLDER}, 'ethereum', $1, '{"text":"x"}', now() - make_interval(secs => n) from generate_series(1, $3::int) n`;

/** Key events of an Avatar, `$1`, from a list of facts as JSON, numbered behind those that are there. */
const KEY_EVENTS = `
  insert into key_event (id, avatar, position_in_chain, action, fields, signer, cosigner, links, patches, created_at,
    recorded_at, due_at, uuid, signature, cosignature, signature_payload)
  select (select count(*) from key_event) + n, $1, n, fact->>'action', fact->>'fields', fact->>'signer',
    fact->>'cosigner', (fact->>'links')::int, 0, now(), to_timestamp((fact->>'recorded_at')::bigint), now(),
    (fact->>'uuid')::uuid, repeat('A', 87) || '=',
    case when fact->>'cosigner' is not null then repeat('A', 87) || '=' end, repeat('p', 300) || (fact->>'fields')
  from json_array_elements($2::json) with ordinality as facts(fact, n)`;

const EVENT_ROWS = `
  insert into domain_event (name, payload, position)
  select 'proof.bound', jsonb_build_object('avatar', avatar, 'platform', 'ethereum', 'identity', identity, 'uuid', uuid,
    'link_id', id, 'created_at', extract(epoch from created_at)::bigint, 'proof_location', ''), id
  from chain_link where id <= $1`;

/**
 * Writes it past the application, without true signatures, which nobody looks at when it is read.
 * @param holders of the popular name; half of them are links of a chain of their own
 */
export async function seedLargeData(url: string, holders: number): Promise<LargeData> {
  const keys = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => anAvatar(`${name} ${index}`).key.compressed);
  const [collectors, crowd] = [keys('collector', COLLECTORS), keys('crowd', CROWD)];
  const [hoarder, contract] = [...keys('hoarder', 1), ...keys('contract', 1)] as [string, string];
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(BINDING_LINKS, [collectors]);
    await client.query(BINDINGS_OF_LINKS);
    await client.query(LARGE_LINKS, [[contract]]);
    await client.query(EVENT_ROWS, [EVENTS]);
    await client.query(PATCHES, [[hoarder]]);
    await client.query(CONTENT, [[hoarder], 1024 * 1024, 4]);
    await client.query(CONTENT, [crowd, KIB_64, 1]);
    const keyrings = { commits: KEYRINGS.commits.key.compressed, apps: KEYRINGS.apps.key.compressed };
    for (const kind of ['commits', 'apps'] as const) {
      const facts = largestHistory(kind, Math.floor(Date.now() / 1000));
      await client.query(KEY_EVENTS, [keyrings[kind], JSON.stringify(facts)]);
    }
    const [longChain] = keys('long chain', 1) as [string];
    const [popular, ...lessPopular] = keys('popular', 51).map((key) => `0x${key.slice(-40)}`) as [string, ...string[]];
    await seedHolders(client, { longChain, popular, lessPopular, holders, known: keys('holder', 1000) });
    await client.query('vacuum analyze');
    const { rows } = await client.query<{ identity: string }>(
      'select identity from proof group by identity order by count(*) desc limit 1',
    );
    const crowded = `0x${'1'.padStart(40, '0')}`;
    const beforeContract = COLLECTORS * BINDINGS;
    return {
      collectors,
      identity: rows[0]!.identity,
      hoarder,
      keyrings,
      crowded,
      contract,
      beforeContract,
      popular,
      lessPopular,
      longChain,
      holders,
      events: EVENTS,
    };
  } finally {
    await client.end();
  }
}

async function seedHolders(
  client: pg.Client,
  {
    longChain,
    popular,
    lessPopular,
    holders,
    known,
  }: Pick<LargeData, 'longChain' | 'popular' | 'lessPopular' | 'holders'> & { known: string[] },
): Promise<void> {
  const first = COLLECTORS * BINDINGS + 100;
  const fewer = Math.floor(holders / 2);
  await client.query(LONG_CHAIN, [longChain, first, popular, holders + fewer]);
  await client.query(HOLDERS_OF_MORE, [lessPopular, first, fewer]);
  await client.query(HOLDERS, [popular, known, first + fewer + holders, holders]);
  await fillSearchTable(client);
  await client.query(CONTENT_OF_HOLDERS, [popular, known, holders]);
}

/** Links of one Avatar, past the application as well: for a log that has more than one bundle. */
export async function seedLinks(url: string, avatar: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(LINKS, [[avatar], count]);
    await client.query(BINDINGS_OF_LINKS);
  } finally {
    await client.end();
  }
}
