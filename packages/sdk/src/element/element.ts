/**
 * `import '@signet/sdk/element'` defines the element `<signet-proof>`, which shows a binding and checks its signatures
 * in the page. What is imported is the file that a server has at `/embed.js`; these are its types.
 */

/** The attributes of `<signet-proof>`. */
export interface SignetProofAttributes {
  /** Such as `github`. */
  platform: string;
  /** The name on the platform, or the address of a wallet. */
  identity: string;
  /** The key that is expected, compressed; several may hold one name. */
  avatar?: string | undefined;
  /** The address of the server, such as `https://signet.example`. */
  server: string;
}

declare global {
  interface HTMLElementTagNameMap {
    'signet-proof': HTMLElement;
  }
}
