import { readFileSync } from 'node:fs';
import { verifyAppPatch } from '@signet/verify/internal/key-events';
import { keyStateAt, patchSignersOf, type SignedKeyEvent } from '@signet/verify/key-events';
import { type SignedPatch, verifyPatchChain } from '@signet/verify';

interface Vector {
  id: string;
  events: SignedKeyEvent[];
  patches: (SignedPatch & { signer: string })[];
  expected: { avatar: string; entries: object[] };
}

const { vectors } = JSON.parse(readFileSync(new URL('../../vectors/app-patches.json', import.meta.url), 'utf8')) as {
  vectors: Vector[];
};
const { events, patches, expected } = vectors.find(({ id }) => id === 'in-scope')!;
const { avatar } = expected;

describe('patches of the key of an app', () => {
  it('add up to nothing where the key events are not known, since anybody may have signed them', () => {
    const unknown = verifyPatchChain(patches, { avatar });
    const known = verifyPatchChain(patches, { avatar, signers: patchSignersOf(events, { avatar }) });

    expect(unknown).toMatchObject({ ok: true, complete: false, entries: [] });
    expect(known).toMatchObject({ ok: true, complete: true, entries: expected.entries });
  });

  it('are refused from the second on at which the key expires, by the time of the record too', () => {
    const [patch] = patches;
    const [{ fields, recorded_at: at }] = events as [SignedKeyEvent & { action: 'key.add' }];
    const behind = { at, state: keyStateAt(events, at) };
    const end = fields.expires_at;

    expect(patch!.created_at).toBeLessThan(end);
    expect(verifyAppPatch(patch!, behind)).toMatchObject({ state: 'ok' });
    expect(verifyAppPatch(patch!, behind, { recordedAt: end - 1 })).toMatchObject({ state: 'ok' });
    expect(verifyAppPatch(patch!, behind, { recordedAt: end })).toMatchObject({
      state: 'failed',
      detail: 'The time of this key is over.',
    });
  });
});
