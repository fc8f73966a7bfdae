import { chainOf, keysNamed, patchesOf } from '../chains.js';
import {
  addressOfKey,
  applyMergePatch,
  archiveDocument,
  canonicalJson,
  ChainChecker,
  decodeBase58,
  decodeBase64,
  decodeHex,
  encodeBase58,
  encodeBase64,
  encodeHex,
  EXPORT_FORMAT,
  EXPORT_VERSION,
  findAvatarKey,
  findDocumentSignature,
  findPostedSignature,
  firstFailure,
  hasValidChecksum,
  isErased,
  isPersonalSignature,
  isWebhookSecret,
  linkPayload,
  nobleBip340,
  nobleCurves,
  nobleEd25519,
  parseSignature,
  PatchChainChecker,
  patchPayload,
  personalDigest,
  readAvatarKey,
  recoverPersonalSigner,
  recoverPublicKey,
  replayPatches,
  SIGNATURE_PLACEHOLDER,
  toChecksumAddress,
  verifyArchiveDocuments,
  verifyChain,
  verifyExport,
  verifyLink,
  verifyPatch,
  verifyPatchChain,
  verifyWallet,
  verifyWebhook,
  WALLET_PLATFORMS,
  webhookSecret,
  webhookSignature,
} from '../../src/index.js';

const alice = keysNamed('alice');
/** Two wallets are bound, and the first of them is revoked: as `GET /v1/proofchain` answers it. */
const links = chainOf(alice, 3);
/** As `GET /v1/kv/chain` answers it. */
const patches = patchesOf(alice, [{ name: 'Alice', color: 'green' }, { color: null }]);
const [link] = links;

