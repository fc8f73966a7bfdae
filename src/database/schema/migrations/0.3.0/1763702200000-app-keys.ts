import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys of apps, which sign patches for an Avatar that has added them. */
export class AppKeys1763702200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table key_event drop constraint key_event_action_check, add constraint key_event_action_check check (
        action in ('key.commit', 'key.freeze', 'key.thaw', 'key.succeed', 'key.veto', 'key.add', 'key.revoke'))`);
    // The key of an app that signed the patch; null where the Avatar did.
    await runner.query('alter table kv_patch add column signer text');
    await runner.query(`
      create table app_key (
        avatar text not null check (avatar ~ '^0x0[23][0-9a-f]{64}$'),
        -- <algorithm>:0x<hex>
        key text not null,
        -- The event that added it last.
        event uuid not null,
        scopes jsonb not null,
        origin text,
        expires_at timestamptz not null,
        -- The event that revoked it.
        revoked uuid,
        primary key (avatar, key)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table app_key');
    await runner.query('alter table kv_patch drop column signer');
    await runner.query(`
      alter table key_event drop constraint key_event_action_check, add constraint key_event_action_check check (
        action in ('key.commit', 'key.freeze', 'key.thaw', 'key.succeed', 'key.veto'))`);
  }
}
