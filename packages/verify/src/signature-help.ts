/**
 * Signatures as people send them: which texts are accepted besides Base64, and what to say of those that are not, or
 * that were made over something else. For servers, and for apps that want to say it before anything is sent.
 */
export { explainMistake } from './signatures/signature-mistakes.js';
export {
  describeMalformedBase64,
  describeMalformedSignature,
  isBareHex,
  signatureAsBase64,
} from './signatures/signature-text.js';
