import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The long work of an upgrade, which servers do while they serve (`upgrade-steps.ts`), and what keeps columns of
 * version 0.2.0 right while servers of 0.1.0 write beside it.
 */
export class UpgradeSteps1763701500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table upgrade_step (
        -- As in the list of the code.
        id text primary key,
        -- The order in which steps are done, one after the other.
        place integer not null,
        -- Null: done.
        due_at timestamptz default now(),
        -- Until when one server works on it; null while none does.
        leased_until timestamptz,
        unfinished_runs integer not null default 0,
        started_at timestamptz,
        finished_at timestamptz,
        -- How far it has come: the last row id that is filled in, or thousandths of an index.
        done bigint not null default 0,
        -- What done will be at the end; null before it has begun.
        total bigint,
        -- Why it does not go on; empty if nothing is wrong.
        problem text not null default ''
      )`);
    // Servers of 0.1.0 do not know proof.chain_id: a binding that they make or make again gets it here. May be dropped
    // with version 0.3.0, when none of them runs any more.
    await runner.query(`
      create or replace function proof_chain_id() returns trigger language plpgsql as $$
        declare
          chain bigint;
        begin
          select (link.extra->>'chain_id')::bigint into chain from chain_link link where link.id = new.link_id;
          -- This version writes link and binding in one statement, together with the right chain.
          if found then new.chain_id := chain; end if;
          return new;
        end
      $$`);
    for (const [name, event, isForeign] of [
      ['proof_chain_id_insert', 'insert', 'new.chain_id is null'],
      ['proof_chain_id_update', 'update of link_id', 'new.chain_id is not distinct from old.chain_id'],
    ]) {
      await runner.query(`
        create or replace trigger ${name} before ${event} on proof for each row
        when (new.platform = 'ethereum' and ${isForeign}) execute function proof_chain_id()`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger proof_chain_id_insert on proof');
    await runner.query('drop trigger proof_chain_id_update on proof');
    await runner.query('drop function proof_chain_id()');
    await runner.query('drop table upgrade_step');
  }
}
