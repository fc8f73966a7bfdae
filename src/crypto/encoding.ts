/** Bytes to text and back, as the rules have it. */
export { decodeBase58, decodeBase64, decodeHex, encodeBase58, encodeBase64, encodeHex } from '@signet/verify';
