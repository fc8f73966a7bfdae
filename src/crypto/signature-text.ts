/** Signatures as people send them, as the rules have it. */
export {
  describeMalformedBase64,
  describeMalformedSignature,
  isBareHex,
  SIGNATURE_PATTERN,
  signatureAsBase64,
  WALLET_BYTES_PATTERN,
} from '@signet/verify/signature-help';
