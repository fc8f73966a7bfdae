import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SingleFlight } from '../concurrency/single-flight.js';
import { withTimeout } from '../concurrency/with-timeout.js';
import { missingMigrations, readSchemaVersions, versionProblem } from '../database/schema-version.js';
import type { ErrorBody } from '../http/error-body.js';

/** A database that needs longer for one row is not ready, whatever it will say in the end. */
const PATIENCE_MS = 2_000;

const NOT_ANSWERING = { message: 'The database does not answer.', code: 'database_unavailable' };

/** Says whether requests should be sent to this server. */
@Injectable()
export class Readiness implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Readiness');
  private readonly questions = new SingleFlight<ErrorBody | null>();
  private isStopping = false;
  private saidTooOld = false;

  constructor(private readonly dataSource: DataSource) {}

  beforeApplicationShutdown(): void {
    this.isStopping = true;
  }

  /** Why not, or null. Never throws, and never takes much longer than two seconds. */
  async unavailableReason(): Promise<ErrorBody | null> {
    if (this.isStopping) return { message: 'This server is stopping.', code: 'stopping' };
    // Probes that come while one waits share its question, so that they never pile up in front of a database that is
    // away.
    const answer = this.questions.join(() => this.ask());
    return withTimeout(answer, PATIENCE_MS, () => NOT_ANSWERING);
  }

  private async ask(): Promise<ErrorBody | null> {
    try {
      const problem = versionProblem(await readSchemaVersions((sql, values) => this.dataSource.query(sql, values)));
      if (problem !== null) return this.tooOld(problem);
      const missing = await missingMigrations((sql) => this.dataSource.query(sql));
      if (missing.length === 0) return null;
      return { message: `The schema lacks ${missing.length} migrations of this build.`, code: 'migrations_pending' };
    } catch (error) {
      this.logger.warn(`not ready: ${(error as Error).message}`);
      return NOT_ANSWERING;
    }
  }

  /** A newer version has changed the database while this server runs. Said once. */
  private tooOld(message: string): ErrorBody {
    if (!this.saidTooOld) this.logger.error(message);
    this.saidTooOld = true;
    return { message, code: 'version_too_old' };
  }
}
