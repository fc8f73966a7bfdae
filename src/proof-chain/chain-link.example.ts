/** Shown on the API page; see `proof/proof.examples.ts`. */
export const LINK_EXAMPLE = {
  avatar: '',
  action: 'create',
  platform: 'ethereum',
  identity: '',
  created_at: '1763700000',
  signature: '',
  signature_payload: '',
  extra: { wallet_signature: '' },
  uuid: '',
};
