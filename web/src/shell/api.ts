/**
 * The one client of the page, loaded with the views that ask the service. Every answer is checked again by the views
 * themselves, step by step.
 */
import { type Client, createClient } from '@signet/sdk';
import { API_URL } from './service.js';

/**
 * Answers come back as the server gave them: the page shows what does not verify in red instead of an error in its
 * place, and never mixes what the server says with what was checked here.
 */
export const client: Client = createClient({ baseUrl: API_URL, trustServer: true });
