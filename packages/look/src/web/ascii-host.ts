/** What means something in an address and nothing in a host name. */
const NOT_IN_A_NAME = /[\s\p{Cc}%/\\?#:@]/u;

/** A host name in lowercase ASCII by UTS 46 (non-transitional, so `faß.de` is not `fass.de`); `''` for what is none. */
export function asciiHost(text: string): string {
  if (NOT_IN_A_NAME.test(text) || !URL.canParse(`https://${text}`)) return '';
  return new URL(`https://${text}`).hostname;
}
