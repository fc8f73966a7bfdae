import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The pages of accounts whose addresses only their own servers know, for links with `rel="me"`. */
export class ProfilePages1763702000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query("alter table proof_evidence add column profile_url text not null default ''");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table proof_evidence drop column profile_url');
  }
}
