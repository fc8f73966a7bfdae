import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The chain on which a contract wallet said yes, beside the binding: it is answered with it. Of bindings that exist it
 * is filled in by the upgrade step `proof_chain_id`.
 */
export class WalletChain1763700900000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table proof
        -- Null for all else than contract wallets, and for a wallet of one key, which holds on every chain.
        add column chain_id bigint`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table proof drop column chain_id');
  }
}
