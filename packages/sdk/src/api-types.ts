// Written by `npm run sdk-types` from the sources of the service. Do not change it by hand.
/* eslint max-len: off */
export interface components {
  schemas: {
    Platform: {
      /**
       * @description The platform value.
       * @example github
       */
      platform: string;
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
    Platforms: {
      /**
       * @description Name of this service: the `platform` under which a public key is looked up, and its own key-value entry is.
       * @example self
       */
      service_name: string;
      /** @description All platforms, those that this server cannot check now included. */
      platforms: components['schemas']['Platform'][];
    };
    ErrorBody: {
      /**
       * @description One sentence for people: what was seen and what was expected.
       * @example identity is empty.
       */
      message: string;
      /** @example invalid_request */
      code: components['schemas']['ErrorCode'];
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
      platform: string;
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
    ProofChainResponse: {
      pagination: components['schemas']['Pagination'];
      /** @description Oldest link first. */
      proof_chain: components['schemas']['ChainLink'][];
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
      platform: string;
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
      avatar: string;
    };
    ChangesResponse: {
      /** @description Ascending by `id`. */
      links: components['schemas']['FeedLink'][];
    };
    PayloadExtra: {
      /**
       * Format: int64
       * @description EIP-155 id of the chain of a contract wallet (ERC-1271); only for a create on ethereum, ignored elsewhere.
       */
      chain_id?: number;
    };
    PayloadRequest: {
      /**
       * @description `create` binds the identity, `delete` revokes the binding.
       * @example create
       */
      action: components['schemas']['LinkAction'];
      /**
       * @description A platform value, as in GET /healthz.
       * @example ethereum
       */
      platform: string;
      /**
       * @description Identity on the platform. `GET /v1/platforms` has the form that each platform wants (`invalid_identity`).
       * @example 0x4264ae876b5b20f38b84a0339ac25803029b5ebf
       */
      identity: string;
      /**
       * @description Avatar public key: 0x and 66 or 130 hex digits.
       * @example 0x0238e176a158d5c40f36f6b49e8ba9332fb6dca03a34f03373cfaa398f710ddf5d
       */
      public_key: string;
      /** @description What else the signed text has to say. */
      extra?: components['schemas']['PayloadExtra'];
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
    SubmitExtra: {
      /**
       * @description Signature of the wallet over the same sign_payload (Base64, or hex behind 0x, which is kept as Base64; Solana wallets also Base58). Required for wallet platforms, ignored elsewhere.
       * @example payH5GsCFVUv9IobnJI8IObp3X8w0YYj55YeYm+uiKBowXqaESgJKc88REA8gr4Z4hAYEQW7Vokoy8CCeP7Wmhs=
       */
      wallet_signature?: string;
      /** @description Solana only: the bytes that the wallet signed (Base64, or hex behind 0x), where they are more than sign_payload, as with a Ledger: `signedMessage` of the wallet. Must be an off-chain message of this wallet alone whose text is sign_payload. */
      wallet_message?: string;
      /**
       * @description Signature of the Avatar over sign_payload (Base64, or hex behind 0x, which is kept as Base64). Required for wallet platforms and for every delete, ignored elsewhere.
       * @example 4BNwIkFaaf+V8zpSEm0R3EfveTzvuT05QHA795AfKTRY4zhvhy9FdLbOIpOxNhHFws9NlOcp1ITAExrcWQkMZRs=
       */
      signature?: string;
      /**
       * Format: int64
       * @description Exactly as the payload endpoint gave it, where it did.
       */
      chain_id?: number;
      /**
       * Format: int64
       * @description Exactly as the payload endpoint gave it, where it did.
       */
      block_number?: number;
    };
    SubmitRequest: {
      /**
       * @description `create` binds the identity, `delete` revokes the binding.
       * @example create
       */
      action: components['schemas']['LinkAction'];
      /**
       * @description A platform value, as in GET /healthz.
       * @example ethereum
       */
      platform: string;
      /**
       * @description Identity on the platform. `GET /v1/platforms` has the form that each platform wants (`invalid_identity`).
       * @example 0x4264ae876b5b20f38b84a0339ac25803029b5ebf
       */
      identity: string;
      /**
       * @description Avatar public key: 0x and 66 or 130 hex digits.
       * @example 0x0238e176a158d5c40f36f6b49e8ba9332fb6dca03a34f03373cfaa398f710ddf5d
       */
      public_key: string;
      /**
       * @description Location of the public post, where the platform needs one (GET /v1/platforms); ignored elsewhere.
       * @example
       */
      proof_location?: string;
      /** @description Signatures that are sent with the request. */
      extra?: components['schemas']['SubmitExtra'];
      /**
       * @description Exactly as the payload endpoint gave it.
       * @example 396d94a2-39ad-45dd-8c17-1485757ec251
       */
      uuid: string;
      /**
       * @description Exactly as the payload endpoint gave it.
       * @example 1795225670
       */
      created_at: string;
    };
    SubmitResponse: {
      /**
       * @description Canonical location of the post, as it is recorded; empty where there is none.
       * @example
       */
      proof_location: string;
      /**
       * @description `extra` of the link, as it is recorded: with these two a client knows the whole link, and so the hash in its receipt.
       * @example {
       *       "wallet_signature": "payH5GsCFVUv9IobnJI8IObp3X8w0YYj55YeYm+uiKBowXqaESgJKc88REA8gr4Z4hAYEQW7Vokoy8CCeP7Wmhs="
       *     }
       */
      extra: {
        [key: string]: unknown;
      };
      /**
       * @description The promise of the log that the record will be in it, exactly so, until a deadline: a note that its key signed (docs/verify.md, 12). Absent without a log, and while it cannot promise anything.
       * @example signet-receipt/1
       *     log signet.example/log
       *     kind link
       *     avatar 0x038318535b54105d4a7aae60c08fc45f9687181b4fdfc625bd1a753fa7397fed75
       *     uuid 74913704-0904-4e3a-9fa1-ce6a90be6612
       *     hash 0f1a2ff3e7d60ab8e0bf0b7e17b9ab32af0a3cfd26ef0e7d59f4ed5f8b0b4e1c
       *     time 1700000000
       *     deadline 1700086400
       *
       *     — signet.example/log <Base64>
       */
      receipt?: string;
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
      platform: string;
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
      avatar: string;
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
    };
    FoundProofs: {
      pagination: components['schemas']['Pagination'];
      /** @description The Avatar with the newest matching binding first; empty where none matches. The newest 1,000 that hold a name exactly, or that match. */
      ids: components['schemas']['IdentityGroup'][];
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
       * @description The text in which the signature was found, up to 4 KiB; empty after the binding was deleted.
       * @example
       */
      matched_text: string;
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
    History: {
      pagination: components['schemas']['Pagination'];
      /** @description Newest first. The oldest ones are dropped after a while. */
      checks: components['schemas']['Check'][];
    };
    /**
     * @description Only a create is published.
     * @enum {string}
     */
    CreateAction: 'create';
    RestoreKeyRequest: {
      /**
       * @description Only a create is published.
       * @example create
       */
      action?: components['schemas']['CreateAction'];
      /**
       * @description A platform value, as in GET /healthz.
       * @example twitter
       */
      platform: string;
      /**
       * @description Identity of the author of the post.
       * @example alice
       */
      identity: string;
      /**
       * @description The text of the post, as it was published or as a page shows it. Instead of uuid and signature.
       * @example 🎭 Verify @alice with @NextDotID.
       *     Sig: 4BNwIkFaaf+V8zpSEm0R3EfveTzvuT05QHA795AfKTRY4zhvhy9FdLbOIpOxNhHFws9NlOcp1ITAExrcWQkMZRs=
       *     Misc: 396d94a2-39ad-45dd-8c17-1485757ec251|1795225670|
       */
      proof_post?: string;
      /**
       * @description Instead of proof_post, with signature.
       * @example 396d94a2-39ad-45dd-8c17-1485757ec251
       */
      uuid?: string;
      /**
       * @description Signature of the Avatar (Base64, or hex behind 0x). Instead of proof_post, with uuid.
       * @example 4BNwIkFaaf+V8zpSEm0R3EfveTzvuT05QHA795AfKTRY4zhvhy9FdLbOIpOxNhHFws9NlOcp1ITAExrcWQkMZRs=
       */
      signature?: string;
    };
    RestoredKey: {
      /**
       * @description Compressed public key.
       * @example 0x0238e176a158d5c40f36f6b49e8ba9332fb6dca03a34f03373cfaa398f710ddf5d
       */
      public_key: string;
    };
    /** @enum {string} */
    BadgeTheme: 'light' | 'dark';
    KvPayloadRequest: {
      /**
       * @description Avatar public key: 66 or 130 hex digits, with or without 0x.
       * @example 0x039b3344733da690aabc2acfa8dd8e6181390a93aff15e96a1d8f88400c3b32dd0
       */
      avatar: string;
      /**
       * @description A platform value, or the name of the service (`self` by default), which stands for the key itself.
       * @example self
       */
      platform: string;
      /**
       * @description Identity on the platform; for `self`, the public key.
       * @example 0x049b3344733da690aabc2acfa8dd8e6181390a93aff15e96a1d8f88400c3b32dd0443b889ae62974b88a29e79367c436b08096fbe040f679a03e7edccff3a69ff5
       */
      identity: string;
      /**
       * @description JSON merge patch (RFC 7396) to the current content: null deletes, an array is replaced as a whole. As canonical JSON up to 64 KiB (KV_MAX_PATCH_BYTES) and 64 levels deep (KV_MAX_DEPTH), without U+0000 and halves of surrogate pairs.
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
    KvSubmitRequest: {
      /**
       * @description Avatar public key: 66 or 130 hex digits, with or without 0x.
       * @example 0x039b3344733da690aabc2acfa8dd8e6181390a93aff15e96a1d8f88400c3b32dd0
       */
      avatar: string;
      /**
       * @description A platform value, or the name of the service (`self` by default), which stands for the key itself.
       * @example self
       */
      platform: string;
      /**
       * @description Identity on the platform; for `self`, the public key.
       * @example 0x049b3344733da690aabc2acfa8dd8e6181390a93aff15e96a1d8f88400c3b32dd0443b889ae62974b88a29e79367c436b08096fbe040f679a03e7edccff3a69ff5
       */
      identity: string;
      /**
       * @description JSON merge patch (RFC 7396) to the current content: null deletes, an array is replaced as a whole. As canonical JSON up to 64 KiB (KV_MAX_PATCH_BYTES) and 64 levels deep (KV_MAX_DEPTH), without U+0000 and halves of surrogate pairs.
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
       * @description Exactly as the payload endpoint gave it.
       * @example 74913704-0904-4e3a-9fa1-ce6a90be6612
       */
      uuid: string;
      /**
       * Format: int64
       * @description As the payload endpoint gave it; its decimal text is accepted too.
       * @example 1795226555
       */
      created_at: number;
      /**
       * @description Signature of the Avatar over sign_payload (Base64, or hex behind 0x, which is kept as Base64).
       * @example IWn5QhNpCi3K+rhXnQcS1u9d1xnJ1bz3InEBAQoTzJVfQWe/coOfqQaH1AceswPp84BCELSYJ/XtZ4OOp6HT9Rw=
       */
      signature: string;
    };
    KvEntry: {
      /**
       * @description A platform value, or the name of the service (`self` by default), which stands for the key itself.
       * @example self
       */
      platform: string;
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
    KvSubmitResponse: {
      /**
       * @description Uncompressed public key.
       * @example 0x049b3344733da690aabc2acfa8dd8e6181390a93aff15e96a1d8f88400c3b32dd0443b889ae62974b88a29e79367c436b08096fbe040f679a03e7edccff3a69ff5
       */
      avatar: string;
      /** @description One entry for each identity with content. */
      proofs: components['schemas']['KvEntry'][];
      /**
       * @description The promise of the log that the record will be in it, exactly so, until a deadline: a note that its key signed (docs/verify.md, 12). Absent without a log, and while it cannot promise anything.
       * @example signet-receipt/1
       *     log signet.example/log
       *     kind link
       *     avatar 0x038318535b54105d4a7aae60c08fc45f9687181b4fdfc625bd1a753fa7397fed75
       *     uuid 74913704-0904-4e3a-9fa1-ce6a90be6612
       *     hash 0f1a2ff3e7d60ab8e0bf0b7e17b9ab32af0a3cfd26ef0e7d59f4ed5f8b0b4e1c
       *     time 1700000000
       *     deadline 1700086400
       *
       *     — signet.example/log <Base64>
       */
      receipt?: string;
    };
    KvResponse: {
      /**
       * @description Uncompressed public key.
       * @example 0x049b3344733da690aabc2acfa8dd8e6181390a93aff15e96a1d8f88400c3b32dd0443b889ae62974b88a29e79367c436b08096fbe040f679a03e7edccff3a69ff5
       */
      avatar: string;
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
      platform: string;
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
      /**
       * @description Base64 signature of the Avatar over signature_payload.
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
    KvChainResponse: {
      pagination: components['schemas']['Pagination'];
      /** @description Oldest patch first. */
      kv_chain: components['schemas']['KvPatch'][];
    };
    FeedPatch: {
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
      platform: string;
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
      /**
       * @description Base64 signature of the Avatar over signature_payload.
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
      /**
       * Format: int64
       * @description Cursor of this patch: its number in the feed, without gaps.
       * @example 1
       */
      id: number;
      /**
       * @description Compressed public key.
       * @example 0x039b3344733da690aabc2acfa8dd8e6181390a93aff15e96a1d8f88400c3b32dd0
       */
      avatar: string;
    };
    KvChangesResponse: {
      /** @description Ascending by `id`. */
      patches: components['schemas']['FeedPatch'][];
    };
    KvValue: {
      /**
       * @description Uncompressed public key.
       * @example 0x049b3344733da690aabc2acfa8dd8e6181390a93aff15e96a1d8f88400c3b32dd0443b889ae62974b88a29e79367c436b08096fbe040f679a03e7edccff3a69ff5
       */
      avatar: string;
      /**
       * @description Null where it has more than 64 KiB; GET /v1/kv of that Avatar has it then.
       * @example {
       *       "name": "Alice",
       *       "links": [
       *         "https://example.com"
       *       ]
       *     }
       */
      content: {
        [key: string]: unknown;
      } | null;
      /**
       * Format: int64
       * @description Bytes of the content as canonical JSON.
       * @example 49
       */
      content_bytes: number;
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
    KvByIdentityResponse: {
      pagination: components['schemas']['Pagination'];
      /** @description Who holds a valid proof first, then the newest; 1,000 in all. */
      values: components['schemas']['KvValue'][];
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
    /** @enum {string} */
    LogEntryKind: 'link' | 'kv' | 'erased_link' | 'erased_kv';
    LogMapLeaf: {
      /**
       * @description Its key, hex.
       * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
       */
      key: string;
      /**
       * @description SHA-256 of its value, hex.
       * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
       */
      value_hash: string;
    };
    LogMapProof: {
      /**
       * @description The hashes beside the path of the key, from the deepest up, hex.
       * @example [
       *       "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
       *     ]
       */
      siblings: string[];
      /** @description What stands at the end of the path: a leaf, of this key or of another one, or null for nothing. */
      end: components['schemas']['LogMapLeaf'] | null;
    };
    LogMapHolder: {
      /**
       * @description Compressed key.
       * @example 0x02d7c5e01bedf1c993f40ec302d9bf162620daea93a7155cd9a8019ae3a2c2a476
       */
      avatar: string;
      /**
       * Format: int64
       * @description The entry of the log, from 0, of the link that made the binding.
       * @example 3
       */
      link: number;
    };
    LogMapHolderProof: {
      /**
       * @description `{"link"}`: the entry of the link that made the binding; null if this Avatar does not hold it.
       * @example {
       *       "link": 3
       *     }
       */
      value: {
        [key: string]: unknown;
      } | null;
      /** @description In the tree of the holders of the identity. */
      proof: components['schemas']['LogMapProof'];
    };
    LogMap: {
      /**
       * @description The key in the map that was asked for, hex.
       * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
       */
      key: string;
      /**
       * @description Of an Avatar `{"link","links","patch","patches"}`: the entries of its newest link and patch, and how many it has; of an identity `{"holders","root"}`: how many Avatars hold it, and the root of the tree of them. Null where the map does not have the key.
       * @example {
       *       "link": 3,
       *       "links": 2,
       *       "patch": null,
       *       "patches": 0
       *     }
       */
      value: {
        [key: string]: unknown;
      } | null;
      proof: components['schemas']['LogMapProof'];
      /** @description Where the question is about an identity and no Avatar: all Avatars that hold it, in the order of their keys in the tree of holders. Null where more than 1000 hold it, and in answers to other questions. */
      holders: components['schemas']['LogMapHolder'][] | null;
      /** @description Of an identity that is held, where an Avatar is asked for too; null otherwise. */
      holder: components['schemas']['LogMapHolderProof'] | null;
      /**
       * @description The proof (C2SP tlog-proof) of the entry of the log that commits to this state of the map; it is the last one of its checkpoint.
       * @example c2sp.org/tlog-proof@v1
       *     …
       */
      log_proof: string;
    };
    /** @enum {string} */
    EventType:
      'proof.bound' | 'proof.revoked' | 'proof.invalidated' | 'proof.restored' | 'kv.patched' | 'link.archived';
    /** @enum {string} */
    EventFormat: 'standard' | 'cloudevents';
    BelievedObserver: {
      /**
       * @description The name that the operator of this server gave it.
       * @example mirror
       */
      operator: string;
      /**
       * @description Its keys.
       * @example [
       *       "mirror.example/seen+41c1ad28+/3NpZ25ldC1zZWVuL3YxAIqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c"
       *     ]
       */
      verifier_keys: string[];
      /**
       * @description Where its statements are.
       * @example [
       *       "https://mirror.example"
       *     ]
       */
      urls: string[];
    };
    SeenKeys: {
      /**
       * @description The key of this server; empty where it looks at no other server.
       * @example mirror.example/seen+41c1ad28+/3NpZ25ldC1zZWVuL3YxAIqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c
       */
      verifier_key: string;
      /**
       * @description Hosts of the servers that it looks at.
       * @example [
       *       "signet.example"
       *     ]
       */
      looks_at: string[];
      /**
       * Format: int64
       * @description How many of `observers` have to agree; 0 for the usual rule.
       * @example 0
       */
      quorum: number;
      /** @description Others whose statements this server collects: its choice. */
      observers: components['schemas']['BelievedObserver'][];
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
    /**
     * @description Always `ok`; what is not well has another status.
     * @enum {string}
     */
    ProbeStatus: 'ok';
    Probe: {
      /** @description Always `ok`; what is not well has another status. */
      status: components['schemas']['ProbeStatus'];
    };
    /**
     * @description `waiting` for the steps before it; `stuck`: it failed and is tried again, and the log says why.
     * @enum {string}
     */
    UpgradeStepState: 'waiting' | 'running' | 'stuck' | 'done';
    UpgradeStep: {
      /**
       * @description Name of the step.
       * @example kv_patch_feed
       */
      id: string;
      /**
       * @description `waiting` for the steps before it; `stuck`: it failed and is tried again, and the log says why.
       * @example running
       */
      state: components['schemas']['UpgradeStepState'];
      /**
       * Format: double
       * @description How much of it is done, from 0 to 1.
       * @example 0.25
       */
      progress: number;
    };
    Upgrade: {
      /**
       * Format: int64
       * @description Steps that are done.
       * @example 3
       */
      done: number;
      /** @description The others, in their order; one is worked on at a time. */
      steps: components['schemas']['UpgradeStep'][];
    };
    Clock: {
      /**
       * Format: int64
       * @description Seconds by which the clock of this server is ahead of that of the database; negative where it is behind.
       * @example 400
       */
      ahead_of_database_seconds: number;
      /**
       * Format: int64
       * @description Seconds by which the newest link lies in the future, because a clock was put back.
       * @example 0
       */
      newest_link_ahead_seconds: number;
    };
    Search: {
      /**
       * Format: int64
       * @description Bindings that are not in it yet, counted up to 10,000.
       * @example 4200
       */
      waiting: number;
      /**
       * Format: int64
       * @description Seconds since the oldest of them was recorded.
       * @example 45
       */
      lag_seconds: number;
    };
    Readiness: {
      /** @description Always `ok`; what is not well has another status. */
      status: components['schemas']['ProbeStatus'];
      /** @description The transparency log; absent with LOG=off. */
      log?: components['schemas']['LogHealth'];
      /** @description The long work of an upgrade, which servers do while they serve; absent once all of it is done. */
      upgrade?: components['schemas']['Upgrade'];
      /** @description Clocks that disagree by a minute or more, which an operator has to set right; absent otherwise. */
      clock?: components['schemas']['Clock'];
      /** @description The index of searches, if a binding has waited for it for half a minute; absent otherwise. Exact lookups find all bindings meanwhile, and searches the newest thousand of those that wait. */
      search?: components['schemas']['Search'];
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
      avatar: string;
      /**
       * @description Platform value.
       * @example ethereum
       */
      platform: string;
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
      avatar: string;
      /**
       * @description Platform value.
       * @example ethereum
       */
      platform: string;
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
      avatar: string;
      /**
       * @description Platform value.
       * @example ethereum
       */
      platform: string;
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
      avatar: string;
      /**
       * @description Platform value.
       * @example ethereum
       */
      platform: string;
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
      avatar: string;
      /**
       * @description Platform value.
       * @example ethereum
       */
      platform: string;
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
      avatar: string;
      /**
       * @description Platform value.
       * @example ethereum
       */
      platform: string;
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
      avatar: string;
      /**
       * @description Platform value.
       * @example ethereum
       */
      platform: string;
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
      avatar: string;
      /**
       * @description Platform value.
       * @example ethereum
       */
      platform: string;
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
      avatar: string;
      /**
       * @description Platform value.
       * @example ethereum
       */
      platform: string;
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
      avatar: string;
      /**
       * @description Platform value.
       * @example ethereum
       */
      platform: string;
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
      avatar: string;
      /**
       * @description Platform value.
       * @example ethereum
       */
      platform: string;
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
      avatar: string;
      /**
       * @description Platform value.
       * @example ethereum
       */
      platform: string;
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
    /**
     * @description A stable word for programs.
     * @enum {string}
     */
    ErrorCode:
      | 'already_recorded'
      | 'avatar_content_too_large'
      | 'avatar_not_found'
      | 'binding_not_found'
      | 'body_too_large'
      | 'chain_required'
      | 'circuit_not_found'
      | 'configured_subscription'
      | 'content_too_large'
      | 'database_slow'
      | 'database_unavailable'
      | 'dead_letter_not_found'
      | 'delivery_not_found'
      | 'does_not_verify'
      | 'event_failed_again'
      | 'event_pruned'
      | 'event_unknown'
      | 'evidence_not_found'
      | 'headers_too_large'
      | 'identity_not_found'
      | 'inconsistent_checkpoint'
      | 'internal_error'
      | 'invalid_identity'
      | 'invalid_proof_location'
      | 'invalid_public_key'
      | 'invalid_request'
      | 'invalid_signature'
      | 'invalid_webhook_url'
      | 'kv_not_found'
      | 'log_catching_up'
      | 'log_refused'
      | 'malformed_json'
      | 'map_catching_up'
      | 'method_not_allowed'
      | 'migrations_pending'
      | 'missing_proof_location'
      | 'nesting_too_deep'
      | 'not_bound'
      | 'not_cosigned'
      | 'not_found'
      | 'not_rechecked'
      | 'not_restored'
      | 'not_yet_logged'
      | 'number_out_of_range'
      | 'overloaded'
      | 'page_too_deep'
      | 'parked_event_not_found'
      | 'patch_too_large'
      | 'payload_expired'
      | 'payload_mismatch'
      | 'platform_not_configured'
      | 'platform_unavailable'
      | 'proof_rejected'
      | 'receipt_over'
      | 'record_erased'
      | 'record_not_found'
      | 'request_timeout'
      | 'stale_chain'
      | 'stopping'
      | 'storage_full'
      | 'subscription_not_found'
      | 'tile_not_found'
      | 'too_many_bindings'
      | 'too_many_entries'
      | 'too_many_requests'
      | 'too_many_subkeys'
      | 'too_many_subscriptions'
      | 'too_many_values'
      | 'unauthorized'
      | 'unavailable'
      | 'unknown_chain'
      | 'unknown_event_type'
      | 'unknown_log'
      | 'unknown_log_key'
      | 'unknown_platform'
      | 'unstorable_text'
      | 'upgrade_under_way'
      | 'uri_too_long'
      | 'version_too_old';
  };
  responses: {
    /** @description The request is not right, or does not prove what it claims; `code` says which. `platform_unavailable` may carry `Retry-After`. */
    BadRequest: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "message": "public_key is missing.",
         *       "code": "invalid_request"
         *     }
         */
        'application/json': components['schemas']['ErrorBody'];
      };
    };
    /** @description The path has no such method (`method_not_allowed`); `Allow` lists those that it has. */
    MethodNotAllowed: {
      headers: {
        Allow: components['headers']['Allow'];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "message": "This path has no DELETE; it has GET, HEAD, OPTIONS, POST.",
         *       "code": "method_not_allowed"
         *     }
         */
        'application/json': components['schemas']['ErrorBody'];
      };
    };
    /** @description The request did not arrive in time (`request_timeout`). */
    RequestTimeout: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "message": "The request did not arrive in time.",
         *       "code": "request_timeout"
         *     }
         */
        'application/json': components['schemas']['ErrorBody'];
      };
    };
    /** @description The body is larger than 1 MiB (`body_too_large`). */
    BodyTooLarge: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "message": "Request body is too large",
         *       "code": "body_too_large"
         *     }
         */
        'application/json': components['schemas']['ErrorBody'];
      };
    };
    /** @description A part of the path is too long (`uri_too_long`). */
    PathTooLong: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "message": "The path is too long.",
         *       "code": "uri_too_long"
         *     }
         */
        'application/json': components['schemas']['ErrorBody'];
      };
    };
    /** @description A rate limit of this address is used up (`too_many_requests`). */
    TooManyRequests: {
      headers: {
        'Retry-After': components['headers']['Retry-After'];
        'RateLimit-Policy': components['headers']['RateLimit-Policy'];
        RateLimit: components['headers']['RateLimit'];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "message": "Too many requests: this address may make 1 reads of the documents of this server in 60 seconds; try again in 60 s.",
         *       "code": "too_many_requests"
         *     }
         */
        'application/json': components['schemas']['ErrorBody'];
      };
    };
    /** @description Request line and headers are too large (`headers_too_large`). */
    HeadersTooLarge: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "message": "The request line and the headers may have 16384 bytes together.",
         *       "code": "headers_too_large"
         *     }
         */
        'application/json': components['schemas']['ErrorBody'];
      };
    };
    /** @description A bug of the service (`internal_error`); the request id is in its log. */
    InternalError: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "message": "Something went wrong on our side; the request id is in our log.",
         *       "code": "internal_error"
         *     }
         */
        'application/json': components['schemas']['ErrorBody'];
      };
    };
    /** @description The server is overloaded or its database cannot serve now; try again. */
    Unavailable: {
      headers: {
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "message": "The database took too long; try again shortly.",
         *       "code": "database_slow"
         *     }
         */
        'application/json': components['schemas']['ErrorBody'];
      };
    };
    /** @description The answer is the one that `If-None-Match` names. */
    NotModified: {
      headers: {
        ETag: components['headers']['ETag'];
        [name: string]: unknown;
      };
      content?: never;
    };
  };
  parameters: never;
  requestBodies: never;
  headers: {
    /** @description The methods of the path. */
    Allow: string;
    /** @description Seconds after which to try again. */
    'Retry-After': number;
    /** @description The limits that count this request (draft-ietf-httpapi-ratelimit-headers-10). */
    'RateLimit-Policy': string;
    /** @description What is left of them. */
    RateLimit: string;
    /** @description Send it back in `If-None-Match`. */
    ETag: string;
    /** @description Id of this request in the log of the server. */
    'X-Request-Id': string;
  };
  pathItems: never;
}
