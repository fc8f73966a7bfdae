/**
 * The first link of a real chain, for the API page: made by `npm run demo` with throw-away keys, so that a reader can
 * verify what the page shows. A test does.
 */
export const LINK_EXAMPLE = {
  avatar: '0x0238e176a158d5c40f36f6b49e8ba9332fb6dca03a34f03373cfaa398f710ddf5d',
  action: 'create',
  platform: 'ethereum',
  identity: '0x4264ae876b5b20f38b84a0339ac25803029b5ebf',
  created_at: '1795225670',
  signature: '4BNwIkFaaf+V8zpSEm0R3EfveTzvuT05QHA795AfKTRY4zhvhy9FdLbOIpOxNhHFws9NlOcp1ITAExrcWQkMZRs=',
  signature_payload:
    '{"action":"create","avatar":"0x0238e176a158d5c40f36f6b49e8ba9332fb6dca03a34f03373cfaa398f710ddf5d","created_at":"1795225670","identity":"0x4264ae876b5b20f38b84a0339ac25803029b5ebf","platform":"ethereum","prev":null,"uuid":"396d94a2-39ad-45dd-8c17-1485757ec251"}',
  extra: {
    wallet_signature: 'payH5GsCFVUv9IobnJI8IObp3X8w0YYj55YeYm+uiKBowXqaESgJKc88REA8gr4Z4hAYEQW7Vokoy8CCeP7Wmhs=',
  },
  uuid: '396d94a2-39ad-45dd-8c17-1485757ec251',
};
