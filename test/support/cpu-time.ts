import { readFileSync } from 'node:fs';
import type { Client } from 'pg';
import type { RouteClass } from '../../src/bounds/bounds.js';
import type { ServiceProcess } from './service-process.js';
import { until } from './until.js';

const probe = (name: string) => `--import=${new URL(name, import.meta.url).href}`;
/** For `startService`: makes the service say its processor time. */
export const WITH_CPU_PROBE = { NODE_OPTIONS: probe('./cpu-probe.mjs') };
/** For `startService`: makes the service say its processor time and its routes. */
export const WITH_PROBES = { NODE_OPTIONS: `${probe('./cpu-probe.mjs')} ${probe('./routes-probe.mjs')}` };

const REPORT = /cpu-probe (\d+) us/g;

/**
 * Milliseconds of processor time, of all threads, that a service started `WITH_CPU_PROBE` has used since its start.
 * Unlike the time of a clock it does not grow while other programs use the machine.
 */
export async function cpuMsOf(service: ServiceProcess): Promise<number> {
  const seen = service.output().length;
  const reports = () => [...service.output().slice(seen).matchAll(REPORT)];
  service.signal('SIGUSR2');
  await until(() => reports().length > 0);
  return Number(reports()[0]![1]) / 1000;
}

/** The routes that a service started `WITH_PROBES` has, such as `GET /v1/proof`. */
export function routesOf(service: ServiceProcess): string[] {
  return Object.keys(classesOf(service));
}

/** The class of each of these routes. */
export function classesOf(service: ServiceProcess): Record<string, RouteClass> {
  return JSON.parse(/^routes-probe (.*)$/m.exec(service.output())![1]!) as Record<string, RouteClass>;
}

/**
 * Milliseconds of processor time that the processes of PostgreSQL which serve the database of `client` have used so
 * far, by their ids (Linux, proc(5): `schedstat` counts nanoseconds). Without its own.
 */
export async function databaseCpuMs(client: Client): Promise<Map<number, number>> {
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  return new Map(rows.map(({ pid }) => [pid, cpuMsOfProcess(pid)]));
}

/** What was used between two looks, by processes that are still there. */
export function usedBetween(before: Map<number, number>, after: Map<number, number>): number {
  return [...after].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);
}

function cpuMsOfProcess(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return 0; // gone since, or another system
  }
}
