import { KEY_ENTRIES, LINK_ENTRIES, PATCH_ENTRIES } from '@signet/verify/log';
import { DataSource } from 'typeorm';
import { RECORD_KINDS } from '../../src/records/record-kinds.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar } from '../support/avatar.js';
import { ENGINES_OF_TIER } from '../support/engines.js';

const avatar = anAvatar('alice').key.compressed;

/** What may stand in a text of the database: control characters, and what JSON, SQL, HTML and UTF-16 treat apart. */
const TEXTS = [
  '',
  Array.from({ length: 31 }, (_, index) => String.fromCharCode(index + 1)).join(''),
  `"quoted" \\ back\\\\slash / 'single' $1 %s \u007f\u0080\u009f`,
  '\u2028\u2029\ufeff\uffff\ufffd\u00e9\u4e2d',
  '\u{1f600}\u{10ffff} </script> ,"erased":null}',
  JSON.stringify({ prev: null, text: 'a "signed" text\n' }),
];
const JSONS = [
  '{}',
  '{"number":1e400,"small":-0.1e-7,"long":123456789012345678901234567890}',
  `{"text":${JSON.stringify(TEXTS.join(''))},"list":[null,true,[]]}`,
];
const ERASED = '{"at":"1","law":"a \\"law\\"","identity_key":"\\u2028"}';

const FILL = [
  `insert into chain_link (id, avatar, position_in_chain, action, platform, identity, proof_location, created_at, uuid, signature,
     signature_payload, extra, archive_id, erased)
   select n, $1, n, 'create', 'github', text, text, '1969-12-31T23:59:59.999999Z'::timestamptz + n * interval '1 year',
     gen_random_uuid(), 'A+/=', text, json::jsonb, case when n % 2 = 1 then 'a-_' else '' end, case when n % 3 = 0 then $4::jsonb end
   from unnest($2::text[], $3::text[]) with ordinality as given(text, json, n)`,
  `insert into kv_patch (avatar, position_in_chain, feed_id, platform, identity, patch, created_at, uuid, signature, signature_payload,
     signer, erased)
   select $1, n, n, 'self', text, json, '2026-11-27T00:00:00.999999Z', gen_random_uuid(), 'A+/=', text,
     case when n % 2 = 1 then 'ed25519:0x00' end, case when n % 3 = 0 then $4::jsonb end
   from unnest($2::text[], $3::text[]) with ordinality as given(text, json, n)`,
  `insert into key_event (id, avatar, position_in_chain, action, fields, created_at, recorded_at, due_at, uuid, signer, cosigner, links,
     patches, signature, cosignature, successor, successor_signature, signature_payload)
   select n, $1, n, case when n % 3 = 0 then 'key.succeed' else 'key.freeze' end, json, now(), now(), now() + interval '1.7 seconds',
     gen_random_uuid(), 'main', case when n % 2 = 1 then 'main' end, n, 0, 'A+/=', case when n % 2 = 1 then 'B+/=' end,
     case when n % 3 = 0 then $1 end, case when n % 3 = 0 then 'C+/=' end, text
   from unnest($2::text[], $3::text[], array[$4]) with ordinality as given(text, json, nothing, n)`,
];

describe.each(ENGINES_OF_TIER)('records as JSON of the database on %s', (engine) => {
  let running: RunningApp;
  let source: DataSource;

  beforeAll(async () => {
    running = await startApp({ engine, env: { LOG: 'off' } });
    source = running.app.get(DataSource);
    const pairs = TEXTS.flatMap((text) => JSONS.map((json) => [text, json]));
    const values = [avatar, pairs.map(([text]) => text), pairs.map(([, json]) => json), ERASED];
    for (const sql of FILL) await source.query(sql, values);
  });
  afterAll(() => running.close());

  it.each([
    {
      kind: LINK_ENTRIES.name,
      feed: '/v1/proofchain/changes',
      list: 'links',
      chain: '/v1/proofchain?public_key=',
      per: 20,
    },
    { kind: PATCH_ENTRIES.name, feed: '/v1/kv/changes', list: 'patches', chain: '/v1/kv/chain?avatar=', per: 10 },
    { kind: KEY_ENTRIES.name, feed: '/v1/keys/changes', list: 'keys', chain: '/v1/keys/chain?avatar=', per: 20 },
  ])('a $kind is what the log and the archive make of its row, whatever its texts hold', async (one) => {
    const { feed, toRecord } = RECORD_KINDS.get(one.kind);
    const rows = await source.transaction((manager) => feed.readIn(manager, 0, 100, 10_000_000));
    const records = rows.map((row) => JSON.parse(JSON.stringify(toRecord(row as never))) as Record<string, unknown>);
    expect(records).toHaveLength(TEXTS.length * JSONS.length);

    const { body } = await running.get(`${one.feed}?last_id=0&count=100`);
    const items = body[one.list] as Record<string, unknown>[];
    // A number that is none of JavaScript is sent as it is stored; here it would be null.
    const asRead = JSON.parse(JSON.stringify(items)) as typeof items;

    expect(asRead).toEqual(records);
    expect(items.map((item) => Object.keys(item))).toEqual(records.map((record) => Object.keys(record)));

    const page = await running.get(`${one.chain}${avatar}`);
    const [name] = Object.keys(page.body).filter((member) => member !== 'pagination');
    const inChain = JSON.parse(JSON.stringify(page.body[name!])) as typeof items;
    const isInChain = one.kind === KEY_ENTRIES.name;
    const expected = records.slice(0, one.per).map(({ id, avatar: owner, ...rest }) => ({
      ...(isInChain && { id, avatar: owner }),
      ...rest,
    }));
    expect(inChain).toEqual(expected);
  });
});
