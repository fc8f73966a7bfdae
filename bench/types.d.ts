/** Shows how far a case is. */
export type Progress = (text: string) => void;

/** A request of a case. */
export interface BenchRequest {
  method: string;
  path: string;
  body?: object;
  headers?: Record<string, string>;
}

/** The values of a submit by their names: those of another submit take their places. */
export type Words = Record<string, string>;

/** A submit, which is sent once. */
export interface SubmitRequest extends BenchRequest {
  words: Words;
  /** What the service checks before its transaction. */
  check: { text: string; signature: string };
}

/** A statement as the service has run it. */
export interface RecordedStatement {
  name?: string;
  text: string;
  values: unknown[];
  /** Which id its first row gives to the statements behind it. */
  gives?: string | undefined;
}

/** What the recorder has seen of a request. */
export interface RecordedRequest {
  status: number;
  /** Of the body of the answer. */
  bytes: number;
  statements: RecordedStatement[];
}

/** What the bare loop does in place of a request. */
export interface LoadItem {
  statements: RecordedStatement[];
  check?: SubmitRequest['check'];
}

/** What a run of load has measured; percentiles in milliseconds. */
export interface LoadResult {
  count: number;
  errors: number;
  firstError?: string;
  seconds: number;
  p50: number;
  p99: number;
  max: number;
}

/** Measures a number of connections for some milliseconds. */
export type Load = (connections: number, ms: number) => Promise<LoadResult>;

/** Requests a second, and percentiles in milliseconds. */
interface Speed {
  rate: number;
  p50: number;
  p99: number;
}

/** One round of a measurement: percent of one processor, MiB of memory, and the round of the limit. */
export interface Sample extends Speed {
  cpu: number;
  mib: number;
  bound: Speed | null;
}

/** A line of the table of a case: medians over its rounds. */
export type Row = Speed & { connections: number; cpu: number; mib: number } & (
    | { limit?: undefined; limitP50?: undefined; limitP99?: undefined; ratio?: undefined }
    | { limit: number; limitP50: number; limitP99: number; ratio: number }
  );

export interface Verdict {
  text: string;
  met: boolean;
  seen: string;
}

/** What a case answers. */
export interface CaseResult {
  name: string;
  title: string;
  rows?: Row[];
  notes?: string[];
  verdict?: Verdict | undefined;
}

/** A case of the benchmark. */
export interface Case {
  name: string;
  title: string;
  /** Measures it; what else it answers is for the JSON file. */
  run(stage: Stage, progress: Progress): Promise<Omit<CaseResult, 'name' | 'title'>>;
}

/** What is promised: the share of the limit at 16 connections, or by connections. */
export interface Target {
  text: string;
  ratio?: number;
  ratios?: Record<number, number>;
}

/** A look-up, measured against its own statements. */
export interface ReadCase {
  name: string;
  title: string;
  limit: 'pg';
  target?: Target;
  /** What is looked for, where a sequential scan is the comparison. */
  term?: string;
  requests(proofs: number): BenchRequest[];
}

/** Requests for payloads, measured against a bare Fastify. */
export interface PayloadCase {
  name: string;
  title: string;
  limit: 'fastify';
  target?: Target;
  requests(): BenchRequest[];
}

/** Submits, measured against the same transaction without a service. */
export interface SubmitCase {
  name: string;
  title: string;
  limit: 'submit';
  target?: Target;
  fresh(): SubmitRequest;
  /** The status that counts as success. */
  expect?: number;
  /** Reads between the submits, and how many before each. */
  reads?(proofs: number): BenchRequest[];
  readsEach?: number;
}

export type Stage = Awaited<ReturnType<typeof import('./stage.mjs').openStage>>;
export type Service = Awaited<ReturnType<typeof import('./servers.mjs').startService>>;

/** A run with the settings that it was made with. */
export interface BenchRun {
  machine: string;
  commit: string;
  /** When it began, after ISO 8601. */
  at: string;
  proofs: number;
  seconds: number;
  rounds: number;
  cases: CaseResult[];
}
