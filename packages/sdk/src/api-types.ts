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
    get: operations['getHealth'];
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
    get: operations['listPlatforms'];
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
    get: operations['getProofChain'];
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
    get: operations['listChanges'];
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
    post: operations['createPayload'];
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
    get: operations['findProofs'];
    put?: never;
    /** Step 2: submit the signed link */
    post: operations['submitProof'];
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
    get: operations['getBinding'];
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
    get: operations['getEvidence'];
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
    get: operations['listChecks'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/badge/{platform}/{file}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** A picture that says in which state a binding is */
    get: operations['getBadge'];
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
    post: operations['createKvPayload'];
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
    get: operations['getKv'];
    put?: never;
    /** Step 2: submit the signed patch */
    post: operations['submitKvPatch'];
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
    get: operations['listKvPatches'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/kv/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Feed of the patches of all Avatars */
    get: operations['listKvChanges'];
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
    get: operations['findKvByIdentity'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/log': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Name, key and state of the transparency log, and who watches it */
    get: operations['getLog'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/log/proof': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The proof that a link or a patch is in the log (C2SP tlog-proof)
     * @description Its checkpoint is the newest that meets the policy of the log, where that one has the entry; otherwise the newest of all.
     */
    get: operations['getLogProof'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/log/cosigned/checkpoint': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The newest tree head that has the cosignatures that the policy of the log asks for
     * @description The tiles of the log are served below this prefix as well, for readers that know one prefix only.
     */
    get: operations['getCosignedLogCheckpoint'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/log/checkpoint': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The newest signed tree head (C2SP tlog-checkpoint) */
    get: operations['getLogCheckpoint'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/log/tile/entries/{path}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Up to 256 entries of the log (C2SP tlog-tiles) */
    get: operations['getLogEntries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/log/tile/{level}/{path}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Up to 256 hashes of the tree (C2SP tlog-tiles) */
    get: operations['getLogTile'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/proof/restore_pubkey': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** The Avatar that made a published post, if its link is recorded here */
    post: operations['restorePublicKey'];
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
    get: operations['streamEvents'];
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
    get: operations['getLiveness'];
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
    get: operations['getReadiness'];
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
    get: operations['getMetrics'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface webhooks {
  'proof.bound': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A create link was recorded, for a new identity or for one that the Avatar already held.
     * @description A delivery to a webhook subscription, after the Standard Webhooks specification.
     */
    post: operations['receiveProofBoundEvent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'proof.revoked': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A delete link was recorded: the Avatar took the binding back.
     * @description A delivery to a webhook subscription, after the Standard Webhooks specification.
     */
    post: operations['receiveProofRevokedEvent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'proof.invalidated': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A recheck found a valid proof gone, twice, an hour apart.
     * @description A delivery to a webhook subscription, after the Standard Webhooks specification.
     */
    post: operations['receiveProofInvalidatedEvent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'proof.restored': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A recheck found an invalid proof valid again.
     * @description A delivery to a webhook subscription, after the Standard Webhooks specification.
     */
    post: operations['receiveProofRestoredEvent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'kv.patched': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A key-value patch was applied.
     * @description A delivery to a webhook subscription, after the Standard Webhooks specification.
     */
    post: operations['receiveKvPatchedEvent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'link.archived': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The permanent storage confirmed a link.
     * @description A delivery to a webhook subscription, after the Standard Webhooks specification.
     */
    post: operations['receiveLinkArchivedEvent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface components {
  schemas: {
    /**
     * @description The setting ENVIRONMENT.
     * @enum {string}
     */
    DeploymentEnvironment: 'staging' | 'production';
    /**
     * @description `refused`: the service serves as always, but signs nothing more. `GET /v1/log` tells more.
     * @enum {string}
     */
    LogState: 'ok' | 'catching_up' | 'refused';
    LogHealth: {
      /**
       * @description `refused`: the service serves as always, but signs nothing more. `GET /v1/log` tells more.
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
       * Format: double
       * @description How much of what was recorded before is in the tree, from 0 to 1, while it is `catching_up`; absent otherwise.
       * @example 0.25
       */
      progress?: number;
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
    Platform: {
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
    };
    ProofChainResponse: {
      pagination: components['schemas']['Pagination'];
      /** @description Oldest link first. */
      proof_chain: components['schemas']['ChainLink'][];
    };
    ErrorBody: {
      /**
       * @description One sentence for people: what was seen and what was expected.
       * @example identity should not be empty.
       */
      message: string;
      /** @example invalid_request */
      code: components['schemas']['ErrorCode'];
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
    EmptyAnswer: Record<string, never>;
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
    FindProofsResponse: {
      pagination: components['schemas']['Pagination'];
      /** @description The Avatar with the newest matching binding first; empty where none matches. */
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
    };
    KvByIdentityResponse: {
      pagination: components['schemas']['Pagination'];
      /** @description Who holds a valid proof first, then the newest. */
      values: components['schemas']['KvValue'][];
    };
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
       * @description Links and patches that are not in the log yet.
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
    };
    /** @enum {string} */
    LogRecordKind: 'link' | 'kv';
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
    EventType:
      'proof.bound' | 'proof.revoked' | 'proof.invalidated' | 'proof.restored' | 'kv.patched' | 'link.archived';
    /** @enum {string} */
    EventFormat: 'standard' | 'cloudevents';
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
    Readiness: {
      /** @description Always `ok`; what is not well has another status. */
      status: components['schemas']['ProbeStatus'];
      /** @description The transparency log; absent with LOG=off. */
      log?: components['schemas']['LogHealth'];
      /** @description The long work of an upgrade, which servers do while they serve; absent once all of it is done. */
      upgrade?: components['schemas']['Upgrade'];
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
      | 'circuit_not_found'
      | 'configured_subscription'
      | 'content_too_large'
      | 'database_slow'
      | 'database_unavailable'
      | 'dead_letter_not_found'
      | 'delivery_not_found'
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
      | 'unknown_event_type'
      | 'unknown_log'
      | 'unknown_log_key'
      | 'unknown_platform'
      | 'unstorable_text'
      | 'upgrade_under_way'
      | 'uri_too_long'
      | 'version_too_old'
      | 'witness_conflict';
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
export type $defs = Record<string, never>;
export interface operations {
  getHealth: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Health, build and supported platforms. */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "hello": "proof service",
           *       "built_at": "1795332066",
           *       "revision": "unknown",
           *       "environment": "production",
           *       "platforms": [
           *         "twitter",
           *         "ethereum"
           *       ],
           *       "log": {
           *         "state": "ok",
           *         "size": 1,
           *         "problem": ""
           *       }
           *     }
           */
          'application/json': components['schemas']['Health'];
        };
      };
      304: components['responses']['NotModified'];
      400: components['responses']['BadRequest'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  listPlatforms: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What each platform needs, and whether this server can check it now. */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "service_name": "self",
           *       "platforms": [
           *         {
           *           "platform": "twitter",
           *           "identity_pattern": "^[a-z0-9_]{1,15}$",
           *           "identity_example": "alice_demo",
           *           "needs_proof_location": true,
           *           "proof_location_forms": [
           *             "1800000000000000001",
           *             "https://x.com/alice_demo/status/1800000000000000001"
           *           ],
           *           "is_available": true,
           *           "unavailable_reason": "",
           *           "steps": [
           *             "Ask for a payload with your X username (without @) as identity, and sign sign_payload with your Avatar key.",
           *             "Take the text of post_content in your language and put the Base64 signature in place of %SIG_BASE64%.",
           *             "Publish the text as a new post of your account: no repost, and not while the account is protected.",
           *             "Submit the proof with the address of the post, or its number, as proof_location, and keep the post as long as the proof shall stay valid."
           *           ]
           *         },
           *         {
           *           "platform": "keybase",
           *           "identity_pattern": "^(?=.{2,16}$)[a-z0-9]+(?:_[a-z0-9]+)*_?$",
           *           "identity_example": "alice",
           *           "needs_proof_location": false,
           *           "proof_location_forms": [],
           *           "is_available": false,
           *           "unavailable_reason": "KEYBASE_FILE_URL_TEMPLATE must name a gateway to the public folders of Keybase.",
           *           "steps": [
           *             "Ask for a payload with your Keybase username as identity, and sign sign_payload with your Avatar key.",
           *             "Put the Base64 signature in place of %SIG_BASE64% in post_content.default.",
           *             "Save this text as /keybase/public/<your username>/self/0x<66 hex digits of your compressed Avatar key>.txt.",
           *             "Submit the proof without proof_location, and keep the file as long as the proof shall stay valid."
           *           ]
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['Platforms'];
        };
      };
      304: components['responses']['NotModified'];
      400: components['responses']['BadRequest'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  getProofChain: {
    parameters: {
      query?: {
        /** @description Avatar public key: 0x and 66 or 130 hex digits. Required, here or as `avatar`; neither is refused with 400. */
        public_key?: string;
        /** @description Another name of `public_key`, which counts where both are given. */
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
      /** @description The whole chain of an Avatar, page by page. */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "pagination": {
           *         "total": 1,
           *         "per": 20,
           *         "current": 1,
           *         "next": 0
           *       },
           *       "proof_chain": [
           *         {
           *           "action": "create",
           *           "platform": "ethereum",
           *           "identity": "0x477dc1786cd3dea5e797b20f411251a2b7c6e69d",
           *           "proof_location": "",
           *           "created_at": "1795332091",
           *           "signature": "RGcv6hbSz8m4LHSxjcyiB/SJijZ6l5wO2cNW84tJZwdQZ36J+BaVcLxcBlFNjBHWblEtyA+W3pxQr2cRY2HMlhw=",
           *           "signature_payload": "{\"action\":\"create\",\"avatar\":\"0x03c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f\",\"created_at\":\"1795332091\",\"identity\":\"0x477dc1786cd3dea5e797b20f411251a2b7c6e69d\",\"platform\":\"ethereum\",\"prev\":null,\"uuid\":\"8a904fc0-2801-4118-a23d-6ff06761236f\"}",
           *           "extra": {
           *             "wallet_signature": "4/SpYSJTaNpC1cTe7Yo9V0lvBMQNzArE9CbGqvmfej9m/dNy4TDO7FUYsKNv0boEzuxDPwWHlm9sGKJXiEWzEBw="
           *           },
           *           "uuid": "8a904fc0-2801-4118-a23d-6ff06761236f",
           *           "archive_id": ""
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['ProofChainResponse'];
        };
      };
      304: components['responses']['NotModified'];
      400: components['responses']['BadRequest'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  listChanges: {
    parameters: {
      query?: {
        /** @description Cursor: the largest `id` of the previous answer; 0 starts a new iteration. Required, here or as `id`; neither is refused with 400. */
        last_id?: number;
        /** @description Another name of `last_id`, which counts where both are given. */
        id?: number;
        /** @description Items of one answer. Fewer come at the end of the feed, and where items are so long that 2 MB are full. */
        count?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Feed of the links of all Avatars. */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "links": [
           *         {
           *           "id": 1,
           *           "avatar": "0x03c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f",
           *           "action": "create",
           *           "platform": "ethereum",
           *           "identity": "0x477dc1786cd3dea5e797b20f411251a2b7c6e69d",
           *           "proof_location": "",
           *           "created_at": "1795332091",
           *           "signature": "RGcv6hbSz8m4LHSxjcyiB/SJijZ6l5wO2cNW84tJZwdQZ36J+BaVcLxcBlFNjBHWblEtyA+W3pxQr2cRY2HMlhw=",
           *           "signature_payload": "{\"action\":\"create\",\"avatar\":\"0x03c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f\",\"created_at\":\"1795332091\",\"identity\":\"0x477dc1786cd3dea5e797b20f411251a2b7c6e69d\",\"platform\":\"ethereum\",\"prev\":null,\"uuid\":\"8a904fc0-2801-4118-a23d-6ff06761236f\"}",
           *           "extra": {
           *             "wallet_signature": "4/SpYSJTaNpC1cTe7Yo9V0lvBMQNzArE9CbGqvmfej9m/dNy4TDO7FUYsKNv0boEzuxDPwWHlm9sGKJXiEWzEBw="
           *           },
           *           "uuid": "8a904fc0-2801-4118-a23d-6ff06761236f",
           *           "archive_id": ""
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['ChangesResponse'];
        };
      };
      304: components['responses']['NotModified'];
      400: components['responses']['BadRequest'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  createPayload: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PayloadRequest'];
      };
    };
    responses: {
      /** @description Step 1: get the text to sign and the texts to publish. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "post_content": {
           *         "default": "Nothing has to be published for a wallet. Send the Avatar signature %SIG_BASE64% as extra.signature, and the signature of wallet 0x477dc1786cd3dea5e797b20f411251a2b7c6e69d over the same text as extra.wallet_signature."
           *       },
           *       "sign_payload": "{\"action\":\"create\",\"avatar\":\"0x03c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f\",\"created_at\":\"1795332091\",\"identity\":\"0x477dc1786cd3dea5e797b20f411251a2b7c6e69d\",\"platform\":\"ethereum\",\"prev\":null,\"uuid\":\"8a904fc0-2801-4118-a23d-6ff06761236f\"}",
           *       "uuid": "8a904fc0-2801-4118-a23d-6ff06761236f",
           *       "created_at": "1795332091"
           *     }
           */
          'application/json': components['schemas']['PayloadResponse'];
        };
      };
      400: components['responses']['BadRequest'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['BodyTooLarge'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  findProofs: {
    parameters: {
      query: {
        /** @description Platform value, or the name of the service (`self` by default) to look up by public key. Absent: all platforms. */
        platform?: string;
        /** @description Up to 50 identities, separated by commas; one that is blank counts as none. */
        identity: string[];
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
      /** @description Bindings by identity. */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "pagination": {
           *         "total": 1,
           *         "per": 20,
           *         "current": 1,
           *         "next": 0
           *       },
           *       "ids": [
           *         {
           *           "avatar": "0x03c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f",
           *           "last_archive_id": "",
           *           "proofs": [
           *             {
           *               "platform": "ethereum",
           *               "identity": "0x477dc1786cd3dea5e797b20f411251a2b7c6e69d",
           *               "created_at": "1795332091",
           *               "last_checked_at": "1795332091",
           *               "is_valid": true,
           *               "invalid_reason": ""
           *             }
           *           ],
           *           "proofs_total": 1
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['FindProofsResponse'];
        };
      };
      304: components['responses']['NotModified'];
      400: components['responses']['BadRequest'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  submitProof: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SubmitRequest'];
      };
    };
    responses: {
      /** @description The link is recorded, and the proof is valid. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /** @example {} */
          'application/json': components['schemas']['EmptyAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['BodyTooLarge'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  getBinding: {
    parameters: {
      query: {
        /** @description A platform value, as in GET /v1/platforms. */
        platform: string;
        /** @description Identity on the platform, in any spelling. */
        identity: string;
        /** @description Avatar public key: 0x and 66 or 130 hex digits. */
        public_key: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description State of one binding. */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "created_at": "1795332091",
           *       "last_checked_at": "1795332091",
           *       "is_valid": true,
           *       "invalid_reason": ""
           *     }
           */
          'application/json': components['schemas']['ProofState'];
        };
      };
      304: components['responses']['NotModified'];
      400: components['responses']['BadRequest'];
      /** @description Says which part was not found: the Avatar, or this identity under it. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "message": "The Avatar is known, but it holds no binding of this identity on github.",
           *       "code": "identity_not_found"
           *     }
           */
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  getEvidence: {
    parameters: {
      query: {
        /** @description A platform value, as in GET /v1/platforms. */
        platform: string;
        /** @description Identity on the platform, in any spelling. */
        identity: string;
        /** @description Avatar public key: 0x and 66 or 130 hex digits. */
        public_key: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What was seen at the last successful check. */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Evidence'];
        };
      };
      304: components['responses']['NotModified'];
      400: components['responses']['BadRequest'];
      /** @description The Avatar is unknown, or this binding was never checked. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "message": "There is no evidence for this binding: it was never checked on a platform. A wallet binding is proved by its link alone.",
           *       "code": "evidence_not_found"
           *     }
           */
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  listChecks: {
    parameters: {
      query: {
        /** @description A platform value, as in GET /v1/platforms. */
        platform: string;
        /** @description Identity on the platform, in any spelling. */
        identity: string;
        /** @description Avatar public key: 0x and 66 or 130 hex digits. */
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
      /** @description The checks of one binding, newest first. */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "pagination": {
           *         "total": 1,
           *         "per": 20,
           *         "current": 1,
           *         "next": 0
           *       },
           *       "checks": [
           *         {
           *           "checked_at": "1795332091",
           *           "outcome": "valid",
           *           "reason": ""
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['History'];
        };
      };
      304: components['responses']['NotModified'];
      400: components['responses']['BadRequest'];
      /** @description As for exists. The history ends when the binding is deleted. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "message": "The Avatar is known, but it holds no binding of this identity on github.",
           *       "code": "identity_not_found"
           *     }
           */
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  getBadge: {
    parameters: {
      query?: {
        /** @description Avatar public key: shows its binding alone. Without it the newest valid binding is shown. */
        avatar?: string;
        /** @description Colours for a light or a dark ground; light when absent. */
        theme?: components['schemas']['BadgeTheme'];
      };
      header?: never;
      path: {
        /** @description A platform value. */
        platform: string;
        /** @description The identity, percent-encoded, and `.svg`. */
        file: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Without a script, with its date. A binding that does not exist has a badge too, which says so; one that was not rechecked for long is shown as such. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'image/svg+xml': string;
        };
      };
      400: components['responses']['BadRequest'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      414: components['responses']['PathTooLong'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  createKvPayload: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['KvPayloadRequest'];
      };
    };
    responses: {
      /** @description Step 1: get the text to sign for a patch. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "uuid": "bc3c0d2c-d96d-4122-8a18-d683e674920f",
           *       "created_at": 1795332091,
           *       "sign_payload": "{\"action\":\"kv\",\"avatar\":\"0x03c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f\",\"created_at\":1795332091,\"identity\":\"0x04c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f39eff55f3960e1e974b141d3827bcdcd17e4a87af1aa89067637358763c8c179\",\"patch\":{\"name\":\"Alice\"},\"platform\":\"self\",\"prev\":null,\"uuid\":\"bc3c0d2c-d96d-4122-8a18-d683e674920f\"}"
           *     }
           */
          'application/json': components['schemas']['KvPayloadResponse'];
        };
      };
      400: components['responses']['BadRequest'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['BodyTooLarge'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  getKv: {
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
      /** @description All content of an Avatar. */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "avatar": "0x04c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f39eff55f3960e1e974b141d3827bcdcd17e4a87af1aa89067637358763c8c179",
           *       "proofs": [
           *         {
           *           "platform": "self",
           *           "identity": "0x04c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f39eff55f3960e1e974b141d3827bcdcd17e4a87af1aa89067637358763c8c179",
           *           "content": {
           *             "name": "Alice"
           *           },
           *           "is_bound": true
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['KvResponse'];
        };
      };
      304: components['responses']['NotModified'];
      400: components['responses']['BadRequest'];
      /** @description This Avatar never wrote any key-value data. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "message": "The Avatar 0x020e54e06569ada57a62624d090b01374a80e12aafc2d9d3b95103d2e997117440 never wrote any key-value data here.",
           *       "code": "kv_not_found"
           *     }
           */
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  submitKvPatch: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['KvSubmitRequest'];
      };
    };
    responses: {
      /** @description The patch is applied; the body is that of GET /v1/kv. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "avatar": "0x04c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f39eff55f3960e1e974b141d3827bcdcd17e4a87af1aa89067637358763c8c179",
           *       "proofs": [
           *         {
           *           "platform": "self",
           *           "identity": "0x04c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f39eff55f3960e1e974b141d3827bcdcd17e4a87af1aa89067637358763c8c179",
           *           "content": {
           *             "name": "Alice"
           *           },
           *           "is_bound": true
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['KvResponse'];
        };
      };
      400: components['responses']['BadRequest'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['BodyTooLarge'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  listKvPatches: {
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
      /** @description All signed patches of an Avatar, page by page; replaying them gives its content. */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "pagination": {
           *         "total": 1,
           *         "per": 10,
           *         "current": 1,
           *         "next": 0
           *       },
           *       "kv_chain": [
           *         {
           *           "uuid": "bc3c0d2c-d96d-4122-8a18-d683e674920f",
           *           "platform": "self",
           *           "identity": "0x04c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f39eff55f3960e1e974b141d3827bcdcd17e4a87af1aa89067637358763c8c179",
           *           "patch": {
           *             "name": "Alice"
           *           },
           *           "created_at": 1795332091,
           *           "signature": "TnwpSYPfPLlFDQD2zekKAotdTyEEDv9LBSFtDB1RTpYDZzqRNwrboOLFWiAEJ5tRhjXXO0dAijpZ3nW0QT+IJhs=",
           *           "signature_payload": "{\"action\":\"kv\",\"avatar\":\"0x03c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f\",\"created_at\":1795332091,\"identity\":\"0x04c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f39eff55f3960e1e974b141d3827bcdcd17e4a87af1aa89067637358763c8c179\",\"patch\":{\"name\":\"Alice\"},\"platform\":\"self\",\"prev\":null,\"uuid\":\"bc3c0d2c-d96d-4122-8a18-d683e674920f\"}"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['KvChainResponse'];
        };
      };
      304: components['responses']['NotModified'];
      400: components['responses']['BadRequest'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  listKvChanges: {
    parameters: {
      query?: {
        /** @description Cursor: the largest `id` of the previous answer; 0 starts a new iteration. Required, here or as `id`; neither is refused with 400. */
        last_id?: number;
        /** @description Another name of `last_id`, which counts where both are given. */
        id?: number;
        /** @description Items of one answer. Fewer come at the end of the feed, and where items are so long that 2 MB are full. */
        count?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Feed of the patches of all Avatars. */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['KvChangesResponse'];
        };
      };
      304: components['responses']['NotModified'];
      400: components['responses']['BadRequest'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      /** @description The index of this feed is built after an upgrade (`upgrade_under_way`). */
      503: {
        headers: {
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
    };
  };
  findKvByIdentity: {
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
      /** @description The content of every Avatar under one identity. */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "pagination": {
           *         "total": 1,
           *         "per": 20,
           *         "current": 1,
           *         "next": 0
           *       },
           *       "values": [
           *         {
           *           "avatar": "0x04c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f39eff55f3960e1e974b141d3827bcdcd17e4a87af1aa89067637358763c8c179",
           *           "content": {
           *             "name": "Alice"
           *           },
           *           "content_bytes": 16,
           *           "is_bound": true
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['KvByIdentityResponse'];
        };
      };
      304: components['responses']['NotModified'];
      400: components['responses']['BadRequest'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  getLog: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Name, key and state of the transparency log, and who watches it. */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Log'];
        };
      };
      304: components['responses']['NotModified'];
      400: components['responses']['BadRequest'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  getLogProof: {
    parameters: {
      query?: {
        /** @description The uuid of a link or a patch. Required, or `kind` and `id`. */
        uuid?: string;
        /** @description A link, or a patch of the key-value service. */
        kind?: components['schemas']['LogRecordKind'];
        /** @description Its `id` in `/v1/proofchain/changes` or `/v1/kv/changes`. */
        id?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A proof that verifies offline; `extra` is the entry. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/plain; charset=utf-8': string;
        };
      };
      400: components['responses']['BadRequest'];
      /** @description No such record (`record_not_found`), or its entry waits for the next tree head (`not_yet_logged`). */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      /** @description No tree head is signed yet (`log_catching_up`). */
      503: {
        headers: {
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
    };
  };
  getCosignedLogCheckpoint: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A signed note: origin, size, root; signatures. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/plain; charset=utf-8': string;
        };
      };
      400: components['responses']['BadRequest'];
      /** @description There is none yet, or the log has no policy that asks for cosignatures. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  getLogCheckpoint: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A signed note: origin, size, root; signatures. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/plain; charset=utf-8': string;
        };
      };
      400: components['responses']['BadRequest'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      /** @description None is signed yet, because the log takes in what was recorded before (`log_catching_up`). */
      503: {
        headers: {
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
    };
  };
  getLogEntries: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Number of the bundle in groups of three digits. A partial tile has `.p/` and its width behind it. Its slashes may be encoded. */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Each entry behind its length, a big-endian uint16. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/octet-stream': string;
        };
      };
      400: components['responses']['BadRequest'];
      /** @description The log has no such bundle of this width. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      414: components['responses']['PathTooLong'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      /** @description None is signed yet, because the log takes in what was recorded before (`log_catching_up`). */
      503: {
        headers: {
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
    };
  };
  getLogTile: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description 0 for hashes of entries, 1 for hashes over 256 of them, and so on. */
        level: string;
        /** @description Number of the tile in groups of three digits. A partial tile has `.p/` and its width behind it. Its slashes may be encoded. */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description 32 bytes for each hash. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/octet-stream': string;
        };
      };
      400: components['responses']['BadRequest'];
      /** @description The log has no such tile of this width. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      414: components['responses']['PathTooLong'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      /** @description None is signed yet, because the log takes in what was recorded before (`log_catching_up`). */
      503: {
        headers: {
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
    };
  };
  restorePublicKey: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RestoreKeyRequest'];
      };
    };
    responses: {
      /** @description The Avatar that made a published post, if its link is recorded here. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RestoredKey'];
        };
      };
      400: components['responses']['BadRequest'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['BodyTooLarge'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  streamEvents: {
    parameters: {
      query?: {
        /** @description Only events of this Avatar: 0x and 66 or 130 hex digits. */
        avatar?: string;
        /** @description Only events of this platform, or of the key itself (see SERVICE_NAME). */
        platform?: string;
        /** @description Only these types, separated by commas. */
        types?: components['schemas']['EventType'][];
        /** @description Resume behind the event with this id; 0 starts at the oldest event that is kept. The header `Last-Event-ID` goes before it. Without either the stream starts now. */
        after?: string;
        /** @description Form of `data`: our own, or an event of CloudEvents 1.0 in its JSON format. */
        format?: components['schemas']['EventFormat'];
      };
      header?: {
        /** @description Id of the last event that was received; goes before `after`. */
        'Last-Event-ID'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The stream, which ends when either side closes it. */
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
          /**
           * @example {
           *       "message": "public_key is missing.",
           *       "code": "invalid_request"
           *     }
           */
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      /** @description Too many open streams. Not after a reconnect: see `Last-Event-ID`. */
      429: {
        headers: {
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
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  getLiveness: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Whether this process is alive; asks nobody. */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "ok"
           *     }
           */
          'application/json': components['schemas']['Probe'];
        };
      };
      304: components['responses']['NotModified'];
      400: components['responses']['BadRequest'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  getReadiness: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Whether this server can serve: the database answers and its schema is up to date. */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "ok",
           *       "log": {
           *         "state": "ok",
           *         "size": 1,
           *         "problem": ""
           *       }
           *     }
           */
          'application/json': components['schemas']['Readiness'];
        };
      };
      304: components['responses']['NotModified'];
      400: components['responses']['BadRequest'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  getMetrics: {
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
      400: components['responses']['BadRequest'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  receiveProofBoundEvent: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The same in every attempt, for deduplication.
         * @example 7b4f54a3-6c0e-4b5b-8f0e-0a0c5b7f9d11
         */
        'webhook-id': string;
        /**
         * @description Time of this attempt, UNIX seconds.
         * @example 1763699990
         */
        'webhook-timestamp': string;
        /**
         * @description `v1,` and the Base64 HMAC-SHA-256 of `<id>.<timestamp>.<body>`; one for each secret, separated by spaces.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ProofBoundWebhook'];
      };
    };
    responses: {
      /** @description The subscription is switched off. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. Whatever else is answered, the delivery is tried again. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receiveProofRevokedEvent: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The same in every attempt, for deduplication.
         * @example 7b4f54a3-6c0e-4b5b-8f0e-0a0c5b7f9d11
         */
        'webhook-id': string;
        /**
         * @description Time of this attempt, UNIX seconds.
         * @example 1763699990
         */
        'webhook-timestamp': string;
        /**
         * @description `v1,` and the Base64 HMAC-SHA-256 of `<id>.<timestamp>.<body>`; one for each secret, separated by spaces.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ProofRevokedWebhook'];
      };
    };
    responses: {
      /** @description The subscription is switched off. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. Whatever else is answered, the delivery is tried again. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receiveProofInvalidatedEvent: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The same in every attempt, for deduplication.
         * @example 7b4f54a3-6c0e-4b5b-8f0e-0a0c5b7f9d11
         */
        'webhook-id': string;
        /**
         * @description Time of this attempt, UNIX seconds.
         * @example 1763699990
         */
        'webhook-timestamp': string;
        /**
         * @description `v1,` and the Base64 HMAC-SHA-256 of `<id>.<timestamp>.<body>`; one for each secret, separated by spaces.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ProofInvalidatedWebhook'];
      };
    };
    responses: {
      /** @description The subscription is switched off. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. Whatever else is answered, the delivery is tried again. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receiveProofRestoredEvent: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The same in every attempt, for deduplication.
         * @example 7b4f54a3-6c0e-4b5b-8f0e-0a0c5b7f9d11
         */
        'webhook-id': string;
        /**
         * @description Time of this attempt, UNIX seconds.
         * @example 1763699990
         */
        'webhook-timestamp': string;
        /**
         * @description `v1,` and the Base64 HMAC-SHA-256 of `<id>.<timestamp>.<body>`; one for each secret, separated by spaces.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ProofRestoredWebhook'];
      };
    };
    responses: {
      /** @description The subscription is switched off. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. Whatever else is answered, the delivery is tried again. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receiveKvPatchedEvent: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The same in every attempt, for deduplication.
         * @example 7b4f54a3-6c0e-4b5b-8f0e-0a0c5b7f9d11
         */
        'webhook-id': string;
        /**
         * @description Time of this attempt, UNIX seconds.
         * @example 1763699990
         */
        'webhook-timestamp': string;
        /**
         * @description `v1,` and the Base64 HMAC-SHA-256 of `<id>.<timestamp>.<body>`; one for each secret, separated by spaces.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['KvPatchedWebhook'];
      };
    };
    responses: {
      /** @description The subscription is switched off. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. Whatever else is answered, the delivery is tried again. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receiveLinkArchivedEvent: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The same in every attempt, for deduplication.
         * @example 7b4f54a3-6c0e-4b5b-8f0e-0a0c5b7f9d11
         */
        'webhook-id': string;
        /**
         * @description Time of this attempt, UNIX seconds.
         * @example 1763699990
         */
        'webhook-timestamp': string;
        /**
         * @description `v1,` and the Base64 HMAC-SHA-256 of `<id>.<timestamp>.<body>`; one for each secret, separated by spaces.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['LinkArchivedWebhook'];
      };
    };
    responses: {
      /** @description The subscription is switched off. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. Whatever else is answered, the delivery is tried again. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
