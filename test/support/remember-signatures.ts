import { nobleCurves } from '@signet/verify';
import { nobleEd25519 } from '@signet/verify/log';

type Part = Uint8Array | number;

/** What is known, of the file that runs: `SharedEnvironment` takes it away with the end of the file. */
const KNOWN = Symbol.for('signet tests: judgements of signatures');
const state = globalThis as { [KNOWN]?: Map<string, unknown> };
const WRAPPED = Symbol.for('signet tests: judgements are remembered');

/** Tests of the judgements themselves, and of what they cost: each is made anew. */
const JUDGE_ANEW = /\/packages\/[^/]+\/test\/|\/test\/(crypto|vectors)\//;

/**
 * Before each test file: has each signature of the file judged once. Many readers look at the same ones, and to judge
 * one takes milliseconds in JavaScript.
 */
function rememberSignatures(): void {
  if (JUDGE_ANEW.test(expect.getState().testPath!)) return;
  state[KNOWN] = new Map();
  const { secp256k1 } = nobleCurves;
  if (WRAPPED in secp256k1) return;
  Object.assign(secp256k1, { [WRAPPED]: true, recover: remembered('recover', secp256k1.recover) });
  Object.assign(nobleEd25519, { verify: remembered('verify', nobleEd25519.verify) });
}

/** Of a judgement that depends on the bytes alone. */
function remembered<Parts extends Part[], Judgement>(name: string, judge: (...parts: Parts) => Judgement) {
  return (...parts: Parts): Judgement => {
    const known = state[KNOWN];
    if (!known) return judge(...parts);
    const key = `${name} ${parts.map(textOf).join()}`;
    if (!known.has(key)) known.set(key, judge(...parts));
    const judgement = known.get(key) as Judgement;
    return judgement instanceof Uint8Array ? (judgement.slice() as Judgement) : judgement;
  };
}

/** No two lists of parts have the same texts: each says how long it is. */
function textOf(part: Part): string {
  if (typeof part === 'number') return String(part);
  const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
  return `${bytes.length}:${bytes.toString('latin1')}`;
}

rememberSignatures();
