/**
 * Answers of the public API by operation and status, for its description; `shared`: of any operation. Recorded by
 * test/api/answer-examples.spec.ts with RECORD_EXAMPLES=1; do not change them by hand.
 */
export const ANSWER_EXAMPLES: Record<string, Record<string, unknown>> = {
  createPayload: {
    '200': {
      post_content: {
        default:
          'Nothing has to be published for a wallet. Send the Avatar signature %SIG_BASE64% as extra.signature, and the signature of wallet 0x477dc1786cd3dea5e797b20f411251a2b7c6e69d over the same text as extra.wallet_signature.',
      },
      sign_payload:
        '{"action":"create","avatar":"0x03c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f","created_at":"1795332091","identity":"0x477dc1786cd3dea5e797b20f411251a2b7c6e69d","platform":"ethereum","prev":null,"uuid":"8a904fc0-2801-4118-a23d-6ff06761236f"}',
      uuid: '8a904fc0-2801-4118-a23d-6ff06761236f',
      created_at: '1795332091',
    },
  },
  submitProof: { '201': {} },
  createKvPayload: {
    '200': {
      uuid: 'bc3c0d2c-d96d-4122-8a18-d683e674920f',
      created_at: 1795332091,
      sign_payload:
        '{"action":"kv","avatar":"0x03c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f","created_at":1795332091,"identity":"0x04c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f39eff55f3960e1e974b141d3827bcdcd17e4a87af1aa89067637358763c8c179","patch":{"name":"Alice"},"platform":"self","prev":null,"uuid":"bc3c0d2c-d96d-4122-8a18-d683e674920f"}',
    },
  },
  submitKvPatch: {
    '201': {
      avatar:
        '0x04c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f39eff55f3960e1e974b141d3827bcdcd17e4a87af1aa89067637358763c8c179',
      proofs: [
        {
          platform: 'self',
          identity:
            '0x04c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f39eff55f3960e1e974b141d3827bcdcd17e4a87af1aa89067637358763c8c179',
          content: { name: 'Alice' },
          is_bound: true,
        },
      ],
    },
  },
  getHealth: {
    '200': {
      hello: 'proof service',
      built_at: '1795332066',
      revision: 'unknown',
      environment: 'production',
      platforms: ['twitter', 'ethereum'],
      log: { state: 'ok', size: 1, problem: '' },
    },
  },
  getLiveness: { '200': { status: 'ok' } },
  getReadiness: { '200': { status: 'ok', log: { state: 'ok', size: 1, problem: '' } } },
  listPlatforms: {
    '200': {
      service_name: 'self',
      platforms: [
        {
          platform: 'twitter',
          identity_pattern: '^[a-z0-9_]{1,15}$',
          identity_example: 'alice_demo',
          needs_proof_location: true,
          proof_location_forms: ['1800000000000000001', 'https://x.com/alice_demo/status/1800000000000000001'],
          is_available: true,
          unavailable_reason: '',
          steps: [
            'Ask for a payload with your X username (without @) as identity, and sign sign_payload with your Avatar key.',
            'Take the text of post_content in your language and put the Base64 signature in place of %SIG_BASE64%.',
            'Publish the text as a new post of your account: no repost, and not while the account is protected.',
            'Submit the proof with the address of the post, or its number, as proof_location, and keep the post as long as the proof shall stay valid.',
          ],
        },
        {
          platform: 'keybase',
          identity_pattern: '^(?=.{2,16}$)[a-z0-9]+(?:_[a-z0-9]+)*_?$',
          identity_example: 'alice',
          needs_proof_location: false,
          proof_location_forms: [],
          is_available: false,
          unavailable_reason: 'KEYBASE_FILE_URL_TEMPLATE must name a gateway to the public folders of Keybase.',
          steps: [
            'Ask for a payload with your Keybase username as identity, and sign sign_payload with your Avatar key.',
            'Put the Base64 signature in place of %SIG_BASE64% in post_content.default.',
            'Save this text as /keybase/public/<your username>/self/0x<66 hex digits of your compressed Avatar key>.txt.',
            'Submit the proof without proof_location, and keep the file as long as the proof shall stay valid.',
          ],
        },
      ],
    },
  },
  findProofs: {
    '200': {
      pagination: { total: 1, per: 20, current: 1, next: 0 },
      ids: [
        {
          avatar: '0x03c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f',
          last_archive_id: '',
          proofs: [
            {
              platform: 'ethereum',
              identity: '0x477dc1786cd3dea5e797b20f411251a2b7c6e69d',
              created_at: '1795332091',
              last_checked_at: '1795332091',
              is_valid: true,
              invalid_reason: '',
            },
          ],
          proofs_total: 1,
        },
      ],
    },
  },
  getBinding: {
    '200': { created_at: '1795332091', last_checked_at: '1795332091', is_valid: true, invalid_reason: '' },
    '404': {
      message: 'The Avatar is known, but it holds no binding of this identity on github.',
      code: 'identity_not_found',
    },
  },
  getEvidence: {
    '404': {
      message:
        'There is no evidence for this binding: it was never checked on a platform. A wallet binding is proved by its link alone.',
      code: 'evidence_not_found',
    },
  },
  listChecks: {
    '200': {
      pagination: { total: 1, per: 20, current: 1, next: 0 },
      checks: [{ checked_at: '1795332091', outcome: 'valid', reason: '' }],
    },
    '404': {
      message: 'The Avatar is known, but it holds no binding of this identity on github.',
      code: 'identity_not_found',
    },
  },
  getProofChain: {
    '200': {
      pagination: { total: 1, per: 20, current: 1, next: 0 },
      proof_chain: [
        {
          action: 'create',
          platform: 'ethereum',
          identity: '0x477dc1786cd3dea5e797b20f411251a2b7c6e69d',
          proof_location: '',
          created_at: '1795332091',
          signature: 'RGcv6hbSz8m4LHSxjcyiB/SJijZ6l5wO2cNW84tJZwdQZ36J+BaVcLxcBlFNjBHWblEtyA+W3pxQr2cRY2HMlhw=',
          signature_payload:
            '{"action":"create","avatar":"0x03c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f","created_at":"1795332091","identity":"0x477dc1786cd3dea5e797b20f411251a2b7c6e69d","platform":"ethereum","prev":null,"uuid":"8a904fc0-2801-4118-a23d-6ff06761236f"}',
          extra: {
            wallet_signature:
              '4/SpYSJTaNpC1cTe7Yo9V0lvBMQNzArE9CbGqvmfej9m/dNy4TDO7FUYsKNv0boEzuxDPwWHlm9sGKJXiEWzEBw=',
          },
          uuid: '8a904fc0-2801-4118-a23d-6ff06761236f',
          archive_id: '',
        },
      ],
    },
  },
  listChanges: {
    '200': {
      links: [
        {
          id: 1,
          avatar: '0x03c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f',
          action: 'create',
          platform: 'ethereum',
          identity: '0x477dc1786cd3dea5e797b20f411251a2b7c6e69d',
          proof_location: '',
          created_at: '1795332091',
          signature: 'RGcv6hbSz8m4LHSxjcyiB/SJijZ6l5wO2cNW84tJZwdQZ36J+BaVcLxcBlFNjBHWblEtyA+W3pxQr2cRY2HMlhw=',
          signature_payload:
            '{"action":"create","avatar":"0x03c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f","created_at":"1795332091","identity":"0x477dc1786cd3dea5e797b20f411251a2b7c6e69d","platform":"ethereum","prev":null,"uuid":"8a904fc0-2801-4118-a23d-6ff06761236f"}',
          extra: {
            wallet_signature:
              '4/SpYSJTaNpC1cTe7Yo9V0lvBMQNzArE9CbGqvmfej9m/dNy4TDO7FUYsKNv0boEzuxDPwWHlm9sGKJXiEWzEBw=',
          },
          uuid: '8a904fc0-2801-4118-a23d-6ff06761236f',
          archive_id: '',
        },
      ],
    },
  },
  getKv: {
    '200': {
      avatar:
        '0x04c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f39eff55f3960e1e974b141d3827bcdcd17e4a87af1aa89067637358763c8c179',
      proofs: [
        {
          platform: 'self',
          identity:
            '0x04c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f39eff55f3960e1e974b141d3827bcdcd17e4a87af1aa89067637358763c8c179',
          content: { name: 'Alice' },
          is_bound: true,
        },
      ],
    },
    '404': {
      message:
        'The Avatar 0x020e54e06569ada57a62624d090b01374a80e12aafc2d9d3b95103d2e997117440 never wrote any key-value data here.',
      code: 'kv_not_found',
    },
  },
  listKvPatches: {
    '200': {
      pagination: { total: 1, per: 10, current: 1, next: 0 },
      kv_chain: [
        {
          uuid: 'bc3c0d2c-d96d-4122-8a18-d683e674920f',
          platform: 'self',
          identity:
            '0x04c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f39eff55f3960e1e974b141d3827bcdcd17e4a87af1aa89067637358763c8c179',
          patch: { name: 'Alice' },
          created_at: 1795332091,
          signature: 'TnwpSYPfPLlFDQD2zekKAotdTyEEDv9LBSFtDB1RTpYDZzqRNwrboOLFWiAEJ5tRhjXXO0dAijpZ3nW0QT+IJhs=',
          signature_payload:
            '{"action":"kv","avatar":"0x03c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f","created_at":1795332091,"identity":"0x04c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f39eff55f3960e1e974b141d3827bcdcd17e4a87af1aa89067637358763c8c179","patch":{"name":"Alice"},"platform":"self","prev":null,"uuid":"bc3c0d2c-d96d-4122-8a18-d683e674920f"}',
        },
      ],
    },
  },
  findKvByIdentity: {
    '200': {
      pagination: { total: 1, per: 20, current: 1, next: 0 },
      values: [
        {
          avatar:
            '0x04c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f39eff55f3960e1e974b141d3827bcdcd17e4a87af1aa89067637358763c8c179',
          content: { name: 'Alice' },
          content_bytes: 16,
          is_bound: true,
        },
      ],
    },
  },
  shared: {
    '400': { message: 'public_key is missing.', code: 'invalid_request' },
    '401': { message: 'This needs the admin token, as Authorization: Bearer <token>.', code: 'unauthorized' },
    '405': { message: 'This path has no DELETE; it has GET, HEAD, OPTIONS, POST.', code: 'method_not_allowed' },
    '408': { message: 'The request did not arrive in time.', code: 'request_timeout' },
    '413': { message: 'Request body is too large', code: 'body_too_large' },
    '414': { message: 'The path is too long.', code: 'uri_too_long' },
    '429': {
      message:
        'Too many requests: this address may make 1 reads of the documents of this server in 60 seconds; try again in 60 s.',
      code: 'too_many_requests',
    },
    '431': { message: 'The request line and the headers may have 16384 bytes together.', code: 'headers_too_large' },
    '500': { message: 'Something went wrong on our side; the request id is in our log.', code: 'internal_error' },
    '503': { message: 'The database took too long; try again shortly.', code: 'database_slow' },
  },
};
