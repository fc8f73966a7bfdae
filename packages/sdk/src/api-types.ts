// Written by `npm run sdk-types` from the sources of the service. Do not change it by hand.
/* eslint max-len: off */
import type { Hex } from '@signet/verify';
import type { PlatformName } from './platform-names.js';
export interface components {
  schemas: {
    Platform: {
      /**
       * @description The platform value.
       * @example github
       */
      platform: PlatformName;
      /**
       * @description The name by which people know it. Servers of 0.1 do not answer it.
       * @example GitHub
       */
      label?: string;
      /**
       * @description Regular expression that canonical identities match.
       * @example ^[a-z0-9][a-z0-9_-]{0,100}$
       */
      identity_pattern: string;
      /**
       * @description An identity of that form.
       * @example alice
       */
      identity_example: string;
      /**
       * @description Whether POST /v1/proof needs a proof_location for a create.
       * @example true
       */
      needs_proof_location: boolean;
      /**
       * @description Forms of proof_location that are accepted.
       * @example [
       *       "https://gist.github.com/alice/0123456789abcdef0123456789abcdef"
       *     ]
       */
      proof_location_forms: string[];
      /**
       * @description Whether a create can work on this server now.
       * @example true
       */
      is_available: boolean;
      /**
       * @description Why it cannot; empty when it can.
       * @example
       */
      unavailable_reason: string;
      /**
       * @description What a person has to do, step by step.
       * @example [
       *       "Ask for the payload."
       *     ]
       */
      steps: string[];
      /**
       * @description Whether accounts have names that can change hands, beside their identities: `findAccount` finds one by the other. Absent where they have none.
       * @example true
       */
      has_account_names?: boolean;
      /**
       * @description Whether a page can be bound that names the key by `<link rel="me">` and holds no signature (`extra.rel` of POST /v1/proof). Absent where none can.
       * @example true
       */
      takes_rel_me?: boolean;
      /**
       * @description Addresses that profiles have, the one to link first. A template, as `post_url` and `compose_url` are: `{identity}`, `{user}` and `{host}` (before and behind the last @ of the identity), `{location}` (the proof_location), `{text}` and `{avatar}` are replaced by percent-encoded values. Absent where none is known.
       * @example [
       *       "https://github.com/{identity}"
       *     ]
       */
      profile_urls?: string[];
      /**
       * @description The page of the post behind a binding. Absent where the proof_location is its address, or none is.
       * @example https://gist.github.com/{identity}/{location}
       */
      post_url?: string;
      /**
       * @description The page on which a person publishes the text. Absent where there is none.
       * @example https://gist.github.com/
       */
      compose_url?: string;
      /**
       * @description The name that the file with the text must have. Absent where no file is published.
       * @example {avatar}.json
       */
      file_name?: string;
    };
    Account: {
      /**
       * @description The platform value.
       * @example bluesky
       */
      platform: PlatformName;
      /**
       * @description Canonical identity of the account, which stays.
       * @example did:plc:ewvi7nxzyoun6zhxrhs64oiz
       */
      identity: string;
      /**
       * @description The name on which both sides agreed; empty where the account has none that leads back to it. On nostr it is what the domain of the name says.
       * @example alice.bsky.social
       */
      name: string;
      /**
       * @description When this server looked, UNIX seconds. It asks again after some minutes.
       * @example 1763700000
       */
      checked_at: string;
    };
    Pagination: {
      /**
       * Format: int64
       * @description Total number of results.
       * @example 1
       */
      total: number;
      /**
       * Format: int64
       * @description Results per page.
       * @example 20
       */
      per: number;
      /**
       * Format: int64
       * @description Number of this page; the first page is 1.
       * @example 1
       */
      current: number;
      /**
       * Format: int64
       * @description Number of the next page; 0 when this page is the last.
       * @example 0
       */
      next: number;
    };
    /**
     * @description `create` binds the identity, `delete` revokes the binding.
     * @enum {string}
     */
    LinkAction: 'create' | 'delete';
    Erasure: {
      /**
       * Format: int64
       * @description When the text was erased, UNIX seconds.
       * @example 1795225700
       */
      at: number;
      /** @description What it was about: SHA-256 of `signet-map/1 identity`, the platform and the identity, one line each, as hex, as its entry of the log has it. Whoever knows the identity can compute it. */
      identity_key: string;
      /**
       * @description Why, as the operator says.
       * @example order of a court
       */
      reason: string;
      /** @description The hash of what was erased, which its entry of the log holds (`record`). */
      record: string;
    };
    ChainLink: {
      /**
       * @description `create` binds the identity, `delete` revokes the binding.
       * @example create
       */
      action: components['schemas']['LinkAction'];
      /**
       * @description Platform value.
       * @example ethereum
       */
      platform: PlatformName;
      /**
       * @description Canonical identity on the platform.
       * @example 0x4264ae876b5b20f38b84a0339ac25803029b5ebf
       */
      identity: string;
      /**
       * @description Location of the public proof post; empty where there is none.
       * @example
       */
      proof_location: string;
      /**
       * @description UNIX seconds.
       * @example 1795225670
       */
      created_at: string;
      /**
       * @description Base64 signature of the Avatar over signature_payload.
       * @example 4BNwIkFaaf+V8zpSEm0R3EfveTzvuT05QHA795AfKTRY4zhvhy9FdLbOIpOxNhHFws9NlOcp1ITAExrcWQkMZRs=
       */
      signature: string;
      /**
       * @description The exact text that was signed.
       * @example {"action":"create","avatar":"0x0238e176a158d5c40f36f6b49e8ba9332fb6dca03a34f03373cfaa398f710ddf5d","created_at":"1795225670","identity":"0x4264ae876b5b20f38b84a0339ac25803029b5ebf","platform":"ethereum","prev":null,"uuid":"396d94a2-39ad-45dd-8c17-1485757ec251"}
       */
      signature_payload: string;
      /**
       * @description What else belongs to the link: `wallet_signature` of a wallet binding; `wallet_message`, the bytes that a Solana wallet signed (Base64), where they are more than signature_payload; `chain_id` and `block_number` of a contract wallet.
       * @example {
       *       "wallet_signature": "payH5GsCFVUv9IobnJI8IObp3X8w0YYj55YeYm+uiKBowXqaESgJKc88REA8gr4Z4hAYEQW7Vokoy8CCeP7Wmhs="
       *     }
       */
      extra: {
        [key: string]: unknown;
      };
      /**
       * Format: uuid
       * @description UUID of the link, which no other link has.
       * @example 396d94a2-39ad-45dd-8c17-1485757ec251
       */
      uuid: string;
      /**
       * @description Transaction id in the permanent storage; empty until it is confirmed.
       * @example
       */
      archive_id: string;
      /** @description Only where the text was erased for legal reasons: the other texts are empty then, but for platform, uuid and signature. An entry of the log says so, too. */
      erased?: components['schemas']['Erasure'];
    };
    FeedLink: {
      /**
       * @description `create` binds the identity, `delete` revokes the binding.
       * @example create
       */
      action: components['schemas']['LinkAction'];
      /**
       * @description Platform value.
       * @example ethereum
       */
      platform: PlatformName;
      /**
       * @description Canonical identity on the platform.
       * @example 0x4264ae876b5b20f38b84a0339ac25803029b5ebf
       */
      identity: string;
      /**
       * @description Location of the public proof post; empty where there is none.
       * @example
       */
      proof_location: string;
      /**
       * @description UNIX seconds.
       * @example 1795225670
       */
      created_at: string;
      /**
       * @description Base64 signature of the Avatar over signature_payload.
       * @example 4BNwIkFaaf+V8zpSEm0R3EfveTzvuT05QHA795AfKTRY4zhvhy9FdLbOIpOxNhHFws9NlOcp1ITAExrcWQkMZRs=
       */
      signature: string;
      /**
       * @description The exact text that was signed.
       * @example {"action":"create","avatar":"0x0238e176a158d5c40f36f6b49e8ba9332fb6dca03a34f03373cfaa398f710ddf5d","created_at":"1795225670","identity":"0x4264ae876b5b20f38b84a0339ac25803029b5ebf","platform":"ethereum","prev":null,"uuid":"396d94a2-39ad-45dd-8c17-1485757ec251"}
       */
      signature_payload: string;
      /**
       * @description What else belongs to the link: `wallet_signature` of a wallet binding; `wallet_message`, the bytes that a Solana wallet signed (Base64), where they are more than signature_payload; `chain_id` and `block_number` of a contract wallet.
       * @example {
       *       "wallet_signature": "payH5GsCFVUv9IobnJI8IObp3X8w0YYj55YeYm+uiKBowXqaESgJKc88REA8gr4Z4hAYEQW7Vokoy8CCeP7Wmhs="
       *     }
       */
      extra: {
        [key: string]: unknown;
      };
      /**
       * Format: uuid
       * @description UUID of the link, which no other link has.
       * @example 396d94a2-39ad-45dd-8c17-1485757ec251
       */
      uuid: string;
      /**
       * @description Transaction id in the permanent storage; empty until it is confirmed.
       * @example
       */
      archive_id: string;
      /** @description Only where the text was erased for legal reasons: the other texts are empty then, but for platform, uuid and signature. An entry of the log says so, too. */
      erased?: components['schemas']['Erasure'];
      /**
       * Format: int64
       * @description Cursor of this link.
       * @example 1
       */
      id: number;
      /**
       * @description Compressed public key.
       * @example 0x0238e176a158d5c40f36f6b49e8ba9332fb6dca03a34f03373cfaa398f710ddf5d
       */
      avatar: Hex;
    };
    SignedChain: {
      /**
       * Format: int64
       * @description The newest block of that chain as the payload was written.
       */
      block_number: number;
      /**
       * Format: int64
       * @description EIP-155 id of the chain of a contract wallet (ERC-1271); only for a create on ethereum, ignored elsewhere.
       */
      chain_id: number;
    };
    PayloadResponse: {
      /**
       * @description Post texts by language code; `%SIG_BASE64%` is to be replaced by the Base64 signature. `default` is always there.
       * @example {
       *       "default": "Nothing has to be published for a wallet. Send the Avatar signature %SIG_BASE64% as extra.signature, and the signature of the wallet over the same text as extra.wallet_signature."
       *     }
       */
      post_content: {
        [key: string]: string;
      };
      /**
       * @description The exact text to sign with personal_sign.
       * @example {"action":"create","avatar":"0x0238e176a158d5c40f36f6b49e8ba9332fb6dca03a34f03373cfaa398f710ddf5d","created_at":"1795225670","identity":"0x4264ae876b5b20f38b84a0339ac25803029b5ebf","platform":"ethereum","prev":null,"uuid":"396d94a2-39ad-45dd-8c17-1485757ec251"}
       */
      sign_payload: string;
      /**
       * @description Send unchanged to POST /v1/proof.
       * @example 396d94a2-39ad-45dd-8c17-1485757ec251
       */
      uuid: string;
      /**
       * @description UNIX seconds; send unchanged to POST /v1/proof.
       * @example 1795225670
       */
      created_at: string;
      /** @description Where a chain was asked for; send unchanged in extra of POST /v1/proof. */
      extra?: components['schemas']['SignedChain'];
    };
    ProofRecord: {
      /**
       * @description Creation time of the proof, UNIX seconds.
       * @example 1795225670
       */
      created_at: string;
      /**
       * @description Time of the last validation, UNIX seconds.
       * @example 1795225670
       */
      last_checked_at: string;
      /**
       * @description Validity according to the last validation.
       * @example true
       */
      is_valid: boolean;
      /**
       * @description Reason when not valid; empty when valid.
       * @example
       */
      invalid_reason: string;
      /**
       * Format: int64
       * @description Only for a contract wallet: the chain on which it accepted the signature (EIP-155 id). On another chain its address may have another owner.
       * @example 10
       */
      chain_id?: number;
      /**
       * @description Platform value.
       * @example ethereum
       */
      platform: PlatformName;
      /**
       * @description Canonical identity on the platform.
       * @example 0x4264ae876b5b20f38b84a0339ac25803029b5ebf
       */
      identity: string;
    };
    IdentityGroup: {
      /**
       * @description Compressed public key.
       * @example 0x0238e176a158d5c40f36f6b49e8ba9332fb6dca03a34f03373cfaa398f710ddf5d
       */
      avatar: Hex;
      /**
       * @description Archive id of the last link this Avatar signed; empty while it is not confirmed.
       * @example
       */
      last_archive_id: string;
      /** @description All of them where one Avatar is answered. In a list of several, up to 50 of each: those that match, then the newest; look the Avatar up by its key for all. */
      proofs: components['schemas']['ProofRecord'][];
      /**
       * Format: int64
       * @description Number of bindings that the Avatar holds.
       * @example 1
       */
      proofs_total: number;
      /**
       * @description Only where a key of the Avatar has stopped its writes for a time: GET /v1/keys says until when.
       * @example true
       */
      frozen?: boolean;
      /**
       * @description Only where another Avatar has succeeded this one: its compressed key. GET /v1/keys/chain shows who said so.
       * @example 0x0238e176a158d5c40f36f6b49e8ba9332fb6dca03a34f03373cfaa398f710ddf5d
       */
      successor?: string;
    };
    ProofState: {
      /**
       * @description Creation time of the proof, UNIX seconds.
       * @example 1795225670
       */
      created_at: string;
      /**
       * @description Time of the last validation, UNIX seconds.
       * @example 1795225670
       */
      last_checked_at: string;
      /**
       * @description Validity according to the last validation.
       * @example true
       */
      is_valid: boolean;
      /**
       * @description Reason when not valid; empty when valid.
       * @example
       */
      invalid_reason: string;
      /**
       * Format: int64
       * @description Only for a contract wallet: the chain on which it accepted the signature (EIP-155 id). On another chain its address may have another owner.
       * @example 10
       */
      chain_id?: number;
    };
    Evidence: {
      /**
       * @description What was read: a URL, or the name of a record.
       * @example https://api.github.com/gists/0123456789abcdef0123456789abcdef
       */
      url: string;
      /**
       * @description When it was read, UNIX seconds.
       * @example 1795225670
       */
      seen_at: string;
      /**
       * @description SHA-256 of the bytes that were read, hex.
       * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
       */
      sha256: string;
      /**
       * @description Stable id of the account on the platform; empty where it has none.
       * @example 9000001
       */
      account_id: string;
      /**
       * @description The text in which the signature was found, up to 4 KiB; empty where the page names the key alone (`extra.rel` of the link), and after the binding was deleted.
       * @example
       */
      matched_text: string;
      /** @description What the platform has signed of it: by its `type`, for `verifyAtprotoProof` or `verifyDnssecProof` of @signet/verify; absent where it signs nothing. */
      proof?: {
        [key: string]: unknown;
      };
      /** @description What the platform has signed of its end: that the record is not there any more. */
      gone_proof?: {
        [key: string]: unknown;
      };
    };
    /**
     * @description `valid`: confirmed; `gone`: the platform said no; `unavailable`: it could not be asked; `misconfigured`: this server lacks a setting. The last two prove nothing.
     * @enum {string}
     */
    CheckOutcome: 'valid' | 'gone' | 'unavailable' | 'misconfigured';
    Check: {
      /**
       * @description When it was checked, UNIX seconds.
       * @example 1795225670
       */
      checked_at: string;
      /**
       * @description `valid`: confirmed; `gone`: the platform said no; `unavailable`: it could not be asked; `misconfigured`: this server lacks a setting. The last two prove nothing.
       * @example valid
       */
      outcome: components['schemas']['CheckOutcome'];
      /**
       * @description One sentence; empty when valid.
       * @example
       */
      reason: string;
    };
    KvPayloadResponse: {
      /**
       * @description Send unchanged to POST /v1/kv.
       * @example 74913704-0904-4e3a-9fa1-ce6a90be6612
       */
      uuid: string;
      /**
       * Format: int64
       * @description UNIX seconds; send unchanged to POST /v1/kv.
       * @example 1795226555
       */
      created_at: number;
      /**
       * @description The exact text to sign with personal_sign.
       * @example {"action":"kv","avatar":"0x039b3344733da690aabc2acfa8dd8e6181390a93aff15e96a1d8f88400c3b32dd0","created_at":1795226555,"identity":"0x049b3344733da690aabc2acfa8dd8e6181390a93aff15e96a1d8f88400c3b32dd0443b889ae62974b88a29e79367c436b08096fbe040f679a03e7edccff3a69ff5","patch":{"links":["https://example.com"],"name":"Alice"},"platform":"self","prev":null,"uuid":"74913704-0904-4e3a-9fa1-ce6a90be6612"}
       */
      sign_payload: string;
    };
    KvEntry: {
      /**
       * @description A platform value, or the name of the service (`self` by default), which stands for the key itself.
       * @example self
       */
      platform: PlatformName;
      /**
       * @description Identity on the platform; for `self`, the public key.
       * @example 0x049b3344733da690aabc2acfa8dd8e6181390a93aff15e96a1d8f88400c3b32dd0443b889ae62974b88a29e79367c436b08096fbe040f679a03e7edccff3a69ff5
       */
      identity: string;
      /**
       * @description The content: all patches of the entry, applied one after the other.
       * @example {
       *       "name": "Alice",
       *       "links": [
       *         "https://example.com"
       *       ]
       *     }
       */
      content: {
        [key: string]: unknown;
      };
      /**
       * @description Whether the Avatar holds a valid proof of this identity now; true for `self`.
       * @example true
       */
      is_bound: boolean;
      /**
       * @description Only where the text of a patch of this entry was erased: the content is what the patches behind it add up to, and may lack members.
       * @example true
       */
      incomplete?: boolean;
    };
    KvResponse: {
      /**
       * @description Uncompressed public key.
       * @example 0x049b3344733da690aabc2acfa8dd8e6181390a93aff15e96a1d8f88400c3b32dd0443b889ae62974b88a29e79367c436b08096fbe040f679a03e7edccff3a69ff5
       */
      avatar: Hex;
      /** @description One entry for each identity with content. */
      proofs: components['schemas']['KvEntry'][];
    };
    KvPatch: {
      /**
       * Format: uuid
       * @description UUID of the patch, which no other patch has.
       * @example 74913704-0904-4e3a-9fa1-ce6a90be6612
       */
      uuid: string;
      /**
       * @description A platform value, or the name of the service (`self` by default), which stands for the key itself.
       * @example self
       */
      platform: PlatformName;
      /**
       * @description Identity on the platform; for `self`, the public key.
       * @example 0x049b3344733da690aabc2acfa8dd8e6181390a93aff15e96a1d8f88400c3b32dd0443b889ae62974b88a29e79367c436b08096fbe040f679a03e7edccff3a69ff5
       */
      identity: string;
      /**
       * @description The merge patch that was signed.
       * @example {
       *       "name": "Alice",
       *       "links": [
       *         "https://example.com"
       *       ]
       *     }
       */
      patch: {
        [key: string]: unknown;
      };
      /**
       * Format: int64
       * @description UNIX seconds.
       * @example 1795226555
       */
      created_at: number;
      /** @description Only where a key of an app signs (docs/keys.md): `<algorithm>:0x<compressed key>`, with secp256k1, es256 or ed25519. */
      signer?: string;
      /**
       * @description Base64 signature of the Avatar, or of `signer`, over signature_payload.
       * @example IWn5QhNpCi3K+rhXnQcS1u9d1xnJ1bz3InEBAQoTzJVfQWe/coOfqQaH1AceswPp84BCELSYJ/XtZ4OOp6HT9Rw=
       */
      signature: string;
      /**
       * @description The exact text that was signed; its `prev` is the signature of the patch before.
       * @example {"action":"kv","avatar":"0x039b3344733da690aabc2acfa8dd8e6181390a93aff15e96a1d8f88400c3b32dd0","created_at":1795226555,"identity":"0x049b3344733da690aabc2acfa8dd8e6181390a93aff15e96a1d8f88400c3b32dd0443b889ae62974b88a29e79367c436b08096fbe040f679a03e7edccff3a69ff5","patch":{"links":["https://example.com"],"name":"Alice"},"platform":"self","prev":null,"uuid":"74913704-0904-4e3a-9fa1-ce6a90be6612"}
       */
      signature_payload: string;
      /** @description Only where the text was erased for legal reasons: the other texts are empty then, but for platform, uuid and signature. An entry of the log says so, too. */
      erased?: components['schemas']['Erasure'];
    };
    /**
     * @description `catching_up`: what was there before the log is taken in, and nothing is signed before. `refused`: nothing is signed any more, because it could contradict what was signed before.
     * @enum {string}
     */
    LogState: 'ok' | 'catching_up' | 'refused';
    LogHead: {
      /**
       * Format: int64
       * @description Its entries.
       * @example 5
       */
      size: number;
      /**
       * @description Its root, Base64.
       * @example h9UMXqS06cZqY1DcnPgMhWQabcLU6G++7tynUvpM20w=
       */
      root: string;
      /**
       * Format: int64
       * @description When the log signed it, UNIX seconds.
       * @example 1700000000
       */
      signed_at: number;
    };
    LogWitness: {
      /**
       * @description The name of its key.
       * @example witness.example/w1
       */
      name: string;
      /**
       * @description That key (C2SP tlog-cosignature).
       * @example witness.example/w1+e0cd2864+BKCapfR6Z1mAL/lV+NwtKhSlyZ0jvpf4ZBJ/+Tg0VaTw
       */
      verifier_key: string;
      /**
       * Format: int64
       * @description Entries of the newest tree head that it signed; 0 if it never did.
       * @example 5
       */
      size: number;
      /**
       * Format: int64
       * @description When it signed that, UNIX seconds; 0 if it never did.
       * @example 1700000000
       */
      cosigned_at: number;
      /**
       * Format: int64
       * @description Entries of the published tree head that it has not signed.
       * @example 0
       */
      lag: number;
      /**
       * @description Why it did not sign when it was asked last; empty if it did.
       * @example
       */
      problem: string;
    };
    LogEnd: {
      /**
       * @description Its name.
       * @example self-3fe1f7f5f0d9b1a2
       */
      origin: string;
      /**
       * @description The note by which its key names the next log, for who holds a receipt of it (docs/verify.md, 12); empty where the key was not at hand.
       * @example
       */
      next: string;
    };
    Log: {
      /**
       * @description The name of this log, as its checkpoints have it.
       * @example self-3fe1f7f5f0d9b1a2
       */
      origin: string;
      /**
       * @description The key that signs its checkpoints (C2SP signed-note).
       * @example self-3fe1f7f5f0d9b1a2+b124aa86+AdBKsjJ0K7SrOhNovUYV5ObQIkq3GgFrr4UgozLJd4c3
       */
      verifier_key: string;
      /**
       * @description `catching_up`: what was there before the log is taken in, and nothing is signed before. `refused`: nothing is signed any more, because it could contradict what was signed before.
       * @example ok
       */
      state: components['schemas']['LogState'];
      /**
       * @description Why nothing is signed; empty unless `refused`.
       * @example
       */
      problem: string;
      /**
       * @description Why the server that answers cannot keep the newest tree head outside of the database, without which it may not notice a restore; empty if it can.
       * @example
       */
      head_problem: string;
      /**
       * Format: int64
       * @description Entries of the published tree head; 0 while there is none.
       * @example 5
       */
      size: number;
      /**
       * @description Its root, Base64; empty while there is none.
       * @example h9UMXqS06cZqY1DcnPgMhWQabcLU6G++7tynUvpM20w=
       */
      root: string;
      /**
       * Format: int64
       * @description When it was signed, UNIX seconds; 0 while there is none.
       * @example 1700000000
       */
      signed_at: number;
      /**
       * Format: int64
       * @description Records that are not in the log yet.
       * @example 0
       */
      waiting: number;
      /**
       * @description Whether the published tree head has the cosignatures that the policy asks for; null without a policy. While writes never pause it is seldom true: see `cosigned`.
       * @example null
       */
      policy_met: boolean | null;
      /**
       * @description The newest tree head that has those cosignatures, at `/log/cosigned/checkpoint`; null while there is none, and without a policy that asks for any.
       * @example null
       */
      cosigned: components['schemas']['LogHead'] | null;
      /** @description The witnesses of the policy; empty without one. */
      witnesses: components['schemas']['LogWitness'][];
      /** @description The logs of this deployment that have ended, newest first; 20 at most. */
      ended: components['schemas']['LogEnd'][];
    };
    /**
     * @description The setting ENVIRONMENT.
     * @enum {string}
     */
    DeploymentEnvironment: 'staging' | 'production';
    LogHealth: {
      /**
       * @description `refused`: the service serves as always, but signs nothing more. `GET /v1/log` has more.
       * @example ok
       */
      state: components['schemas']['LogState'];
      /**
       * Format: int64
       * @description Entries of the newest tree head that this server knows.
       * @example 5
       */
      size: number;
      /**
       * @description Why nothing is signed; empty unless `refused`.
       * @example
       */
      problem: string;
      /**
       * @description Why this server cannot keep the newest tree head outside of the database, without which it may not notice a restore; empty if it can.
       * @example
       */
      head_problem: string;
      /**
       * Format: double
       * @description How much of what was recorded before is in the tree, from 0 to 1, while it is `catching_up`; absent otherwise.
       * @example 0.25
       */
      progress?: number;
      /**
       * Format: double
       * @description How much of the log is in the map, from 0 to 1, while the map of a log that is older is computed; absent otherwise.
       * @example 0.25
       */
      map_progress?: number;
    };
    Health: {
      /**
       * @description Always `proof service`.
       * @example proof service
       */
      hello: string;
      /**
       * @description When this build was made, UNIX seconds.
       * @example 1763700000
       */
      built_at: string;
      /**
       * @description Git commit of the build, or `unknown`.
       * @example 1f0c9d2e5b7a4c3d8e9f0a1b2c3d4e5f6a7b8c9d
       */
      revision: string;
      /**
       * @description The setting ENVIRONMENT.
       * @example production
       */
      environment: components['schemas']['DeploymentEnvironment'];
      /**
       * @description Platforms on which a create can work on this server now.
       * @example [
       *       "ethereum",
       *       "solana"
       *     ]
       */
      platforms: string[];
      /** @description The transparency log of this server; absent with LOG=off. */
      log?: components['schemas']['LogHealth'];
    };
    ProofBoundEvent: {
      /**
       * @description Id of the event, for deduplication (UUID).
       * @example 7b4f54a3-6c0e-4b5b-8f0e-0a0c5b7f9d11
       */
      id: string;
      /**
       * @description Type of the event.
       * @example proof.bound
       * @constant
       */
      type: 'proof.bound';
      /**
       * Format: int64
       * @description Position in one gapless sequence of all events; the id of the stream.
       * @example 42
       */
      position: number;
      /**
       * @description When it was recorded, UNIX seconds.
       * @example 1763699990
       */
      recorded_at: string;
      /**
       * @description The Avatar: its compressed public key, lowercase hex with `0x`.
       * @example 0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3
       */
      avatar: Hex;
      /**
       * @description Platform value.
       * @example ethereum
       */
      platform: PlatformName;
      /**
       * @description Canonical identity on the platform.
       * @example 0xd5f630652d4a8a5f95cda3738ce9f43fa26e764f
       */
      identity: string;
      /**
       * @description Location of the public post; empty where the platform has none.
       * @example
       */
      proof_location: string;
      /**
       * Format: int64
       * @description Id of the link, the cursor of `GET /v1/proofchain/changes`.
       * @example 17
       */
      link_id: number;
      /**
       * @description UUID of the link or patch.
       * @example 909353ef-a9bb-4b4b-be79-a1e4eb82bd57
       */
      uuid: string;
      /**
       * @description Creation time of the link, UNIX seconds.
       * @example 1763699990
       */
      created_at: string;
    };
    ProofBoundWebhook: {
      /**
       * @description Type of the event.
       * @example proof.bound
       * @constant
       */
      type: 'proof.bound';
      /**
       * Format: date-time
       * @description When it was recorded.
       * @example 2025-11-21T04:39:50.000Z
       */
      timestamp: string;
      data: components['schemas']['ProofBoundData'];
    };
    ProofBoundData: {
      /**
       * @description The Avatar: its compressed public key, lowercase hex with `0x`.
       * @example 0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3
       */
      avatar: Hex;
      /**
       * @description Platform value.
       * @example ethereum
       */
      platform: PlatformName;
      /**
       * @description Canonical identity on the platform.
       * @example 0xd5f630652d4a8a5f95cda3738ce9f43fa26e764f
       */
      identity: string;
      /**
       * @description Location of the public post; empty where the platform has none.
       * @example
       */
      proof_location: string;
      /**
       * Format: int64
       * @description Id of the link, the cursor of `GET /v1/proofchain/changes`.
       * @example 17
       */
      link_id: number;
      /**
       * @description UUID of the link or patch.
       * @example 909353ef-a9bb-4b4b-be79-a1e4eb82bd57
       */
      uuid: string;
      /**
       * @description Creation time of the link, UNIX seconds.
       * @example 1763699990
       */
      created_at: string;
      /**
       * Format: int64
       * @description Position in the event stream: drop what is older than what you have of the binding.
       * @example 42
       */
      position: number;
    };
    ProofRevokedEvent: {
      /**
       * @description Id of the event, for deduplication (UUID).
       * @example 7b4f54a3-6c0e-4b5b-8f0e-0a0c5b7f9d11
       */
      id: string;
      /**
       * @description Type of the event.
       * @example proof.revoked
       * @constant
       */
      type: 'proof.revoked';
      /**
       * Format: int64
       * @description Position in one gapless sequence of all events; the id of the stream.
       * @example 42
       */
      position: number;
      /**
       * @description When it was recorded, UNIX seconds.
       * @example 1763699990
       */
      recorded_at: string;
      /**
       * @description The Avatar: its compressed public key, lowercase hex with `0x`.
       * @example 0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3
       */
      avatar: Hex;
      /**
       * @description Platform value.
       * @example ethereum
       */
      platform: PlatformName;
      /**
       * @description Canonical identity on the platform.
       * @example 0xd5f630652d4a8a5f95cda3738ce9f43fa26e764f
       */
      identity: string;
      /**
       * Format: int64
       * @description Id of the link, the cursor of `GET /v1/proofchain/changes`.
       * @example 17
       */
      link_id: number;
      /**
       * @description UUID of the link or patch.
       * @example 909353ef-a9bb-4b4b-be79-a1e4eb82bd57
       */
      uuid: string;
      /**
       * @description Creation time of the link, UNIX seconds.
       * @example 1763699990
       */
      created_at: string;
    };
    ProofRevokedWebhook: {
      /**
       * @description Type of the event.
       * @example proof.revoked
       * @constant
       */
      type: 'proof.revoked';
      /**
       * Format: date-time
       * @description When it was recorded.
       * @example 2025-11-21T04:39:50.000Z
       */
      timestamp: string;
      data: components['schemas']['ProofRevokedData'];
    };
    ProofRevokedData: {
      /**
       * @description The Avatar: its compressed public key, lowercase hex with `0x`.
       * @example 0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3
       */
      avatar: Hex;
      /**
       * @description Platform value.
       * @example ethereum
       */
      platform: PlatformName;
      /**
       * @description Canonical identity on the platform.
       * @example 0xd5f630652d4a8a5f95cda3738ce9f43fa26e764f
       */
      identity: string;
      /**
       * Format: int64
       * @description Id of the link, the cursor of `GET /v1/proofchain/changes`.
       * @example 17
       */
      link_id: number;
      /**
       * @description UUID of the link or patch.
       * @example 909353ef-a9bb-4b4b-be79-a1e4eb82bd57
       */
      uuid: string;
      /**
       * @description Creation time of the link, UNIX seconds.
       * @example 1763699990
       */
      created_at: string;
      /**
       * Format: int64
       * @description Position in the event stream: drop what is older than what you have of the binding.
       * @example 42
       */
      position: number;
    };
    ProofInvalidatedEvent: {
      /**
       * @description Id of the event, for deduplication (UUID).
       * @example 7b4f54a3-6c0e-4b5b-8f0e-0a0c5b7f9d11
       */
      id: string;
      /**
       * @description Type of the event.
       * @example proof.invalidated
       * @constant
       */
      type: 'proof.invalidated';
      /**
       * Format: int64
       * @description Position in one gapless sequence of all events; the id of the stream.
       * @example 42
       */
      position: number;
      /**
       * @description When it was recorded, UNIX seconds.
       * @example 1763699990
       */
      recorded_at: string;
      /**
       * @description The Avatar: its compressed public key, lowercase hex with `0x`.
       * @example 0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3
       */
      avatar: Hex;
      /**
       * @description Platform value.
       * @example ethereum
       */
      platform: PlatformName;
      /**
       * @description Canonical identity on the platform.
       * @example 0xd5f630652d4a8a5f95cda3738ce9f43fa26e764f
       */
      identity: string;
      /**
       * @description What the platform said, one sentence.
       * @example gist not found
       */
      reason: string;
      /**
       * @description Time of the recheck, UNIX seconds.
       * @example 1763699990
       */
      checked_at: string;
    };
    ProofInvalidatedWebhook: {
      /**
       * @description Type of the event.
       * @example proof.invalidated
       * @constant
       */
      type: 'proof.invalidated';
      /**
       * Format: date-time
       * @description When it was recorded.
       * @example 2025-11-21T04:39:50.000Z
       */
      timestamp: string;
      data: components['schemas']['ProofInvalidatedData'];
    };
    ProofInvalidatedData: {
      /**
       * @description The Avatar: its compressed public key, lowercase hex with `0x`.
       * @example 0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3
       */
      avatar: Hex;
      /**
       * @description Platform value.
       * @example ethereum
       */
      platform: PlatformName;
      /**
       * @description Canonical identity on the platform.
       * @example 0xd5f630652d4a8a5f95cda3738ce9f43fa26e764f
       */
      identity: string;
      /**
       * @description What the platform said, one sentence.
       * @example gist not found
       */
      reason: string;
      /**
       * @description Time of the recheck, UNIX seconds.
       * @example 1763699990
       */
      checked_at: string;
      /**
       * Format: int64
       * @description Position in the event stream: drop what is older than what you have of the binding.
       * @example 42
       */
      position: number;
    };
    ProofRestoredEvent: {
      /**
       * @description Id of the event, for deduplication (UUID).
       * @example 7b4f54a3-6c0e-4b5b-8f0e-0a0c5b7f9d11
       */
      id: string;
      /**
       * @description Type of the event.
       * @example proof.restored
       * @constant
       */
      type: 'proof.restored';
      /**
       * Format: int64
       * @description Position in one gapless sequence of all events; the id of the stream.
       * @example 42
       */
      position: number;
      /**
       * @description When it was recorded, UNIX seconds.
       * @example 1763699990
       */
      recorded_at: string;
      /**
       * @description The Avatar: its compressed public key, lowercase hex with `0x`.
       * @example 0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3
       */
      avatar: Hex;
      /**
       * @description Platform value.
       * @example ethereum
       */
      platform: PlatformName;
      /**
       * @description Canonical identity on the platform.
       * @example 0xd5f630652d4a8a5f95cda3738ce9f43fa26e764f
       */
      identity: string;
      /**
       * @description Time of the recheck, UNIX seconds.
       * @example 1763699990
       */
      checked_at: string;
    };
    ProofRestoredWebhook: {
      /**
       * @description Type of the event.
       * @example proof.restored
       * @constant
       */
      type: 'proof.restored';
      /**
       * Format: date-time
       * @description When it was recorded.
       * @example 2025-11-21T04:39:50.000Z
       */
      timestamp: string;
      data: components['schemas']['ProofRestoredData'];
    };
    ProofRestoredData: {
      /**
       * @description The Avatar: its compressed public key, lowercase hex with `0x`.
       * @example 0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3
       */
      avatar: Hex;
      /**
       * @description Platform value.
       * @example ethereum
       */
      platform: PlatformName;
      /**
       * @description Canonical identity on the platform.
       * @example 0xd5f630652d4a8a5f95cda3738ce9f43fa26e764f
       */
      identity: string;
      /**
       * @description Time of the recheck, UNIX seconds.
       * @example 1763699990
       */
      checked_at: string;
      /**
       * Format: int64
       * @description Position in the event stream: drop what is older than what you have of the binding.
       * @example 42
       */
      position: number;
    };
    KvPatchedEvent: {
      /**
       * @description Id of the event, for deduplication (UUID).
       * @example 7b4f54a3-6c0e-4b5b-8f0e-0a0c5b7f9d11
       */
      id: string;
      /**
       * @description Type of the event.
       * @example kv.patched
       * @constant
       */
      type: 'kv.patched';
      /**
       * Format: int64
       * @description Position in one gapless sequence of all events; the id of the stream.
       * @example 42
       */
      position: number;
      /**
       * @description When it was recorded, UNIX seconds.
       * @example 1763699990
       */
      recorded_at: string;
      /**
       * @description The Avatar: its compressed public key, lowercase hex with `0x`.
       * @example 0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3
       */
      avatar: Hex;
      /**
       * @description Platform value.
       * @example ethereum
       */
      platform: PlatformName;
      /**
       * @description Canonical identity on the platform.
       * @example 0xd5f630652d4a8a5f95cda3738ce9f43fa26e764f
       */
      identity: string;
      /**
       * Format: int64
       * @description Id of the patch.
       * @example 5
       */
      patch_id: number;
      /**
       * @description UUID of the link or patch.
       * @example 909353ef-a9bb-4b4b-be79-a1e4eb82bd57
       */
      uuid: string;
      /**
       * Format: int64
       * @description Creation time of the patch, UNIX seconds.
       * @example 1763699990
       */
      created_at: number;
    };
    KvPatchedWebhook: {
      /**
       * @description Type of the event.
       * @example kv.patched
       * @constant
       */
      type: 'kv.patched';
      /**
       * Format: date-time
       * @description When it was recorded.
       * @example 2025-11-21T04:39:50.000Z
       */
      timestamp: string;
      data: components['schemas']['KvPatchedData'];
    };
    KvPatchedData: {
      /**
       * @description The Avatar: its compressed public key, lowercase hex with `0x`.
       * @example 0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3
       */
      avatar: Hex;
      /**
       * @description Platform value.
       * @example ethereum
       */
      platform: PlatformName;
      /**
       * @description Canonical identity on the platform.
       * @example 0xd5f630652d4a8a5f95cda3738ce9f43fa26e764f
       */
      identity: string;
      /**
       * Format: int64
       * @description Id of the patch.
       * @example 5
       */
      patch_id: number;
      /**
       * @description UUID of the link or patch.
       * @example 909353ef-a9bb-4b4b-be79-a1e4eb82bd57
       */
      uuid: string;
      /**
       * Format: int64
       * @description Creation time of the patch, UNIX seconds.
       * @example 1763699990
       */
      created_at: number;
      /**
       * Format: int64
       * @description Position in the event stream: drop what is older than what you have of the binding.
       * @example 42
       */
      position: number;
    };
    LinkArchivedEvent: {
      /**
       * @description Id of the event, for deduplication (UUID).
       * @example 7b4f54a3-6c0e-4b5b-8f0e-0a0c5b7f9d11
       */
      id: string;
      /**
       * @description Type of the event.
       * @example link.archived
       * @constant
       */
      type: 'link.archived';
      /**
       * Format: int64
       * @description Position in one gapless sequence of all events; the id of the stream.
       * @example 42
       */
      position: number;
      /**
       * @description When it was recorded, UNIX seconds.
       * @example 1763699990
       */
      recorded_at: string;
      /**
       * @description The Avatar: its compressed public key, lowercase hex with `0x`.
       * @example 0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3
       */
      avatar: Hex;
      /**
       * @description Platform value.
       * @example ethereum
       */
      platform: PlatformName;
      /**
       * @description Canonical identity on the platform.
       * @example 0xd5f630652d4a8a5f95cda3738ce9f43fa26e764f
       */
      identity: string;
      /**
       * Format: int64
       * @description Id of the link, the cursor of `GET /v1/proofchain/changes`.
       * @example 17
       */
      link_id: number;
      /**
       * @description UUID of the link or patch.
       * @example 909353ef-a9bb-4b4b-be79-a1e4eb82bd57
       */
      uuid: string;
      /**
       * @description Id of the document in the permanent storage.
       * @example bNbA3TEQVL60xlgCcqdz4ZPHFZ711cZ3hmkpGttDt_U
       */
      archive_id: string;
    };
    LinkArchivedWebhook: {
      /**
       * @description Type of the event.
       * @example link.archived
       * @constant
       */
      type: 'link.archived';
      /**
       * Format: date-time
       * @description When it was recorded.
       * @example 2025-11-21T04:39:50.000Z
       */
      timestamp: string;
      data: components['schemas']['LinkArchivedData'];
    };
    LinkArchivedData: {
      /**
       * @description The Avatar: its compressed public key, lowercase hex with `0x`.
       * @example 0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3
       */
      avatar: Hex;
      /**
       * @description Platform value.
       * @example ethereum
       */
      platform: PlatformName;
      /**
       * @description Canonical identity on the platform.
       * @example 0xd5f630652d4a8a5f95cda3738ce9f43fa26e764f
       */
      identity: string;
      /**
       * Format: int64
       * @description Id of the link, the cursor of `GET /v1/proofchain/changes`.
       * @example 17
       */
      link_id: number;
      /**
       * @description UUID of the link or patch.
       * @example 909353ef-a9bb-4b4b-be79-a1e4eb82bd57
       */
      uuid: string;
      /**
       * @description Id of the document in the permanent storage.
       * @example bNbA3TEQVL60xlgCcqdz4ZPHFZ711cZ3hmkpGttDt_U
       */
      archive_id: string;
      /**
       * Format: int64
       * @description Position in the event stream: drop what is older than what you have of the binding.
       * @example 42
       */
      position: number;
    };
    KeyCommittedEvent: {
      /**
       * @description Id of the event, for deduplication (UUID).
       * @example 7b4f54a3-6c0e-4b5b-8f0e-0a0c5b7f9d11
       */
      id: string;
      /**
       * @description Type of the event.
       * @example key.committed
       * @constant
       */
      type: 'key.committed';
      /**
       * Format: int64
       * @description Position in one gapless sequence of all events; the id of the stream.
       * @example 42
       */
      position: number;
      /**
       * @description When it was recorded, UNIX seconds.
       * @example 1763699990
       */
      recorded_at: string;
      /**
       * @description The Avatar: its compressed public key, lowercase hex with `0x`.
       * @example 0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3
       */
      avatar: Hex;
      /**
       * @description UUID of the key event.
       * @example 5a3d1f0e-2c4b-4d6e-8f70-91a2b3c4d5e6
       */
      uuid: string;
      /**
       * @description What the key event says; of a freeze that has ended by itself, `key.freeze`.
       * @example key.commit
       */
      action: string;
      /**
       * @description Who signed it: `main`, or the name of a recovery key.
       * @example main
       */
      signer: string;
      /**
       * Format: int64
       * @description UNIX seconds: when a commit or a succession takes effect, and a freeze ends; otherwise when it was recorded.
       * @example 1763699990
       */
      due_at: number;
      /**
       * @description Whether the writes of the Avatar are stopped now.
       * @example false
       */
      is_frozen: boolean;
      /**
       * @description Empty: it is about no identity. Readers of 0.2.0 expect a text here.
       * @example
       */
      platform: PlatformName;
      /**
       * @description Empty, as `platform`.
       * @example
       */
      identity: string;
    };
    KeyCommittedWebhook: {
      /**
       * @description Type of the event.
       * @example key.committed
       * @constant
       */
      type: 'key.committed';
      /**
       * Format: date-time
       * @description When it was recorded.
       * @example 2025-11-21T04:39:50.000Z
       */
      timestamp: string;
      data: components['schemas']['KeyCommittedData'];
    };
    KeyCommittedData: {
      /**
       * @description The Avatar: its compressed public key, lowercase hex with `0x`.
       * @example 0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3
       */
      avatar: Hex;
      /**
       * @description UUID of the key event.
       * @example 5a3d1f0e-2c4b-4d6e-8f70-91a2b3c4d5e6
       */
      uuid: string;
      /**
       * @description What the key event says; of a freeze that has ended by itself, `key.freeze`.
       * @example key.commit
       */
      action: string;
      /**
       * @description Who signed it: `main`, or the name of a recovery key.
       * @example main
       */
      signer: string;
      /**
       * Format: int64
       * @description UNIX seconds: when a commit or a succession takes effect, and a freeze ends; otherwise when it was recorded.
       * @example 1763699990
       */
      due_at: number;
      /**
       * @description Whether the writes of the Avatar are stopped now.
       * @example false
       */
      is_frozen: boolean;
      /**
       * Format: int64
       * @description Position in the event stream: drop what is older than what you have of the binding.
       * @example 42
       */
      position: number;
    };
    KeyPendingEvent: {
      /**
       * @description Id of the event, for deduplication (UUID).
       * @example 7b4f54a3-6c0e-4b5b-8f0e-0a0c5b7f9d11
       */
      id: string;
      /**
       * @description Type of the event.
       * @example key.pending
       * @constant
       */
      type: 'key.pending';
      /**
       * Format: int64
       * @description Position in one gapless sequence of all events; the id of the stream.
       * @example 42
       */
      position: number;
      /**
       * @description When it was recorded, UNIX seconds.
       * @example 1763699990
       */
      recorded_at: string;
      /**
       * @description The Avatar: its compressed public key, lowercase hex with `0x`.
       * @example 0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3
       */
      avatar: Hex;
      /**
       * @description UUID of the key event.
       * @example 5a3d1f0e-2c4b-4d6e-8f70-91a2b3c4d5e6
       */
      uuid: string;
      /**
       * @description What the key event says; of a freeze that has ended by itself, `key.freeze`.
       * @example key.commit
       */
      action: string;
      /**
       * @description Who signed it: `main`, or the name of a recovery key.
       * @example main
       */
      signer: string;
      /**
       * Format: int64
       * @description UNIX seconds: when a commit or a succession takes effect, and a freeze ends; otherwise when it was recorded.
       * @example 1763699990
       */
      due_at: number;
      /**
       * @description Whether the writes of the Avatar are stopped now.
       * @example false
       */
      is_frozen: boolean;
      /**
       * @description Empty: it is about no identity. Readers of 0.2.0 expect a text here.
       * @example
       */
      platform: PlatformName;
      /**
       * @description Empty, as `platform`.
       * @example
       */
      identity: string;
      /**
       * @description The Avatar that is to come after this one, compressed; null for a commit.
       * @example null
       */
      successor: string | null;
    };
    KeyPendingWebhook: {
      /**
       * @description Type of the event.
       * @example key.pending
       * @constant
       */
      type: 'key.pending';
      /**
       * Format: date-time
       * @description When it was recorded.
       * @example 2025-11-21T04:39:50.000Z
       */
      timestamp: string;
      data: components['schemas']['KeyPendingData'];
    };
    KeyPendingData: {
      /**
       * @description The Avatar: its compressed public key, lowercase hex with `0x`.
       * @example 0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3
       */
      avatar: Hex;
      /**
       * @description UUID of the key event.
       * @example 5a3d1f0e-2c4b-4d6e-8f70-91a2b3c4d5e6
       */
      uuid: string;
      /**
       * @description What the key event says; of a freeze that has ended by itself, `key.freeze`.
       * @example key.commit
       */
      action: string;
      /**
       * @description Who signed it: `main`, or the name of a recovery key.
       * @example main
       */
      signer: string;
      /**
       * Format: int64
       * @description UNIX seconds: when a commit or a succession takes effect, and a freeze ends; otherwise when it was recorded.
       * @example 1763699990
       */
      due_at: number;
      /**
       * @description Whether the writes of the Avatar are stopped now.
       * @example false
       */
      is_frozen: boolean;
      /**
       * @description The Avatar that is to come after this one, compressed; null for a commit.
       * @example null
       */
      successor: string | null;
      /**
       * Format: int64
       * @description Position in the event stream: drop what is older than what you have of the binding.
       * @example 42
       */
      position: number;
    };
    KeyFrozenEvent: {
      /**
       * @description Id of the event, for deduplication (UUID).
       * @example 7b4f54a3-6c0e-4b5b-8f0e-0a0c5b7f9d11
       */
      id: string;
      /**
       * @description Type of the event.
       * @example key.frozen
       * @constant
       */
      type: 'key.frozen';
      /**
       * Format: int64
       * @description Position in one gapless sequence of all events; the id of the stream.
       * @example 42
       */
      position: number;
      /**
       * @description When it was recorded, UNIX seconds.
       * @example 1763699990
       */
      recorded_at: string;
      /**
       * @description The Avatar: its compressed public key, lowercase hex with `0x`.
       * @example 0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3
       */
      avatar: Hex;
      /**
       * @description UUID of the key event.
       * @example 5a3d1f0e-2c4b-4d6e-8f70-91a2b3c4d5e6
       */
      uuid: string;
      /**
       * @description What the key event says; of a freeze that has ended by itself, `key.freeze`.
       * @example key.commit
       */
      action: string;
      /**
       * @description Who signed it: `main`, or the name of a recovery key.
       * @example main
       */
      signer: string;
      /**
       * Format: int64
       * @description UNIX seconds: when a commit or a succession takes effect, and a freeze ends; otherwise when it was recorded.
       * @example 1763699990
       */
      due_at: number;
      /**
       * @description Whether the writes of the Avatar are stopped now.
       * @example false
       */
      is_frozen: boolean;
      /**
       * @description Empty: it is about no identity. Readers of 0.2.0 expect a text here.
       * @example
       */
      platform: PlatformName;
      /**
       * @description Empty, as `platform`.
       * @example
       */
      identity: string;
    };
    KeyFrozenWebhook: {
      /**
       * @description Type of the event.
       * @example key.frozen
       * @constant
       */
      type: 'key.frozen';
      /**
       * Format: date-time
       * @description When it was recorded.
       * @example 2025-11-21T04:39:50.000Z
       */
      timestamp: string;
      data: components['schemas']['KeyFrozenData'];
    };
    KeyFrozenData: {
      /**
       * @description The Avatar: its compressed public key, lowercase hex with `0x`.
       * @example 0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3
       */
      avatar: Hex;
      /**
       * @description UUID of the key event.
       * @example 5a3d1f0e-2c4b-4d6e-8f70-91a2b3c4d5e6
       */
      uuid: string;
      /**
       * @description What the key event says; of a freeze that has ended by itself, `key.freeze`.
       * @example key.commit
       */
      action: string;
      /**
       * @description Who signed it: `main`, or the name of a recovery key.
       * @example main
       */
      signer: string;
      /**
       * Format: int64
       * @description UNIX seconds: when a commit or a succession takes effect, and a freeze ends; otherwise when it was recorded.
       * @example 1763699990
       */
      due_at: number;
      /**
       * @description Whether the writes of the Avatar are stopped now.
       * @example false
       */
      is_frozen: boolean;
      /**
       * Format: int64
       * @description Position in the event stream: drop what is older than what you have of the binding.
       * @example 42
       */
      position: number;
    };
    KeyThawedEvent: {
      /**
       * @description Id of the event, for deduplication (UUID).
       * @example 7b4f54a3-6c0e-4b5b-8f0e-0a0c5b7f9d11
       */
      id: string;
      /**
       * @description Type of the event.
       * @example key.thawed
       * @constant
       */
      type: 'key.thawed';
      /**
       * Format: int64
       * @description Position in one gapless sequence of all events; the id of the stream.
       * @example 42
       */
      position: number;
      /**
       * @description When it was recorded, UNIX seconds.
       * @example 1763699990
       */
      recorded_at: string;
      /**
       * @description The Avatar: its compressed public key, lowercase hex with `0x`.
       * @example 0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3
       */
      avatar: Hex;
      /**
       * @description UUID of the key event.
       * @example 5a3d1f0e-2c4b-4d6e-8f70-91a2b3c4d5e6
       */
      uuid: string;
      /**
       * @description What the key event says; of a freeze that has ended by itself, `key.freeze`.
       * @example key.commit
       */
      action: string;
      /**
       * @description Who signed it: `main`, or the name of a recovery key.
       * @example main
       */
      signer: string;
      /**
       * Format: int64
       * @description UNIX seconds: when a commit or a succession takes effect, and a freeze ends; otherwise when it was recorded.
       * @example 1763699990
       */
      due_at: number;
      /**
       * @description Whether the writes of the Avatar are stopped now.
       * @example false
       */
      is_frozen: boolean;
      /**
       * @description Empty: it is about no identity. Readers of 0.2.0 expect a text here.
       * @example
       */
      platform: PlatformName;
      /**
       * @description Empty, as `platform`.
       * @example
       */
      identity: string;
    };
    KeyThawedWebhook: {
      /**
       * @description Type of the event.
       * @example key.thawed
       * @constant
       */
      type: 'key.thawed';
      /**
       * Format: date-time
       * @description When it was recorded.
       * @example 2025-11-21T04:39:50.000Z
       */
      timestamp: string;
      data: components['schemas']['KeyThawedData'];
    };
    KeyThawedData: {
      /**
       * @description The Avatar: its compressed public key, lowercase hex with `0x`.
       * @example 0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3
       */
      avatar: Hex;
      /**
       * @description UUID of the key event.
       * @example 5a3d1f0e-2c4b-4d6e-8f70-91a2b3c4d5e6
       */
      uuid: string;
      /**
       * @description What the key event says; of a freeze that has ended by itself, `key.freeze`.
       * @example key.commit
       */
      action: string;
      /**
       * @description Who signed it: `main`, or the name of a recovery key.
       * @example main
       */
      signer: string;
      /**
       * Format: int64
       * @description UNIX seconds: when a commit or a succession takes effect, and a freeze ends; otherwise when it was recorded.
       * @example 1763699990
       */
      due_at: number;
      /**
       * @description Whether the writes of the Avatar are stopped now.
       * @example false
       */
      is_frozen: boolean;
      /**
       * Format: int64
       * @description Position in the event stream: drop what is older than what you have of the binding.
       * @example 42
       */
      position: number;
    };
    KeySucceededEvent: {
      /**
       * @description Id of the event, for deduplication (UUID).
       * @example 7b4f54a3-6c0e-4b5b-8f0e-0a0c5b7f9d11
       */
      id: string;
      /**
       * @description Type of the event.
       * @example key.succeeded
       * @constant
       */
      type: 'key.succeeded';
      /**
       * Format: int64
       * @description Position in one gapless sequence of all events; the id of the stream.
       * @example 42
       */
      position: number;
      /**
       * @description When it was recorded, UNIX seconds.
       * @example 1763699990
       */
      recorded_at: string;
      /**
       * @description The Avatar: its compressed public key, lowercase hex with `0x`.
       * @example 0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3
       */
      avatar: Hex;
      /**
       * @description UUID of the key event.
       * @example 5a3d1f0e-2c4b-4d6e-8f70-91a2b3c4d5e6
       */
      uuid: string;
      /**
       * @description What the key event says; of a freeze that has ended by itself, `key.freeze`.
       * @example key.commit
       */
      action: string;
      /**
       * @description Who signed it: `main`, or the name of a recovery key.
       * @example main
       */
      signer: string;
      /**
       * Format: int64
       * @description UNIX seconds: when a commit or a succession takes effect, and a freeze ends; otherwise when it was recorded.
       * @example 1763699990
       */
      due_at: number;
      /**
       * @description Whether the writes of the Avatar are stopped now.
       * @example false
       */
      is_frozen: boolean;
      /**
       * @description Empty: it is about no identity. Readers of 0.2.0 expect a text here.
       * @example
       */
      platform: PlatformName;
      /**
       * @description Empty, as `platform`.
       * @example
       */
      identity: string;
      /**
       * @description The Avatar that comes after this one, compressed.
       * @example 0x039997a497d964fc1a62885b05a51166a65a90df00492c8d7cf61d6accf54803be
       */
      successor: string;
    };
    KeySucceededWebhook: {
      /**
       * @description Type of the event.
       * @example key.succeeded
       * @constant
       */
      type: 'key.succeeded';
      /**
       * Format: date-time
       * @description When it was recorded.
       * @example 2025-11-21T04:39:50.000Z
       */
      timestamp: string;
      data: components['schemas']['KeySucceededData'];
    };
    KeySucceededData: {
      /**
       * @description The Avatar: its compressed public key, lowercase hex with `0x`.
       * @example 0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3
       */
      avatar: Hex;
      /**
       * @description UUID of the key event.
       * @example 5a3d1f0e-2c4b-4d6e-8f70-91a2b3c4d5e6
       */
      uuid: string;
      /**
       * @description What the key event says; of a freeze that has ended by itself, `key.freeze`.
       * @example key.commit
       */
      action: string;
      /**
       * @description Who signed it: `main`, or the name of a recovery key.
       * @example main
       */
      signer: string;
      /**
       * Format: int64
       * @description UNIX seconds: when a commit or a succession takes effect, and a freeze ends; otherwise when it was recorded.
       * @example 1763699990
       */
      due_at: number;
      /**
       * @description Whether the writes of the Avatar are stopped now.
       * @example false
       */
      is_frozen: boolean;
      /**
       * @description The Avatar that comes after this one, compressed.
       * @example 0x039997a497d964fc1a62885b05a51166a65a90df00492c8d7cf61d6accf54803be
       */
      successor: string;
      /**
       * Format: int64
       * @description Position in the event stream: drop what is older than what you have of the binding.
       * @example 42
       */
      position: number;
    };
    KeyVetoedEvent: {
      /**
       * @description Id of the event, for deduplication (UUID).
       * @example 7b4f54a3-6c0e-4b5b-8f0e-0a0c5b7f9d11
       */
      id: string;
      /**
       * @description Type of the event.
       * @example key.vetoed
       * @constant
       */
      type: 'key.vetoed';
      /**
       * Format: int64
       * @description Position in one gapless sequence of all events; the id of the stream.
       * @example 42
       */
      position: number;
      /**
       * @description When it was recorded, UNIX seconds.
       * @example 1763699990
       */
      recorded_at: string;
      /**
       * @description The Avatar: its compressed public key, lowercase hex with `0x`.
       * @example 0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3
       */
      avatar: Hex;
      /**
       * @description UUID of the key event.
       * @example 5a3d1f0e-2c4b-4d6e-8f70-91a2b3c4d5e6
       */
      uuid: string;
      /**
       * @description What the key event says; of a freeze that has ended by itself, `key.freeze`.
       * @example key.commit
       */
      action: string;
      /**
       * @description Who signed it: `main`, or the name of a recovery key.
       * @example main
       */
      signer: string;
      /**
       * Format: int64
       * @description UNIX seconds: when a commit or a succession takes effect, and a freeze ends; otherwise when it was recorded.
       * @example 1763699990
       */
      due_at: number;
      /**
       * @description Whether the writes of the Avatar are stopped now.
       * @example false
       */
      is_frozen: boolean;
      /**
       * @description Empty: it is about no identity. Readers of 0.2.0 expect a text here.
       * @example
       */
      platform: PlatformName;
      /**
       * @description Empty, as `platform`.
       * @example
       */
      identity: string;
      /**
       * @description UUID of the event that is void.
       * @example 909353ef-a9bb-4b4b-be79-a1e4eb82bd57
       */
      event: string;
    };
    KeyVetoedWebhook: {
      /**
       * @description Type of the event.
       * @example key.vetoed
       * @constant
       */
      type: 'key.vetoed';
      /**
       * Format: date-time
       * @description When it was recorded.
       * @example 2025-11-21T04:39:50.000Z
       */
      timestamp: string;
      data: components['schemas']['KeyVetoedData'];
    };
    KeyVetoedData: {
      /**
       * @description The Avatar: its compressed public key, lowercase hex with `0x`.
       * @example 0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3
       */
      avatar: Hex;
      /**
       * @description UUID of the key event.
       * @example 5a3d1f0e-2c4b-4d6e-8f70-91a2b3c4d5e6
       */
      uuid: string;
      /**
       * @description What the key event says; of a freeze that has ended by itself, `key.freeze`.
       * @example key.commit
       */
      action: string;
      /**
       * @description Who signed it: `main`, or the name of a recovery key.
       * @example main
       */
      signer: string;
      /**
       * Format: int64
       * @description UNIX seconds: when a commit or a succession takes effect, and a freeze ends; otherwise when it was recorded.
       * @example 1763699990
       */
      due_at: number;
      /**
       * @description Whether the writes of the Avatar are stopped now.
       * @example false
       */
      is_frozen: boolean;
      /**
       * @description UUID of the event that is void.
       * @example 909353ef-a9bb-4b4b-be79-a1e4eb82bd57
       */
      event: string;
      /**
       * Format: int64
       * @description Position in the event stream: drop what is older than what you have of the binding.
       * @example 42
       */
      position: number;
    };
    KeyAddedEvent: {
      /**
       * @description Id of the event, for deduplication (UUID).
       * @example 7b4f54a3-6c0e-4b5b-8f0e-0a0c5b7f9d11
       */
      id: string;
      /**
       * @description Type of the event.
       * @example key.added
       * @constant
       */
      type: 'key.added';
      /**
       * Format: int64
       * @description Position in one gapless sequence of all events; the id of the stream.
       * @example 42
       */
      position: number;
      /**
       * @description When it was recorded, UNIX seconds.
       * @example 1763699990
       */
      recorded_at: string;
      /**
       * @description The Avatar: its compressed public key, lowercase hex with `0x`.
       * @example 0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3
       */
      avatar: Hex;
      /**
       * @description UUID of the key event.
       * @example 5a3d1f0e-2c4b-4d6e-8f70-91a2b3c4d5e6
       */
      uuid: string;
      /**
       * @description What the key event says; of a freeze that has ended by itself, `key.freeze`.
       * @example key.commit
       */
      action: string;
      /**
       * @description Who signed it: `main`, or the name of a recovery key.
       * @example main
       */
      signer: string;
      /**
       * Format: int64
       * @description UNIX seconds: when a commit or a succession takes effect, and a freeze ends; otherwise when it was recorded.
       * @example 1763699990
       */
      due_at: number;
      /**
       * @description Whether the writes of the Avatar are stopped now.
       * @example false
       */
      is_frozen: boolean;
      /**
       * @description Empty: it is about no identity. Readers of 0.2.0 expect a text here.
       * @example
       */
      platform: PlatformName;
      /**
       * @description Empty, as `platform`.
       * @example
       */
      identity: string;
      /**
       * @description The key of the app: `<algorithm>:0x<compressed key>`.
       * @example ed25519:0x1111111111111111111111111111111111111111111111111111111111111111
       */
      key: string;
    };
    KeyAddedWebhook: {
      /**
       * @description Type of the event.
       * @example key.added
       * @constant
       */
      type: 'key.added';
      /**
       * Format: date-time
       * @description When it was recorded.
       * @example 2025-11-21T04:39:50.000Z
       */
      timestamp: string;
      data: components['schemas']['KeyAddedData'];
    };
    KeyAddedData: {
      /**
       * @description The Avatar: its compressed public key, lowercase hex with `0x`.
       * @example 0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3
       */
      avatar: Hex;
      /**
       * @description UUID of the key event.
       * @example 5a3d1f0e-2c4b-4d6e-8f70-91a2b3c4d5e6
       */
      uuid: string;
      /**
       * @description What the key event says; of a freeze that has ended by itself, `key.freeze`.
       * @example key.commit
       */
      action: string;
      /**
       * @description Who signed it: `main`, or the name of a recovery key.
       * @example main
       */
      signer: string;
      /**
       * Format: int64
       * @description UNIX seconds: when a commit or a succession takes effect, and a freeze ends; otherwise when it was recorded.
       * @example 1763699990
       */
      due_at: number;
      /**
       * @description Whether the writes of the Avatar are stopped now.
       * @example false
       */
      is_frozen: boolean;
      /**
       * @description The key of the app: `<algorithm>:0x<compressed key>`.
       * @example ed25519:0x1111111111111111111111111111111111111111111111111111111111111111
       */
      key: string;
      /**
       * Format: int64
       * @description Position in the event stream: drop what is older than what you have of the binding.
       * @example 42
       */
      position: number;
    };
    KeyRevokedEvent: {
      /**
       * @description Id of the event, for deduplication (UUID).
       * @example 7b4f54a3-6c0e-4b5b-8f0e-0a0c5b7f9d11
       */
      id: string;
      /**
       * @description Type of the event.
       * @example key.revoked
       * @constant
       */
      type: 'key.revoked';
      /**
       * Format: int64
       * @description Position in one gapless sequence of all events; the id of the stream.
       * @example 42
       */
      position: number;
      /**
       * @description When it was recorded, UNIX seconds.
       * @example 1763699990
       */
      recorded_at: string;
      /**
       * @description The Avatar: its compressed public key, lowercase hex with `0x`.
       * @example 0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3
       */
      avatar: Hex;
      /**
       * @description UUID of the key event.
       * @example 5a3d1f0e-2c4b-4d6e-8f70-91a2b3c4d5e6
       */
      uuid: string;
      /**
       * @description What the key event says; of a freeze that has ended by itself, `key.freeze`.
       * @example key.commit
       */
      action: string;
      /**
       * @description Who signed it: `main`, or the name of a recovery key.
       * @example main
       */
      signer: string;
      /**
       * Format: int64
       * @description UNIX seconds: when a commit or a succession takes effect, and a freeze ends; otherwise when it was recorded.
       * @example 1763699990
       */
      due_at: number;
      /**
       * @description Whether the writes of the Avatar are stopped now.
       * @example false
       */
      is_frozen: boolean;
      /**
       * @description Empty: it is about no identity. Readers of 0.2.0 expect a text here.
       * @example
       */
      platform: PlatformName;
      /**
       * @description Empty, as `platform`.
       * @example
       */
      identity: string;
      /**
       * @description The key of the app: `<algorithm>:0x<compressed key>`.
       * @example ed25519:0x1111111111111111111111111111111111111111111111111111111111111111
       */
      key: string;
    };
    KeyRevokedWebhook: {
      /**
       * @description Type of the event.
       * @example key.revoked
       * @constant
       */
      type: 'key.revoked';
      /**
       * Format: date-time
       * @description When it was recorded.
       * @example 2025-11-21T04:39:50.000Z
       */
      timestamp: string;
      data: components['schemas']['KeyRevokedData'];
    };
    KeyRevokedData: {
      /**
       * @description The Avatar: its compressed public key, lowercase hex with `0x`.
       * @example 0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3
       */
      avatar: Hex;
      /**
       * @description UUID of the key event.
       * @example 5a3d1f0e-2c4b-4d6e-8f70-91a2b3c4d5e6
       */
      uuid: string;
      /**
       * @description What the key event says; of a freeze that has ended by itself, `key.freeze`.
       * @example key.commit
       */
      action: string;
      /**
       * @description Who signed it: `main`, or the name of a recovery key.
       * @example main
       */
      signer: string;
      /**
       * Format: int64
       * @description UNIX seconds: when a commit or a succession takes effect, and a freeze ends; otherwise when it was recorded.
       * @example 1763699990
       */
      due_at: number;
      /**
       * @description Whether the writes of the Avatar are stopped now.
       * @example false
       */
      is_frozen: boolean;
      /**
       * @description The key of the app: `<algorithm>:0x<compressed key>`.
       * @example ed25519:0x1111111111111111111111111111111111111111111111111111111111111111
       */
      key: string;
      /**
       * Format: int64
       * @description Position in the event stream: drop what is older than what you have of the binding.
       * @example 42
       */
      position: number;
    };
  };
}
