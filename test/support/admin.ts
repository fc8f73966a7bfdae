import type { Answer, RunningApp } from './app.js';

export const ADMIN_TOKEN = 'admin-token-of-the-tests-0123456789';

export interface AdminClient {
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
  patch(path: string, body: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
}

/** Calls below `/admin/v1` with the token of the tests, or another one. */
export function adminOf({ baseUrl }: Pick<RunningApp, 'baseUrl'>, token = ADMIN_TOKEN): AdminClient {
  const call = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${baseUrl}/admin/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  return {
    get: (path) => call('GET', path),
    post: (path, body = {}) => call('POST', path, body),
    patch: (path, body) => call('PATCH', path, body),
    delete: (path) => call('DELETE', path),
  };
}
