/** The one client of the page. Every answer is checked again by the views themselves, step by step. */
import { type Client, createClient } from '@signet/sdk';
import { useEffect, useState } from 'preact/hooks';

/** Stands for the origin where the fixed views are rendered, at build time, which asks nobody. */
const NO_ORIGIN = 'https://signet.invalid';
const CONFIGURED = import.meta.env.SSR
  ? ''
  : (document.querySelector<HTMLMetaElement>('meta[name="signet-api"]')?.content ?? '');

/** Where the service is: the page's own origin, unless it was built with API_URL. */
export const API_URL = CONFIGURED || (import.meta.env.SSR ? NO_ORIGIN : location.origin);

/** An address of the service for a link: a path where the service is on the page's own origin. */
export function serviceLink(path: string): string {
  return CONFIGURED + path;
}

/**
 * Answers come back as the server gave them: the page shows what does not verify in red instead of an error in its
 * place, and never mixes what the server says with what was checked here.
 */
export const client: Client = createClient({ baseUrl: API_URL });

let service: Promise<string | null> | undefined;

/** The platform value that stands for the service itself; null while it is not known, or where it did not say. */
export function useServiceName(): string | null {
  const [name, setName] = useState<string | null>(null);
  useEffect(() => {
    service ??= readServiceName().catch(() => {
      service = undefined;
      return null;
    });
    void service.then(setName);
  }, []);
  return name;
}

async function readServiceName(): Promise<string> {
  const answer = await fetch(`${API_URL}/v1/platforms`);
  return ((await answer.json()) as { service_name: string }).service_name;
}
