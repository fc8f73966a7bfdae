// Written by `npm run sdk-types` from the sources of the service. Do not change it by hand.
/* eslint max-len: off */
export interface paths {
  '/healthz': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Health, build and supported platforms */
    get: operations['PlatformController_health'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/platforms': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** What each platform needs, and whether this server can check it now */
    get: operations['PlatformController_list'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/proofchain': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The whole chain of an Avatar, page by page */
    get: operations['ProofChainController_page'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/proofchain/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Feed of the links of all Avatars */
    get: operations['ProofChainController_changes'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/proof/payload': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Step 1: get the text to sign and the texts to publish */
    post: operations['ProofController_payload'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/proof': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Bindings by identity */
    get: operations['ProofController_find'];
    put?: never;
    /** Step 2: submit the signed link */
    post: operations['ProofController_submit'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/proof/exists': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** State of one binding */
    get: operations['ProofController_exists'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/proof/evidence': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** What was seen at the last successful check */
    get: operations['ProofController_showEvidence'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/proof/history': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The checks of one binding, newest first */
    get: operations['ProofController_showHistory'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/kv/payload': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Step 1: get the text to sign for a patch */
    post: operations['KvController_payload'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/kv': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** All content of an Avatar */
    get: operations['KvController_find'];
    put?: never;
    /** Step 2: submit the signed patch */
    post: operations['KvController_submit'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/kv/chain': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** All signed patches of an Avatar, page by page; replaying them gives its content */
    get: operations['KvController_page'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/kv/by_identity': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The content of every Avatar under one identity */
    get: operations['KvController_findByIdentity'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Stream of what happens, with resume
     * @description Server-Sent Events. `id` is the position in one gapless sequence of all events; `event` is the type. It starts with `ready`, and `heartbeat` follows now and then; both tell the position, past events that the filter left out too. After a break, connect again with the last id in `Last-Event-ID` (a browser does that by itself): nothing is missed and nothing comes twice.
     */
    get: operations['EventStreamController_open'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/livez': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Whether this process is alive; asks nobody */
    get: operations['ProbesController_live'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/readyz': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Whether this server can serve: the database answers and its schema is up to date */
    get: operations['ProbesController_ready'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/metrics': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Numbers for Prometheus */
    get: operations['MetricsController_show'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    HealthDto: {
      /** @example proof service */
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
       * @example production
       * @enum {string}
       */
      environment: 'staging' | 'production';
      /**
       * @description Platforms on which a create can work on this server now.
       * @example [
       *       "ethereum",
       *       "solana"
       *     ]
       */
      platforms: string[];
    };
    PlatformDto: {
      /**
       * @description The platform value.
       * @example github
       */
      platform: string;
      /**
       * @description Regular expression that canonical identities match.
       * @example ^[a-z0-9][a-z0-9_-]{0,100}$
       */
      identity_pattern: string;
      /** @example alice */
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
    };
    PlatformsDto: {
      platforms: components['schemas']['PlatformDto'][];
    };
    PaginationDto: {
      /**
       * @description Total number of results.
       * @example 1
       */
      total: number;
      /**
       * @description Results per page.
       * @example 20
       */
      per: number;
      /**
       * @description Number of this page; the first page is 1.
       * @example 1
       */
      current: number;
      /**
       * @description Number of the next page; 0 when this page is the last.
       * @example 0
       */
      next: number;
    };
    ChainLinkDto: {
      /**
       * @example create
       * @enum {string}
       */
      action: 'create' | 'delete';
      /** @example ethereum */
      platform: string;
      /** @example 0x4264ae876b5b20f38b84a0339ac25803029b5ebf */
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
      /** @example 396d94a2-39ad-45dd-8c17-1485757ec251 */
      uuid: string;
      /**
       * @description Transaction id in the permanent storage; empty until it is confirmed.
       * @example
       */
      archive_id: string;
    };
    ProofChainResponseDto: {
      pagination: components['schemas']['PaginationDto'];
      /** @description Oldest link first. */
      proof_chain: components['schemas']['ChainLinkDto'][];
    };
    ErrorBody: {
      /**
       * @description One sentence for people: what was seen and what was expected.
       * @example identity should not be empty.
       */
      message: string;
      /**
       * @description A stable word for programs.
       * @example invalid_request
       */
      code: string;
    };
    FeedLinkDto: {
      /**
       * @example create
       * @enum {string}
       */
      action: 'create' | 'delete';
      /** @example ethereum */
      platform: string;
      /** @example 0x4264ae876b5b20f38b84a0339ac25803029b5ebf */
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
      /** @example 396d94a2-39ad-45dd-8c17-1485757ec251 */
      uuid: string;
      /**
       * @description Transaction id in the permanent storage; empty until it is confirmed.
       * @example
       */
      archive_id: string;
      /**
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
    ChangesResponseDto: {
      /** @description Ascending by `id`. */
      links: components['schemas']['FeedLinkDto'][];
    };
    PayloadRequestDto: {
      /**
       * @example create
       * @enum {string}
       */
      action: 'create' | 'delete';
      /**
       * @description A platform value, as in GET /healthz.
       * @example ethereum
       */
      platform: string;
      /**
       * @description Identity on the platform.
       * @example 0x4264ae876b5b20f38b84a0339ac25803029b5ebf
       */
      identity: string;
      /**
       * @description Avatar public key: 0x and 66 or 130 hex digits.
       * @example 0x0238e176a158d5c40f36f6b49e8ba9332fb6dca03a34f03373cfaa398f710ddf5d
       */
      public_key: string;
    };
    PayloadResponseDto: {
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
    };
    SubmitExtraDto: {
      /**
       * @description Signature of the wallet over the same sign_payload (Base64, or hex behind 0x, which is kept as Base64; Solana wallets also Base58). Required for wallet platforms.
       * @example payH5GsCFVUv9IobnJI8IObp3X8w0YYj55YeYm+uiKBowXqaESgJKc88REA8gr4Z4hAYEQW7Vokoy8CCeP7Wmhs=
       */
      wallet_signature?: string;
      /** @description Solana only: the bytes that the wallet signed (Base64, or hex behind 0x), where they are more than sign_payload, as with a Ledger: `signedMessage` of the wallet. Must be an off-chain message of this wallet alone whose text is sign_payload. */
      wallet_message?: string;
      /**
       * @description Signature of the Avatar over sign_payload (Base64, or hex behind 0x, which is kept as Base64). Required for wallet platforms and for every delete.
       * @example 4BNwIkFaaf+V8zpSEm0R3EfveTzvuT05QHA795AfKTRY4zhvhy9FdLbOIpOxNhHFws9NlOcp1ITAExrcWQkMZRs=
       */
      signature?: string;
    };
    SubmitRequestDto: {
      /**
       * @example create
       * @enum {string}
       */
      action: 'create' | 'delete';
      /**
       * @description A platform value, as in GET /healthz.
       * @example ethereum
       */
      platform: string;
      /**
       * @description Identity on the platform.
       * @example 0x4264ae876b5b20f38b84a0339ac25803029b5ebf
       */
      identity: string;
      /**
       * @description Avatar public key: 0x and 66 or 130 hex digits.
       * @example 0x0238e176a158d5c40f36f6b49e8ba9332fb6dca03a34f03373cfaa398f710ddf5d
       */
      public_key: string;
      /**
       * @description Location of the public post, where the platform needs one.
       * @example
       */
      proof_location?: string;
      extra?: components['schemas']['SubmitExtraDto'];
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
    ProofRecordDto: {
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
      /** @example ethereum */
      platform: string;
      /** @example 0x4264ae876b5b20f38b84a0339ac25803029b5ebf */
      identity: string;
    };
    IdentityGroupDto: {
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
      proofs: components['schemas']['ProofRecordDto'][];
    };
    FindProofsResponseDto: {
      pagination: components['schemas']['PaginationDto'];
      ids: components['schemas']['IdentityGroupDto'][];
    };
    ProofStateDto: {
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
    };
    EvidenceDto: {
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
    CheckDto: {
      /**
       * @description When it was checked, UNIX seconds.
       * @example 1795225670
       */
      checked_at: string;
      /**
       * @description `valid`: confirmed; `gone`: the platform said no; `unavailable`: it could not be asked; `misconfigured`: this server lacks a setting. The last two prove nothing.
       * @example valid
       * @enum {string}
       */
      outcome: 'valid' | 'gone' | 'unavailable' | 'misconfigured';
      /**
       * @description One sentence; empty when valid.
       * @example
       */
      reason: string;
    };
    HistoryDto: {
      pagination: components['schemas']['PaginationDto'];
      /** @description Newest first. The oldest ones are dropped after a while. */
      checks: components['schemas']['CheckDto'][];
    };
    KvPayloadRequestDto: {
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
       * @description JSON merge patch (RFC 7396) to the present content: null deletes, an array is replaced as a whole.
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
    KvPayloadResponseDto: {
      /**
       * @description Send unchanged to POST /v1/kv.
       * @example 74913704-0904-4e3a-9fa1-ce6a90be6612
       */
      uuid: string;
      /**
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
    KvSubmitRequestDto: {
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
       * @description JSON merge patch (RFC 7396) to the present content: null deletes, an array is replaced as a whole.
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
    KvEntryDto: {
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
    };
    KvResponseDto: {
      /**
       * @description Uncompressed public key.
       * @example 0x049b3344733da690aabc2acfa8dd8e6181390a93aff15e96a1d8f88400c3b32dd0443b889ae62974b88a29e79367c436b08096fbe040f679a03e7edccff3a69ff5
       */
      avatar: string;
      proofs: components['schemas']['KvEntryDto'][];
    };
    KvPatchDto: {
      /** @example 74913704-0904-4e3a-9fa1-ce6a90be6612 */
      uuid: string;
      /** @example self */
      platform: string;
      /** @example 0x049b3344733da690aabc2acfa8dd8e6181390a93aff15e96a1d8f88400c3b32dd0443b889ae62974b88a29e79367c436b08096fbe040f679a03e7edccff3a69ff5 */
      identity: string;
      /**
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
    };
    KvChainResponseDto: {
      pagination: components['schemas']['PaginationDto'];
      /** @description Oldest patch first. */
      kv_chain: components['schemas']['KvPatchDto'][];
    };
    KvValueDto: {
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
       * @description Bytes of the content as canonical JSON.
       * @example 49
       */
      content_bytes: number;
      /**
       * @description Whether the Avatar holds a valid proof of this identity now; true for `self`.
       * @example true
       */
      is_bound: boolean;
    };
    KvByIdentityResponseDto: {
      pagination: components['schemas']['PaginationDto'];
      /** @description Who holds a valid proof first, then the newest. */
      values: components['schemas']['KvValueDto'][];
    };
    ProbeDto: {
      /** @enum {string} */
      status: 'ok';
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  PlatformController_health: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['HealthDto'];
        };
      };
    };
  };
  PlatformController_list: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PlatformsDto'];
        };
      };
    };
  };
  ProofChainController_page: {
    parameters: {
      query?: {
        /** @description Avatar public key. Required, here or as `avatar`. */
        public_key?: string;
        /** @description Another name of `public_key`. */
        avatar?: string;
        /** @description Page number; the first page is 1. */
        page?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProofChainResponseDto'];
        };
      };
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  ProofChainController_changes: {
    parameters: {
      query?: {
        /** @description Cursor: the largest `id` of the previous answer; 0 starts a new iteration. Required, here or as `id`. */
        last_id?: number;
        /** @description Another name of `last_id`. */
        id?: number;
        count?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangesResponseDto'];
        };
      };
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  ProofController_payload: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PayloadRequestDto'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PayloadResponseDto'];
        };
      };
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  ProofController_find: {
    parameters: {
      query: {
        /** @description Platform value, or the name of the service (`self` by default) to look up by public key. Absent: all platforms. */
        platform?: string;
        /** @description One identity, or up to 50 separated by commas. */
        identity: string;
        /** @description Page number; the first page is 1. */
        page?: number;
        /** @description Exact match; a case-insensitive part of an identity matches when absent. */
        exact?: boolean;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FindProofsResponseDto'];
        };
      };
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  ProofController_submit: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SubmitRequestDto'];
      };
    };
    responses: {
      /** @description The link is recorded. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': Record<string, never>;
        };
      };
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  ProofController_exists: {
    parameters: {
      query: {
        platform: string;
        identity: string;
        public_key: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProofStateDto'];
        };
      };
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description Says which part was not found: the Avatar, or this identity under it. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  ProofController_showEvidence: {
    parameters: {
      query: {
        platform: string;
        identity: string;
        public_key: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EvidenceDto'];
        };
      };
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  ProofController_showHistory: {
    parameters: {
      query: {
        platform: string;
        identity: string;
        public_key: string;
        /** @description Page number; the first page is 1. */
        page?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['HistoryDto'];
        };
      };
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description As for exists. The history ends when the binding is deleted. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  KvController_payload: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['KvPayloadRequestDto'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['KvPayloadResponseDto'];
        };
      };
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  KvController_find: {
    parameters: {
      query: {
        /** @description Avatar public key: 0x and 66 or 130 hex digits. */
        avatar: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['KvResponseDto'];
        };
      };
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description This Avatar never wrote any key-value data. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  KvController_submit: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['KvSubmitRequestDto'];
      };
    };
    responses: {
      /** @description The patch is applied; the body is that of GET /v1/kv. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['KvResponseDto'];
        };
      };
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  KvController_page: {
    parameters: {
      query: {
        /** @description Avatar public key: 0x and 66 or 130 hex digits. */
        avatar: string;
        /** @description Page number; the first page is 1. */
        page?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['KvChainResponseDto'];
        };
      };
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  KvController_findByIdentity: {
    parameters: {
      query: {
        /** @description A platform value, or the name of the service (`self` by default), which stands for the key itself. */
        platform: string;
        /** @description Identity on the platform; for `self`, the public key. */
        identity: string;
        /** @description Page number; the first page is 1. */
        page?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['KvByIdentityResponseDto'];
        };
      };
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  EventStreamController_open: {
    parameters: {
      query?: {
        /** @description Only events of this Avatar, in any spelling of its key. */
        avatar?: string;
        /** @description Only events of this platform, or of the key itself (see SERVICE_NAME). */
        platform?: string;
        /** @description Only these types, separated by commas: proof.bound, proof.revoked, proof.invalidated, proof.restored, kv.patched, link.archived. */
        types?: string;
        /** @description Resume behind the event with this id; 0 starts at the oldest event that is kept. The header `Last-Event-ID` goes before it. Without either the stream starts now. */
        after?: string;
      };
      header?: {
        /** @description Id of the last event that was received. */
        'Last-Event-ID'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example retry: 2000
           *
           *     id: 41
           *     event: ready
           *     data: {"position":41}
           *
           *     id: 42
           *     event: proof.bound
           *     data: {"id":"7b4f54a3-6c0e-4b5b-8f0e-0a0c5b7f9d11","type":"proof.bound","position":42,"recorded_at":"1763700000","avatar":"0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3","platform":"ethereum","identity":"0xd5f630652d4a8a5f95cda3738ce9f43fa26e764f","uuid":"909353ef-a9bb-4b4b-be79-a1e4eb82bd57","link_id":17,"created_at":"1763699990","proof_location":""}
           *
           *     id: 42
           *     event: heartbeat
           *     data: {"position":42}
           */
          'text/event-stream': string;
        };
      };
      /** @description A filter that means nothing; or an id that never existed (`event_unknown`) or is no longer kept (`event_pruned`). */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description Too many open streams. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  ProbesController_live: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProbeDto'];
        };
      };
    };
  };
  ProbesController_ready: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProbeDto'];
        };
      };
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  MetricsController_show: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Text exposition format. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/plain': string;
        };
      };
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/plain': components['schemas']['ErrorBody'];
        };
      };
    };
  };
}
