/** @import { BenchRequest } from './types.d.ts' */

/**
 * A request of a case as the bytes of HTTP/1.1.
 * @param {BenchRequest} request
 */
export function httpText({ method, path, body, headers = {} }) {
  const payload = body === undefined ? '' : JSON.stringify(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  if (body !== undefined) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(payload)}`);
  return `${lines.join('\r\n')}\r\n\r\n${payload}`;
}
