/**
 * What the server says about itself and its platforms, read once for the whole page. Nothing about single platforms is
 * built into the page but the texts `bind.how_<platform>` (bind/platform-steps.tsx) and the wallets of browsers.
 */
import type { Platform } from '@signet/sdk';
import { useEffect, useState } from 'preact/hooks';
import { API_URL } from './service.js';

/** The answer of `GET /v1/platforms`. */
interface Service {
  /** The platform value that stands for the service itself. */
  service_name: string;
  platforms: Platform[];
}

let reading: Promise<Service> | undefined;
let known: readonly Platform[] = [];

/** Platforms that are known before the server is asked: those of this version, while the fixed views are rendered. */
export function presetPlatforms(list: readonly Platform[]): void {
  known = list;
}

/** What can be bound. Read again after a failure. @throws SignetError */
export async function platformList(): Promise<Platform[]> {
  return (await service()).platforms;
}

/** What is known about a platform so far; undefined before the server answered, and for one that it does not have. */
export function knownPlatform(name: string): Platform | undefined {
  return known.find(({ platform }) => platform === name);
}

/**
 * The platforms of the server; null until they are known, and none where it did not answer. A component that calls this
 * is rendered again when they are known, with all below it.
 */
export function usePlatforms(): readonly Platform[] | null {
  const [platforms, setPlatforms] = useState<readonly Platform[] | null>(known.length > 0 ? known : null);
  useEffect(() => {
    platformList().then(setPlatforms, () => setPlatforms([]));
  }, []);
  return platforms;
}

/** The platform value that stands for the service itself; null while it is not known, or where it did not say. */
export function useServiceName(): string | null {
  const [name, setName] = useState<string | null>(null);
  useEffect(() => {
    serviceName().then(setName, () => setName(null));
  }, []);
  return name;
}

/** The platform value that stands for the service itself. Read again after a failure. @throws SignetError */
export async function serviceName(): Promise<string> {
  return (await service()).service_name;
}

function service(): Promise<Service> {
  reading ??= readService().then(
    (answer) => {
      known = answer.platforms;
      return answer;
    },
    (error: unknown) => {
      reading = undefined;
      throw error;
    },
  );
  return reading;
}

/**
 * One plain request: a first view that needs nothing else of the service does not wait for the code of the client.
 * Where nothing usable comes, the client asks, which tries several times and says what is wrong.
 */
async function readService(): Promise<Service> {
  const answer = await askPlainly().catch(() => null);
  if (answer) return answer;
  const { client } = await import('./api.js');
  return { service_name: await client.serviceName(), platforms: await client.platforms() };
}

async function askPlainly(): Promise<Service | null> {
  const response = await fetch(`${API_URL}/v1/platforms`);
  if (!response.ok) return null;
  const answer = (await response.json()) as Partial<Service> | null;
  return typeof answer?.service_name === 'string' && Array.isArray(answer.platforms) ? (answer as Service) : null;
}
