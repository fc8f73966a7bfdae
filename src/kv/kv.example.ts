/**
 * The first patch of a throw-away key, for the API page, so that a reader can verify what the page shows. A test does.
 */
export const KV_EXAMPLE = {
  avatar: '0x039b3344733da690aabc2acfa8dd8e6181390a93aff15e96a1d8f88400c3b32dd0',
  platform: 'self',
  identity:
    '0x049b3344733da690aabc2acfa8dd8e6181390a93aff15e96a1d8f88400c3b32dd0443b889ae62974b88a29e79367c436b08096fbe040f679a03e7edccff3a69ff5',
  patch: { name: 'Alice', links: ['https://example.com'] },
  uuid: '74913704-0904-4e3a-9fa1-ce6a90be6612',
  createdAt: 1795226555,
  signPayload:
    '{"action":"kv","avatar":"0x039b3344733da690aabc2acfa8dd8e6181390a93aff15e96a1d8f88400c3b32dd0","created_at":1795226555,"identity":"0x049b3344733da690aabc2acfa8dd8e6181390a93aff15e96a1d8f88400c3b32dd0443b889ae62974b88a29e79367c436b08096fbe040f679a03e7edccff3a69ff5","patch":{"links":["https://example.com"],"name":"Alice"},"platform":"self","prev":null,"uuid":"74913704-0904-4e3a-9fa1-ce6a90be6612"}',
  signature: 'IWn5QhNpCi3K+rhXnQcS1u9d1xnJ1bz3InEBAQoTzJVfQWe/coOfqQaH1AceswPp84BCELSYJ/XtZ4OOp6HT9Rw=',
};
