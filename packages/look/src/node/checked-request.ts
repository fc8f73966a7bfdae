/** A request that has passed all checks, ready to be written. */
export interface CheckedRequest {
  url: URL;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
  maxBytes: number;
  headersMs?: number | undefined;
}
