/** Calls of `/admin/v1` with the operator's token, which is kept until the tab is closed. */
import { API_URL } from '../shell/service.js';

const STORED = 'signet-admin-token';

/** What an admin call refused, with the sentence of the server. */
export class AdminError extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

/** The token of this session, or null. */
export function storedToken(): string | null {
  return sessionStorage.getItem(STORED);
}

/** Keeps the token for this session; null forgets it. */
export function storeToken(token: string | null): void {
  if (token === null) sessionStorage.removeItem(STORED);
  else sessionStorage.setItem(STORED, token);
}

/** One call. @throws AdminError */
export async function adminCall<Answer>(
  token: string,
  path: string,
  { method = 'GET', body, signal }: { method?: string; body?: object; signal?: AbortSignal } = {},
): Promise<Answer> {
  const response = await fetch(`${API_URL}/admin/v1/${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  });
  const answer = (await response.json().catch(() => ({}))) as Answer & { message?: string };
  if (!response.ok) throw new AdminError(answer.message ?? String(response.status), response.status);
  return answer;
}
