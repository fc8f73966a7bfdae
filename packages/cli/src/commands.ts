/** The table of commands, in the order of the help. A further command is one more line here. */
import { archiveVerify } from './commands/archive.js';
import { bind, unbind } from './commands/bind.js';
import { chain } from './commands/chain.js';
import { completion } from './commands/completion.js';
import { doctor } from './commands/doctor.js';
import { events } from './commands/events.js';
import { exportFile, verifyFile } from './commands/export.js';
import { keyExport, keyImport, keyNew, keyShow } from './commands/key.js';
import { keysAdd, keysRevoke } from './commands/keys/app-keys.js';
import {
  keysCommit,
  keysFreeze,
  keysRehearse,
  keysShow,
  keysSucceed,
  keysThaw,
  keysVeto,
} from './commands/keys/recovery-keys.js';
import { kvChain, kvGet, kvPatch } from './commands/kv.js';
import { logReceipts } from './commands/receipts.js';
import { logAudit, logCheckpoint, logProof, logVerify } from './commands/log.js';
import { look } from './commands/look.js';
import { monitor } from './commands/monitor.js';
import { exists, proofs } from './commands/proofs.js';
import { watch } from './commands/watch.js';
import type { CommandDefinition } from './session.js';

/** Words that only group other commands. */
export const GROUPS: { name: string; summary: string }[] = [
  { name: 'key', summary: 'the key that signs for you' },
  { name: 'keys', summary: 'recovery keys, keys of apps, and who comes after an Avatar' },
  { name: 'kv', summary: 'JSON content of an Avatar' },
  { name: 'log', summary: 'the transparency log of a server' },
  { name: 'archive', summary: 'links in permanent storage' },
];

export const COMMANDS: CommandDefinition[] = [
  ...[keyNew, keyShow, keyImport, keyExport],
  ...[keysShow, keysCommit, keysRehearse, keysFreeze, keysThaw, keysSucceed, keysVeto],
  ...[keysAdd, keysRevoke, watch],
  ...[bind, unbind, proofs, exists, chain, look],
  ...[kvGet, kvPatch, kvChain, events],
  ...[logCheckpoint, logProof, logVerify, logReceipts, logAudit, monitor],
  ...[exportFile, verifyFile, archiveVerify, doctor, completion],
];
