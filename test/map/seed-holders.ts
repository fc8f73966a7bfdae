import { randomUUID } from 'node:crypto';
import { linkPayload } from '@signet/verify';
import pg from 'pg';
import { anAvatar, type TestAvatar, type TestWallet } from '../support/avatar.js';

/** Avatars whose names are this and a number. */
export const avatarsNamed = (name: string, count: number): TestAvatar[] =>
  Array.from({ length: count }, (_, index) => anAvatar(`${name} ${index}`));

/** Writes a signed link of each Avatar, and the binding that it makes, past the application: that takes a second. */
export async function seedHolders(url: string, avatars: TestAvatar[], wallet: TestWallet): Promise<void> {
  const rows = avatars.map((avatar) => {
    const [uuid, created_at] = [randomUUID(), String(Math.floor(Date.now() / 1000))];
    const fields = {
      action: 'create',
      platform: 'ethereum',
      identity: wallet.address,
      created_at,
      avatar: avatar.key.compressed,
      uuid,
      prev: null,
    };
    const text = linkPayload(fields);
    return [avatar.key.compressed, created_at, uuid, avatar.sign(text), text, wallet.sign(text)];
  });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `insert into chain_link (id, avatar, position_in_chain, action, platform, identity, created_at, uuid, signature, signature_payload, extra)
       select id, avatar, 1, 'create', 'ethereum', $7, to_timestamp(at::float8), uuid::uuid, signature, text,
         jsonb_build_object('wallet_signature', wallet)
       from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
         with ordinality as rows(avatar, at, uuid, signature, text, wallet, id)`,
      [...Array.from({ length: 6 }, (_, column) => rows.map((row) => row[column])), wallet.address],
    );
    await client.query(
      `insert into proof (avatar, platform, identity, identity_folded, link_id, created_at, last_checked_at, is_valid)
       select avatar, platform, identity, identity, id, created_at, created_at, true from chain_link`,
    );
  } finally {
    await client.end();
  }
}
