/**
 * How a request is signed: `cavage`, draft-cavage-http-signatures-12 over `(request-target) host date`, which all of
 * the Fediverse reads; `rfc9421`, HTTP Message Signatures over `@method` and `@target-uri`, which the newest demand.
 */
export type SignatureForm = 'cavage' | 'rfc9421';

/** Signs requests with a key that the servers which are asked can read, at an address of this program. */
export interface RequestSigner {
  /**
   * The headers that sign a GET.
   * @param url has no query: servers differ in whether it is signed
   */
  sign(url: string, form: SignatureForm, now: Date): Record<string, string>;
}
