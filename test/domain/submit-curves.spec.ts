import { addressOfKey, type Curves, recoverPersonalSigner, type Secp256k1 } from '@signet/verify';
import { defaultBackend, serviceCurves } from '../../src/crypto/ecdsa.js';
import { remembering } from '../../src/domain/submit-curves.js';
import { anAvatar } from '../support/avatar.js';

/** The curve, and how often it was asked. */
function counted(): { curve: Secp256k1; asked: { recovered: number; parsed: number } } {
  const asked = { recovered: 0, parsed: 0 };
  const curve: Secp256k1 = {
    parsePublicKey: (bytes) => ((asked.parsed += 1), defaultBackend.parsePublicKey(bytes)),
    recover: (...given) => ((asked.recovered += 1), defaultBackend.recover(...given)),
  };
  return { curve, asked };
}

describe('The curve with a memory', () => {
  it('recovers the signer of a text once, and the address of a key once', () => {
    const { curve, asked } = counted();
    const memory: Curves = { secp256k1: remembering(curve), ed25519: null };
    const avatar = anAvatar();
    const signature = Buffer.from(avatar.sign('a text'), 'base64');

    const signers = [1, 2, 3].map(() => recoverPersonalSigner('a text', signature, { curves: memory }));
    const addresses = [1, 2, 3].map(() => addressOfKey(avatar.key.compressed, { curves: memory }));

    expect(signers).toEqual(Array(3).fill(avatar.key.compressed));
    expect(addresses).toEqual(Array(3).fill(addressOfKey(avatar.key.compressed)));
    expect(asked).toEqual({ recovered: 1, parsed: 1 });
  });

  it('computes the digest of a text once for all that have signed it', () => {
    const memory = remembering(defaultBackend);
    const signers = [anAvatar(), anAvatar('mallory')];
    let computed = 0;
    const counting = {
      ...memory,
      digested: (text: string, digest: () => Uint8Array) => memory.digested!(text, () => ((computed += 1), digest())),
    };

    const found = ['a text', 'another'].flatMap((text) =>
      signers.map((signer) =>
        recoverPersonalSigner(text, Buffer.from(signer.sign(text), 'base64'), {
          curves: { secp256k1: counting, ed25519: null },
        }),
      ),
    );

    expect(found).toEqual([...signers, ...signers].map(({ key }) => key.compressed));
    expect(computed).toBe(2);
  });

  it('says of another text, another signature and what is no signature the same as without one', () => {
    const memory: Curves = { secp256k1: remembering(defaultBackend), ed25519: null };
    const [alice, mallory] = [anAvatar(), anAvatar('mallory')];
    const made = [alice, mallory].map((avatar) => Buffer.from(avatar.sign('a text'), 'base64'));
    const changed = Buffer.from(made[0]!).fill(7, 3, 9);
    const signatures = [...made, changed, Buffer.alloc(65), made[0]!.subarray(0, 12), Buffer.alloc(5000, 1)];
    const all = ['a text', 'a tex', ''].flatMap((text) => signatures.map((signature) => [text, signature] as const));

    for (let round = 0; round < 2; round++) {
      for (const [text, signature] of all) {
        const plain = recoverPersonalSigner(text, signature, { curves: serviceCurves });
        expect(recoverPersonalSigner(text, signature, { curves: memory })).toBe(plain);
      }
    }
    expect(recoverPersonalSigner('a text', made[0]!, { curves: memory })).toBe(alice.key.compressed);
    expect(recoverPersonalSigner('a text', made[1]!, { curves: memory })).toBe(mallory.key.compressed);
  });

  it('forgets what was not asked for lately', () => {
    const { curve, asked } = counted();
    const memory: Curves = { secp256k1: remembering(curve), ed25519: null };
    const signature = Buffer.from(anAvatar().sign('a text'), 'base64');

    for (let text = 0; text < 1001; text++) recoverPersonalSigner(`text ${text}`, signature, { curves: memory });
    recoverPersonalSigner('text 1000', signature, { curves: memory });
    recoverPersonalSigner('text 0', signature, { curves: memory });

    expect(asked.recovered).toBe(1002);
  });
});
