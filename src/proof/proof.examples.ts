/**
 * One real life of a binding, for the API page: made by `npm run demo` with throw-away keys. `test/api/openapi.spec.ts` verifies the
 * signatures, so the examples stay true.
 */
export const EXAMPLE = {
  platform: 'ethereum',
  identity: '0x0000000000000000000000000000000000000000',
  avatar: '0x020000000000000000000000000000000000000000000000000000000000000000',
  uuid: '00000000-0000-4000-8000-000000000000',
  createdAt: '1763700000',
  signPayload: '',
  postContent: { default: '' },
  signature: '',
  walletSignature: '',
};
