import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SingleFlight } from '../../concurrency/single-flight.js';
import { withTimeout } from '../../concurrency/with-timeout.js';
import { isTooSlow } from '../../database/pg-errors.js';
import { missingMigrations, readSchemaVersions, versionProblem } from '../../database/schema/schema-version.js';
import type { ErrorBody } from '../../http/error-body.js';

/** Milliseconds for one row; a database that needs longer is not ready, even if it answers later. */
const PATIENCE_MS = 2_000;
/** Milliseconds for the version of the schema; after that any answer of the database is enough. */
const SCHEMA_PATIENCE_MS = 1_000;

const NOT_ANSWERING = { message: 'The database does not answer.', code: 'database_unavailable' };

/** Decides whether requests should be sent to this server. */
@Injectable()
export class Readiness {
  private readonly logger = new Logger('Readiness');
  private readonly questions = new SingleFlight<ErrorBody | null>();
  private readonly schemaQuestions = new SingleFlight();
  /** Why the schema does not fit, if known; null at the start, which needs a schema that fits. */
  private schemaProblem: ErrorBody | null = null;
  private isStopping = false;
  private hasLoggedTooOld = false;

  constructor(private readonly dataSource: DataSource) {}

  /** From now on the readiness probe reports that this server stops. */
  stop(): void {
    this.isStopping = true;
  }

  /** Returns why this server is not ready, or null. Never throws; takes little more than two seconds at most. */
  async unavailableReason(): Promise<ErrorBody | null> {
    if (this.isStopping) return { message: 'This server is stopping.', code: 'stopping' };
    // Probes that come while one waits share its question, so that they never pile up in front of a database that is
    // away.
    const answer = this.questions.join(() => this.askDatabase());
    return withTimeout(answer, PATIENCE_MS, () => NOT_ANSWERING);
  }

  /**
   * Reads the version of the schema. While the tables that hold it are locked, any answer of the database is enough,
   * and the last known version counts: otherwise one lock would take all servers out of service at once.
   */
  private async askDatabase(): Promise<ErrorBody | null> {
    try {
      const schema = this.schemaQuestions.join(() => this.askSchema());
      const isAnswered = await withTimeout(
        schema.then(() => true),
        SCHEMA_PATIENCE_MS,
        () => false,
      );
      if (!isAnswered) await Promise.race([schema, this.dataSource.query('select 1')]);
      return this.schemaProblem;
    } catch (error) {
      this.logger.warn(`This server is not ready: ${(error as Error).message}`);
      return NOT_ANSWERING;
    }
  }

  /** @throws the driver's error, unless the tables are locked */
  private async askSchema(): Promise<void> {
    try {
      const problem = versionProblem(await readSchemaVersions(this.dataSource));
      const missing = await missingMigrations(this.dataSource);
      if (problem !== null) this.schemaProblem = this.tooOld(problem);
      else if (missing.length === 0) this.schemaProblem = null;
      else {
        const message = `The schema lacks ${missing.length} migrations of this build.`;
        this.schemaProblem = { message, code: 'migrations_pending' };
      }
    } catch (error) {
      if (!isTooSlow(error)) throw error;
    }
  }

  /** Answers that a newer version has changed the database while this server runs; logged once per process. */
  private tooOld(message: string): ErrorBody {
    if (!this.hasLoggedTooOld) this.logger.error(message);
    this.hasLoggedTooOld = true;
    return { message, code: 'version_too_old' };
  }
}
