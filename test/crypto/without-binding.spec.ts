/**
 * With modules of its own, as the binding is looked for when they are loaded.
 * @jest-environment node
 */
import { isPersonalSignature } from '@signet/verify';
import type { SignedRecord } from './vectors.js';

/**
 * The loader of compiled bindings looks for one that fits this processor, and `PREBUILDS_ONLY` keeps it from a local
 * build.
 */
const ELSEWHERE = { npm_config_arch: 'a-processor-without-a-binding', PREBUILDS_ONLY: '1' };

describe('on a machine without a compiled binding', () => {
  const before = { ...process.env };

  beforeAll(() => Object.assign(process.env, ELSEWHERE));
  afterAll(() => {
    for (const name of Object.keys(ELSEWHERE)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  });

  it('the service works on elliptic', async () => {
    // Imported here, because loading the module loads the binding.
    const { defaultBackend, serviceCurves } = await import('../../src/crypto/ecdsa.js');
    const { hex, libsecp256k1, readVectors } = await import('./vectors.js');
    const [record] = readVectors<{ records: SignedRecord[] }>('proof-links.json').records;

    expect(libsecp256k1).toBeNull();
    expect(defaultBackend.parsePublicKey(hex(record!.public_key.slice(2)))!.uncompressed).toEqual(
      hex(record!.public_key_uncompressed.slice(2)),
    );
    expect(
      isPersonalSignature(record!.payload, Buffer.from(record!.signature, 'base64'), record!.public_key, {
        curves: serviceCurves,
      }),
    ).toBe(true);
  });
});
