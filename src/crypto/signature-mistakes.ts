/** The usual mistakes of those who sign for the first time, on the curve library of the service. */
import * as rules from '@signet/verify/signature-help';
import { defaultBackend } from './ecdsa.js';

export { mistakenTexts } from '@signet/verify/signature-help';

/** What was signed by mistake, as the object of "it was made over"; null where no usual mistake explains it. */
export function explainMistake(
  text: string,
  signature: Uint8Array,
  isSigner: (compressedKey: string) => boolean,
): string | null {
  return rules.explainMistake(text, signature, isSigner, defaultBackend);
}
