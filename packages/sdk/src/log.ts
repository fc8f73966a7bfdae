/** For programs that watch the transparency log of a server. */
export { LogForkError, NoLogError, NoMapError } from './errors.js';
export type { Completeness } from './client/paged-list.js';
export { CompleteReads } from './log/completeness.js';
export type { HeadStore, StoredHead } from './log/head-store.js';
export { MemoryHeadStore } from './log/head-store.js';
export type { KeptReceipt, ReceiptStore } from './log/receipt-store.js';
export { MemoryReceiptStore } from './log/receipt-store.js';
export type { CheckedMap } from './log/log-checker.js';
export type { LogOptions } from './log/log-options.js';
export { LogChecker } from './log/log-checker.js';
export type { FeedPatch, LogInfo } from './log/log-reader.js';
export { LogReader } from './log/log-reader.js';
export { LogMonitor } from './log/monitor/monitor.js';
export type {
  AlarmCode,
  MissedHead,
  MonitorEvent,
  MonitorOptions,
  MonitorState,
} from './log/monitor/monitor-events.js';
export { newMonitorState } from './log/monitor/monitor-events.js';
export type { JudgedHead, Relation } from './log/one-history.js';
export { judgeHead, policyOfKey, readCosignedHead, relate } from './log/one-history.js';
export type { TransportOptions } from './transport.js';
export { Transport } from './transport.js';
