/** The one client of the page. Every answer is checked again by the views themselves, step by step. */
import { type Client, createClient, type Platform } from '@signet/sdk';

/** Where the service is: the page's own origin, unless it was built with API_URL. */
export const API_URL = document.querySelector<HTMLMetaElement>('meta[name="signet-api"]')?.content || location.origin;

/**
 * Answers come back as the server gave them: the page shows what does not verify in red instead of an error in its
 * place, and never mixes what the server says with what was checked here.
 */
export const client: Client = createClient({ baseUrl: API_URL });

let platforms: Promise<Platform[]> | undefined;

/** What can be bound, read once. */
export function platformList(): Promise<Platform[]> {
  platforms ??= client.platforms().catch((error: unknown) => {
    platforms = undefined;
    throw error;
  });
  return platforms;
}
