/**
 * Parts of signatures, posts and data items for the packages themselves. Without a promise: all of it may change in any
 * version.
 */
export {
  DATA_ITEM_KEY_BYTES,
  DATA_ITEM_SIGNATURE_TYPE,
  dataItemId,
  dataItemMessage,
  encodeDataItemTags,
  isDataItemSigned,
} from '../signatures/data-item.js';
export { namesAvatar, readProofDocument, writeProofDocument } from '../posts/proof-document.js';
export { describePiece } from '../posts/signature-pieces.js';
export { mistakenTexts } from '../signatures/signature-mistakes.js';
export { SIGNATURE_PATTERN, WALLET_BYTES_PATTERN } from '../signatures/signature-text.js';
export { nobleP256, nobleP384 } from '../keys/noble-nist.js';
export { decodeNpub, decodeNsec, encodeNpub } from '../keys/npub.js';
export {
  decodeNostrSignature,
  NOSTR_KIND,
  nostrEventId,
  nostrSigned,
  nostrTemplate,
  type NostrTemplate,
  signatureOfEvent,
} from '../signatures/nostr-event.js';
export { nostrKeyOf } from '../signatures/sign-nostr.js';
export { problemOfMessage, rebuildableMessages } from '../signatures/solana-message.js';
export {
  decodeEthereumSignature,
  decodeSolanaMessage,
  decodeSolanaSignature,
  solanaSigned,
} from '../signatures/wallet.js';
