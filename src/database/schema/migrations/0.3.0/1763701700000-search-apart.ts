import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The index of searches over a table of its own, which is filled behind the commits of bindings (`SearchUpkeep`). Over
 * `proof` itself it cost each new binding, and each recheck, more time of PostgreSQL than all else of the row, and one
 * binding at a time: entries of many bindings that are merged together share most of their places in the index.
 *
 * Bindings are added in the order of their links, which become visible in this order, so those that wait are those of
 * links beyond the newest one here: it does not matter which server has written them, or which one ended when. What is
 * deleted leaves at once; what is deleted while a server adds it is noted, and leaves with the next round.
 *
 * Servers of 0.2.0 search by `proof_identity_pieces`. A database without bindings is new, so that none of them works on
 * it, and gets rid of that index. Elsewhere it stays for the time of the upgrade, and an operator may drop it after it.
 */
export class SearchApart1763701700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table proof_search (
        proof_id bigint primary key,
        -- The link that the binding rested on when it was added.
        link_id bigint not null,
        avatar text not null,
        platform text not null,
        identity_folded text not null
      )`);
    // Which bindings wait; in which ranges searches look.
    await runner.query('create index proof_search_newest on proof_search (link_id)');
    // Ambiguous lookup, the newest first (see the migration `search-by-pieces`).
    await runner.query(`
      create index proof_search_pieces on proof_search
      using gin ((identity_pieces(link_id, platform, identity_folded) collate "C"))`);
    await runner.query(`
      create table proof_search_left (
        -- A binding that was deleted and was not in proof_search, at least not yet.
        proof_id bigint primary key
      )`);
    await runner.query(`
      create function proof_search_left() returns trigger language plpgsql as $$
        begin
          delete from proof_search where proof_id = old.id;
          if not found then insert into proof_search_left (proof_id) values (old.id); end if;
          return null;
        end
      $$`);
    await runner.query(`
      create trigger proof_search_left after delete on proof for each row execute function proof_search_left()`);
    const [proof] = (await runner.query('select exists (select from proof) as "isUsed"')) as [{ isUsed: boolean }];
    if (!proof.isUsed) await runner.query('drop index if exists proof_identity_pieces');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger proof_search_left on proof');
    await runner.query('drop function proof_search_left()');
    await runner.query('drop table proof_search, proof_search_left');
  }
}
