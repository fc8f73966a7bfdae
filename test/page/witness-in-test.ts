import { readWitnessRequest } from '@signet/verify/internal/log';
import { readCheckpoint, writeVerifierKey } from '@signet/verify/log';
import { cosigner } from '@signet/verify/log-sign';
import { type StandIn, startStandIn, textReply } from '../../packages/look/test/support/stand-in-server.js';

/** A witness that signs whatever it is shown, another that answers nothing of use, and the settings that name both. */
export interface TestWitnesses {
  env: Record<string, string>;
  close(): Promise<void>;
}

/** The name of the witness that signs, and of the one that does not. */
export const [GOOD_WITNESS, BAD_WITNESS] = ['witness.example/good', 'witness.example/broken'] as const;

/** Starts both on loopback. The policy asks for one of them. */
export async function startWitnesses(): Promise<TestWitnesses> {
  const [good, bad] = [cosigner(GOOD_WITNESS, seedOf(0x51)), cosigner(BAD_WITNESS, seedOf(0x52))];
  let known = 0;
  const standIn: StandIn = await startStandIn(({ path, body }) => {
    if (!path.startsWith('/good/')) return { status: 500 };
    const { oldSize, checkpoint } = readWitnessRequest(body)!;
    if (oldSize !== known) return { ...textReply(`${known}\n`, 409), headers: { 'content-type': 'text/x.tlog.size' } };
    const { note, size } = readCheckpoint(checkpoint)!;
    known = size;
    return textReply(good.cosign(note.text, Math.floor(Date.now() / 1000)));
  });
  const lines = [
    `witness good ${writeVerifierKey(good.key)} ${standIn.baseUrl}/good/`,
    `witness broken ${writeVerifierKey(bad.key)} ${standIn.baseUrl}/broken/`,
    'group any-of-them any good broken',
    'quorum any-of-them',
  ];
  return { env: { LOG_POLICY: lines.join('\n'), LOG_WITNESS_SECONDS: '1' }, close: () => standIn.close() };
}

function seedOf(fill: number): Uint8Array {
  return new Uint8Array(32).fill(fill);
}