describe('@signet/verify', () => {
  it('verifyLink', () => {
    const { ok, steps } = verifyLink(link!, { avatar: alice.avatar });
    expect(ok).toBe(true);
    expect(steps.find(({ name }) => name === 'wallet_signature')?.state).toBe('ok');
  });

  it('verifyChain', () => {
    const { ok, complete, bindings } = verifyChain(links, { avatar: alice.avatar });
    expect(ok).toBe(true);
    expect(complete).toBe(true);
    expect(bindings.map(({ platform }) => platform)).toEqual(['ethereum']);
  });

  it('ChainChecker', () => {
    const checker = new ChainChecker({ avatar: alice.avatar });
    const checked = links.map((one) => checker.add(one));
    expect(checked.every(({ ok }) => ok)).toBe(true);
  });

  it('firstFailure', () => {
    const changed = { ...link!, identity: 'mallory' };
    expect(firstFailure(verifyLink(changed))?.name).toBe('fields');
  });

  it('verifyPatch', () => {
    expect(verifyPatch(patches[0]!, { avatar: alice.avatar }).ok).toBe(true);
  });

  it('verifyPatchChain', () => {
    const { ok, entries } = verifyPatchChain(patches, { avatar: alice.avatar });
    expect(ok).toBe(true);
    expect(entries[0]?.content).toEqual({ name: 'Alice' });
  });

  it('PatchChainChecker', () => {
    const checker = new PatchChainChecker({ avatar: alice.avatar });
    expect(patches.every((patch) => checker.add(patch).ok)).toBe(true);
  });

  it('replayPatches', () => {
    expect(replayPatches(patches)[0]?.content).toEqual({ name: 'Alice' });
  });

  it('applyMergePatch', () => {
    expect(applyMergePatch({ name: 'Alice', color: 'green' }, { color: null })).toEqual({ name: 'Alice' });
  });

  it('verifyExport', () => {
    const file = { format: EXPORT_FORMAT, version: EXPORT_VERSION, avatar: alice.avatar, links: [], patches: [] };
    expect(verifyExport({ ...file, links: 'none' }).ok).toBe(false);
  });

  it('EXPORT_FORMAT', () => {
    expect(EXPORT_FORMAT).toBe('signet-export');
  });

  it('EXPORT_VERSION', () => {
    expect(EXPORT_VERSION).toBe(1);
  });

  it('archiveDocument', () => {
    const document = archiveDocument(link as Parameters<typeof archiveDocument>[0], null);
    expect(document.startsWith('{')).toBe(true);
  });

  it('verifyArchiveDocuments', () => {
    const document = archiveDocument(link as Parameters<typeof archiveDocument>[0], null);
    const [archived] = verifyArchiveDocuments([{ id: 'an archive id', text: document }]);
    expect(archived?.ok).toBe(true);
  });

  it('readAvatarKey', () => {
    const key = readAvatarKey(alice.avatar.toUpperCase().replace('0X', '0x'));
    expect(typeof key === 'object' && key.compressed).toBe(alice.avatar);
    expect(typeof readAvatarKey('0x02')).toBe('string');
  });

  it('findAvatarKey', () => {
    expect(findAvatarKey(alice.avatar)?.uncompressed.length).toBe(132);
    expect(findAvatarKey('alice')).toBe(null);
  });

  it('addressOfKey', () => {
    expect(addressOfKey(alice.avatar)).toBe(alice.address);
  });

  it('toChecksumAddress', () => {
    expect(toChecksumAddress('0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed')).toBe(
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    );
  });

  it('hasValidChecksum', () => {
    expect(hasValidChecksum('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toBe(true);
    expect(hasValidChecksum('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed')).toBe(false);
  });

  it('canonicalJson', () => {
    expect(canonicalJson({ b: 1, a: ['x'] })).toBe('{"a":["x"],"b":1}');
  });

  it('linkPayload', () => {
    const { action, avatar, created_at, identity, platform, uuid } = { ...link!, avatar: alice.avatar };
    expect(linkPayload({ action, avatar, created_at, identity, platform, uuid, prev: null })).toBe(
      link!.signature_payload,
    );
  });

  it('patchPayload', () => {
    const { created_at, identity, patch, platform, uuid, signature_payload } = patches[0]!;
    const fields = { avatar: alice.avatar, created_at, identity, patch, platform, uuid, prev: null };
    expect(patchPayload(fields)).toBe(signature_payload);
  });

  it('personalDigest', () => {
    expect(encodeHex(personalDigest('hello'))).toBe('50b2c43fd39106bafbba0da34fc430e1f91e3c96ea2acee2bc34119f92b37750');
  });

  it('recoverPersonalSigner', () => {
    const signature = decodeBase64(alice.sign('hello'))!;
    expect(recoverPersonalSigner('hello', signature)).toBe(alice.avatar);
  });

  it('isPersonalSignature', () => {
    const signature = decodeBase64(alice.sign('hello'))!;
    expect(isPersonalSignature('hello', signature, alice.avatar)).toBe(true);
    expect(isPersonalSignature('another text', signature, alice.avatar)).toBe(false);
  });

  it('recoverPublicKey', () => {
    const key = recoverPublicKey(personalDigest('hello'), decodeBase64(alice.sign('hello'))!);
    expect(key && `0x${encodeHex(key)}`).toBe(alice.avatar);
  });

  it('parseSignature', () => {
    expect(parseSignature(decodeBase64(alice.sign('hello'))!)?.rs.length).toBe(64);
    expect(parseSignature(new Uint8Array(65))).toBe(null);
  });

  it('nobleCurves', () => {
    expect(verifyChain(links, { avatar: alice.avatar, curves: nobleCurves }).ok).toBe(true);
  });

  it('nobleBip340', () => {
    // Vector 3 of BIP-340.
    const message = new Uint8Array(32).fill(255);
    const key = decodeHex('25d1dff95105f5253c4022f628a996ad3a0d95fbf21d468a1b33f8c160d8f517')!;
    const signature = decodeHex(
      '7eb0509757e246f19449885651611cb965ecc1a187dd51b64fda1edc9637d5ec' +
        '97582b9cb13db3933705b32ba982af5af25fd78881ebb32771fc5922efc66ea3',
    )!;
    expect(nobleBip340.verify(message, signature, key)).toBe(true);
  });

  it('nobleEd25519', () => {
    expect(nobleEd25519.isUsablePublicKey(new Uint8Array(31))).toBe(false);
  });

  it('findPostedSignature', () => {
    const text = `I am alice. ${link!.signature}`;
    const found = findPostedSignature(text, { avatar: alice.avatar, payload: link!.signature_payload });
    expect(found.found).toBe(true);
  });

  it('findDocumentSignature', () => {
    const document = JSON.stringify({ signet: 1, avatar: alice.avatar, signature: link!.signature });
    const found = findDocumentSignature(document, { payload: link!.signature_payload, avatar: alice.avatar });
    expect(found.found).toBe(true);
  });

  it('verifyWallet', () => {
    const { identity, platform, signature_payload: text, extra } = link!;
    expect(verifyWallet({ platform, identity, text, extra: extra! }).state).toBe('ok');
  });

  it('isErased', () => {
    expect(isErased(link)).toBe(false);
  });

  it('SIGNATURE_PLACEHOLDER', () => {
    expect(`I am alice: ${SIGNATURE_PLACEHOLDER}`.replace(SIGNATURE_PLACEHOLDER, 'MEUC')).toBe('I am alice: MEUC');
  });

  it('WALLET_PLATFORMS', () => {
    expect(WALLET_PLATFORMS).toEqual(['ethereum', 'solana', 'nostr']);
  });

  it('encodeHex', () => {
    expect(encodeHex(new Uint8Array([0, 255]))).toBe('00ff');
  });

  it('decodeHex', () => {
    expect(decodeHex('00ff')).toEqual(new Uint8Array([0, 255]));
    expect(decodeHex('0x00ff')).toBe(null);
  });

  it('encodeBase64', () => {
    expect(encodeBase64(new Uint8Array([1, 2, 3]))).toBe('AQID');
  });

  it('decodeBase64', () => {
    expect(decodeBase64('AQID')).toEqual(new Uint8Array([1, 2, 3]));
    expect(decodeBase64('AQ?')).toBe(null);
  });

  it('encodeBase58', () => {
    expect(encodeBase58(new Uint8Array([1, 2, 3]))).toBe('Ldp');
  });

  it('decodeBase58', () => {
    expect(decodeBase58('Ldp')).toEqual(new Uint8Array([1, 2, 3]));
  });

  it('webhookSecret', () => {
    expect(webhookSecret(new Uint8Array(32)).startsWith('whsec_')).toBe(true);
  });

  it('isWebhookSecret', () => {
    expect(isWebhookSecret(webhookSecret(new Uint8Array(32)))).toBe(true);
  });

  it('webhookSignature', () => {
    const secret = webhookSecret(new Uint8Array(32));
    const header = webhookSignature({ id: 'msg_1', timestamp: 1718000000, body: '{}' } as never, [secret]);
    expect(header.startsWith('v1,')).toBe(true);
  });

  it('verifyWebhook', () => {
    const secret = webhookSecret(new Uint8Array(32));
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1718000000', 'webhook-signature': 'v1,forged' };
    expect(verifyWebhook(secret, headers, '{}', { now: 1718000000 }).ok).toBe(false);
  });
});
