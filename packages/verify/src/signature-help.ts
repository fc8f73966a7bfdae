/**
 * Signatures as people send them: which texts are accepted besides Base64, and what to say of those that are not, or
 * that were made over something else. For servers, and for apps that want to say it before anything is sent.
 */
export { describePiece } from './posts/signature-pieces.js';
export { explainMistake, mistakenTexts } from './signatures/signature-mistakes.js';
export {
  describeMalformedBase64,
  describeMalformedSignature,
  isBareHex,
  SIGNATURE_PATTERN,
  signatureAsBase64,
  WALLET_BYTES_PATTERN,
} from './signatures/signature-text.js';
