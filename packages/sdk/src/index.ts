/** A client of Signet for browsers and Node: bind, look up, verify, follow. */
export type { ExportFile, Hex } from '@signet/verify';
export { findCanonicalName, isSameName } from '@signet/verify/names';
export type * from './answers.js';
export type {
  AnswerOptions,
  BindingName,
  CallOptions,
  FollowOptions,
  FoundIdentity,
  PatchRequest,
  ProofSearch,
} from './client/call-options.js';
export type { ClientOptions, Demands } from './client/client-options.js';
export type { Client } from './client/client.js';
export { createClient } from './client/client.js';
export type { Draft, DraftState, RecordedLink, SubmitOptions, WaitingForPost } from './writes/draft.js';
export type { PlatformProofOptions } from './look/platform-proofs.js';
export type { BindOptions, LinkRequest, Publication } from './writes/sign-link.js';
export type { ClientCode, ErrorCode, ErrorFacts, ServerCode, VerificationCode } from './errors.js';
export {
  BusyError,
  InvalidRequestError,
  KeyRefusedError,
  LogForkError,
  ReceiptBrokenError,
  NoLogError,
  NoMapError,
  NotFoundError,
  OutcomeUnknownError,
  PlatformUnavailableError,
  RateLimitedError,
  SignetError,
  StaleChainError,
  UnreachableError,
  VerificationError,
  WrongUsageError,
} from './errors.js';
export type { EventOptions, EventType, SignetEvent } from './client/events.js';
export type {
  AppKeyOptions,
  AppSigner,
  CryptoKeyOptions,
  PasskeyAssertion,
  PasskeyOptions,
} from './keys/app-signers.js';
export { fromAppKey, fromCryptoKey, fromPasskey } from './keys/app-signers.js';
export type {
  AddKeyRequest,
  AvatarKeys,
  CommitRequest,
  CosignedRequest,
  Followed,
  FollowedStep,
  KeyEvent,
  KeyRequest,
  Predecessors,
  RecordedKeyEvent,
  Rehearsal,
  RehearseRequest,
  RevokeKeyRequest,
  SucceedRequest,
  VetoRequest,
} from './keys/key-types.js';
export type { LogOptions } from './log/log-options.js';
export type { HeadStore, StoredHead } from './log/head-store.js';
export { MemoryHeadStore } from './log/head-store.js';
export type { Look } from './look/look.js';
export type { Looks, PostLook } from './look/looks.js';
export type { UnreadStatements } from './observers/export-statements.js';
export type {
  ObserverOptions,
  ObserverSource,
  ObserverWord,
  SeenByOthers,
  Unread,
} from './observers/observer-options.js';
export type { KeptReceipt, ReceiptStore } from './log/receipt-store.js';
export { MemoryReceiptStore } from './log/receipt-store.js';
export type { CheckedReceipts } from './log/receipts.js';
export type { BindingResting, Resting } from './client/resting.js';
export { identityOfLink } from './client/resting.js';
export type { AppliedPatch } from './client/content.js';
export type { Completeness, ListPage, PagedList } from './client/paged-list.js';
export type { PlatformName } from './platform-names.js';
export type { AddressValues } from './platform-addresses.js';
export { fillAddress, fillFileName, identityInAddress } from './platform-addresses.js';
export type { Account, Person } from './person/person.js';
export type { Who } from './person/who.js';
export type { Profile } from './profile.js';
export { isPicture, MAX_PICTURE_CHARACTERS, readProfile } from './profile.js';
export type { PrivateKey, Signer } from './signers/signer.js';
export { fromPrivateKey } from './signers/signer.js';
export type { FromWalletOptions, WagmiConfig } from './signers/from-wallet.js';
export { fromWagmi, fromWallet } from './signers/from-wallet.js';
export type {
  Eip1193Provider,
  EthersSigner,
  MessageSigner,
  RequestingWallet,
  ViemAccount,
  Wallet,
} from './signers/wallets.js';
export { firstAccount } from './signers/wallets.js';
export type { SolanaWallet, WalletSigner } from './signers/bound-wallets.js';
export { ethereumWallet, solanaWallet } from './signers/bound-wallets.js';
export type { NostrProvider, NostrSigner } from './signers/nostr-wallet.js';
export { nostrWallet, signatureOfNostrEvent } from './signers/nostr-wallet.js';
export type { NonceStore } from './sign-in/nonces.js';
export { MemoryNonceStore } from './sign-in/nonces.js';
export type { SignedIn, SignInCheck, SignInProblem, SignInRequest, SignInResult } from './sign-in/sign-in.js';
export { signIn, SignInError, verifySignIn } from './sign-in/sign-in.js';
export type { BindingState } from '@signet/verify/bindings';
export { bindingState, isSeenLately } from '@signet/verify/bindings';
export type { TransportOptions } from './transport.js';
