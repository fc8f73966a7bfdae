import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a platform has signed of a post, and of its end, beside what this server has read: JSON, or ''. */
export class SignedEvidence1763702900000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table proof_evidence
        add column proof text not null default '',
        add column gone_proof text not null default ''`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table proof_evidence drop column proof, drop column gone_proof');
  }
}
