import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many requests each platform got on each day, and how many reads of posts the operator pays for. */
export class PlatformUse1763701800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table platform_use (
        -- In UTC.
        day date not null,
        platform text not null,
        requests bigint not null,
        paid_reads bigint not null,
        primary key (day, platform)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table platform_use');
  }
}
