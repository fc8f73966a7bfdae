import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Key events, which say what becomes of an Avatar when its key is lost or stolen, and the Avatars whose writes they
 * stop. The triggers refuse links and patches of these, also those of servers of older versions, which know no key
 * events: one look at the index of a table that has a row for few Avatars.
 */
export class Keys1763701900000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table key_event (
        -- The number in the feed, given under the append lock.
        id bigint primary key,
        avatar text not null check (avatar ~ '^0x0[23][0-9a-f]{64}$'),
        position_in_chain integer not null check (position_in_chain >= 1),
        previous_position integer generated always as (nullif(position_in_chain - 1, 0)) stored,
        action text not null check (action in ('key.commit', 'key.freeze', 'key.thaw', 'key.succeed', 'key.veto')),
        -- Canonical JSON of what is signed for this action.
        fields text not null,
        signer text not null,
        cosigner text,
        -- Of a succession: the compressed key of the Avatar that comes after this one.
        successor text,
        links integer not null,
        patches integer not null,
        created_at timestamptz not null,
        recorded_at timestamptz not null,
        due_at timestamptz not null check (due_at >= recorded_at),
        uuid uuid not null constraint key_event_uuid unique,
        signature text not null,
        cosignature text,
        successor_signature text,
        signature_payload text not null,
        check ((cosigner is null) = (cosignature is null)),
        check ((successor is null) = (action <> 'key.succeed')),
        check ((successor is null) = (successor_signature is null)),
        -- Head of a chain, a page of it, its length.
        constraint key_event_position unique (avatar, position_in_chain),
        constraint key_event_previous foreign key (avatar, previous_position)
          references key_event (avatar, position_in_chain)
      )`);
    await runner.query(`
      create table avatar_hold (
        avatar text primary key check (avatar ~ '^0x0[23][0-9a-f]{64}$'),
        -- Until when writes are refused; null where nothing is frozen.
        frozen_until timestamptz,
        -- From when on another Avatar has succeeded this one, unless it is vetoed; null where none is named.
        succeeded_from timestamptz,
        -- That Avatar; where it is null, so are the members below.
        successor text,
        -- The uuid of the key event that says so.
        succession uuid,
        -- The number of the last link that the owner made, and the place of the last patch; 0 where none is.
        since_link bigint,
        since_patch integer,
        -- Time has passed to here for this Avatar: its newest key event, or what was announced behind it. What clocks
        -- say that are set back counts for nothing.
        settled_until timestamptz not null,
        check ((succeeded_from is null) = (successor is null)),
        check ((successor is null) = (succession is null)),
        check ((successor is null) = (since_link is null)),
        check ((successor is null) = (since_patch is null))
      )`);
    // Who names this Avatar as successor.
    await runner.query('create index avatar_hold_successor on avatar_hold (successor) where successor is not null');
    await runner.query(`
      create table kv_entry_then (
        -- The uuid of a succession, and the place of the owner's last patch, which it names.
        event uuid not null,
        avatar text not null,
        since_position integer not null,
        -- An entry that patches behind that one have changed.
        platform text not null,
        identity text not null,
        -- As it was behind that patch; null where it was not there yet.
        content text,
        content_bytes integer generated always as (octet_length(content)) stored,
        primary key (event, platform, identity)
      )`);
    await runner.query('create index kv_entry_then_avatar on kv_entry_then (avatar)');
    await runner.query(`
      create table key_deadline (
        -- The key event: a commit or a succession that is pending, or a freeze. What became of it is announced when it
        -- is due, once, by whoever takes the row out.
        id bigint primary key,
        avatar text not null,
        due_at timestamptz not null,
        leased_until timestamptz,
        unfinished_runs integer not null default 0
      )`);
    await runner.query('create index key_deadline_due on key_deadline (due_at)');
    await runner.query('create index key_deadline_avatar on key_deadline (avatar)');
    await runner.query(`
      create function refuse_held_avatar() returns trigger language plpgsql as $$
      declare
        held text;
      begin
        select case when succeeded_from <= greatest(clock_timestamp(), settled_until) then 'succeeded'
            when frozen_until > greatest(clock_timestamp(), settled_until) then 'frozen' end
          into held from avatar_hold where avatar = new.avatar;
        if held is not null then
          raise exception 'The writes of Avatar % are stopped by its keys.', new.avatar
            using errcode = 'SG001', hint = held;
        end if;
        return new;
      end $$`);
    for (const table of ['chain_link', 'kv_patch']) {
      await runner.query(`
        create trigger ${table}_held before insert on ${table}
        for each row execute function refuse_held_avatar()`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger chain_link_held on chain_link');
    await runner.query('drop trigger kv_patch_held on kv_patch');
    await runner.query('drop function refuse_held_avatar');
    await runner.query('drop table key_deadline, kv_entry_then, avatar_hold, key_event');
  }
}
