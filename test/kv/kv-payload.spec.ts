import { decodeBase64, isPersonalSignature } from '@signet/verify';
import { AvatarKey } from '../../src/domain/avatar-key.js';
import { fromUnixSeconds } from '../../src/domain/unix-time.js';
import KV_EXAMPLE from '../../src/kv/kv.example.json' with { type: 'json' };
import { buildKvPayload, signedKvPayload } from '../../src/kv/patches/kv-payload.js';
import { assertAvatarSigned } from '../../src/ledger/avatar-signature.js';
import { readVectors, type SignedRecord } from '../crypto/vectors.js';
import { anAvatar } from '../support/avatar.js';

interface KvRecord extends SignedRecord {
  expected: { verifies: boolean };
}

const { records } = readVectors<{ records: KvRecord[] }>('kv-links.json');

describe('signed patches of other implementations', () => {
  it.each(records.map((record) => [record.id, record] as const))('verifies %s', (_id, record) => {
    const key = AvatarKey.parse(record.public_key);

    expect(record.expected.verifies).toBe(true);
    expect(() => assertAvatarSigned('signature', record.signature, record.payload, key)).not.toThrow();
    expect(AvatarKey.parseLoose(record.public_key_uncompressed.slice(2)).compressed).toBe(key.compressed);
  });

  it.each(records.map((record) => [record.id, record] as const))(
    'refuses %s for another key or text',
    (_id, record) => {
      const key = AvatarKey.parse(record.public_key);
      const refusal = expect.objectContaining({ code: 'invalid_signature' }) as Error;

      expect(() => assertAvatarSigned('signature', record.signature, record.payload, anAvatar().key)).toThrow(refusal);
      expect(() => assertAvatarSigned('signature', record.signature, `${record.payload} `, key)).toThrow(refusal);
    },
  );
});

describe('the text that is signed', () => {
  const avatar = anAvatar();
  const fields = {
    avatar: avatar.key,
    platform: 'github',
    identity: 'alice',
    patch: JSON.parse('{"z":1.50,"a":{"y":null,"__proto__":[]}}') as object,
    uuid: '74913704-0904-4e3a-9fa1-ce6a90be6612',
    createdAt: fromUnixSeconds(1718000000),
    previous: null,
  };

  it('is canonical JSON with every field and created_at as a number', () => {
    expect(buildKvPayload(fields)).toBe(
      `{"action":"kv","avatar":"${avatar.key.compressed}","created_at":1718000000,"identity":"alice",` +
        '"patch":{"a":{"__proto__":[],"y":null},"z":1.5},"platform":"github","prev":null,' +
        '"uuid":"74913704-0904-4e3a-9fa1-ce6a90be6612"}',
    );
  });

  it('names the signature of the patch before', () => {
    const payload = JSON.parse(buildKvPayload({ ...fields, previous: 'c2ln' })) as { prev: unknown };

    expect(payload.prev).toBe('c2ln');
  });
});

describe('the text that was signed', () => {
  const avatar = anAvatar();
  // JavaScript writes members that are named by whole numbers before the others.
  const issued = '{"a":1,"patch":{"b":0,"7":0}}';
  const rewritten = '{"a":1,"patch":{"7":0,"b":0}}';
  const of = (text: string, signer = avatar) => signedKvPayload(issued, signer.sign(text), avatar.key);

  it('is the one that was issued, or what JavaScript makes of it', () => {
    expect(of(issued)).toBe(issued);
    expect(of(rewritten)).toBe(rewritten);
  });

  it('is refused where it is any other text, or another key has signed it', () => {
    const refusal = expect.objectContaining({ code: 'invalid_signature' }) as Error;

    expect(() => of('{"a":1,"patch":{"7":1,"b":0}}')).toThrow(refusal);
    expect(() => of(issued, anAvatar('mallory'))).toThrow(refusal);
    expect(() => of(rewritten, anAvatar('mallory'))).toThrow(refusal);
  });
});

it('shows a true example on the API page', () => {
  const { avatar, identity, platform, patch, uuid, createdAt, signPayload, signature } = KV_EXAMPLE;
  const key = AvatarKey.parse(avatar);

  const rebuilt = buildKvPayload({
    avatar: key,
    platform,
    identity,
    patch,
    uuid,
    createdAt: fromUnixSeconds(createdAt),
    previous: null,
  });

  expect(rebuilt).toBe(signPayload);
  expect(identity).toBe(key.uncompressed);
  expect(isPersonalSignature(signPayload, decodeBase64(signature)!, key.compressed)).toBe(true);
});
