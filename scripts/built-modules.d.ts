/** Modules of the service that programs load, by their paths in the build. */
export interface BuiltModules {
  'application.js': typeof import('../src/application.js');
  'audit/verify-command.js': typeof import('../src/audit/verify-command.js');
  'config/config.module.js': typeof import('../src/config/config.module.js');
  'config/environment.js': typeof import('../src/config/environment.js');
  'crypto/ecdsa.js': typeof import('../src/crypto/ecdsa.js');
  'database/advisory-locks.js': typeof import('../src/database/advisory-locks.js');
  'database/database.js': typeof import('../src/database/database.js');
  'database/embedded/embedded-database.js': typeof import('../src/database/embedded/embedded-database.js');
  'database/schema/migrations/index.js': typeof import('../src/database/schema/migrations/index.js');
  'database/schema/migrator.js': typeof import('../src/database/schema/migrator.js');
  'database/write-transactions.js': typeof import('../src/database/write-transactions.js');
  'erasure/erase-command.js': typeof import('../src/erasure/erase-command.js');
  'ledger/payload.seal.js': typeof import('../src/ledger/payload.seal.js');
  'move/move-command.js': typeof import('../src/move/move-command.js');
  'outbound/web-client.js': typeof import('../src/outbound/web-client.js');
  'outbound/web.module.js': typeof import('../src/outbound/web.module.js');
  'platform/platform.module.js': typeof import('../src/platform/platform.module.js');
  'platform/platform.service.js': typeof import('../src/platform/platform.service.js');
  'transparency-log/signing/heads/head-files.js': typeof import('../src/transparency-log/signing/heads/head-files.js');
  'transparency-log/signing/heads/log-heads.js': typeof import('../src/transparency-log/signing/heads/log-heads.js');
  'transparency-log/log-command.js': typeof import('../src/transparency-log/log-command.js');
  'transparency-log/signing/heads/log-identity.js': typeof import('../src/transparency-log/signing/heads/log-identity.js');
  'transparency-log/log-sequencer.js': typeof import('../src/transparency-log/log-sequencer.js');
  'transparency-log/signing/heads/log-store.js': typeof import('../src/transparency-log/signing/heads/log-store.js');
  'transparency-log/log-writer.js': typeof import('../src/transparency-log/log-writer.js');
  'upgrade/upgrade-command.js': typeof import('../src/upgrade/upgrade-command.js');
}
