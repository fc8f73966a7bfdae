/** Signature checks in one thread: each back end, the binding by itself, and the whole check of a signed text. */
import { createRequire } from 'node:module';
import { parseSignature, personalDigest, recoverPersonalSigner, recoverPublicKey } from '@signet/verify';
import { built } from '../../scripts/built.mjs';
import { ellipticBackend, libsecp256k1 } from '../curve-libraries.mjs';
import { median } from '../measure.mjs';
import { person, sign } from '../people.mjs';
import { markdown, number, percent } from '../report.mjs';

/** @import { Stage } from '../types.d.ts' */

const { serviceCurves } = await built('crypto/ecdsa.js');

const SAMPLES = 200;
const TEXT_LENGTH = 400; // about that of a link

function samples() {
  return Array.from({ length: SAMPLES }, (_, index) => {
    const text = String(index).padEnd(TEXT_LENGTH, '.');
    const signature = Buffer.from(sign(person(index), text), 'base64');
    return {
      text,
      signature,
      digest: personalDigest(text),
      ...(parseSignature(signature) ?? { rs: signature, recovery: 0 }),
    };
  });
}

/**
 * Runs a second.
 * @template Item
 * @param {(item: Item) => unknown} check
 * @param {Item[]} all
 * @param {number} ms
 */
function rateOf(check, all, ms) {
  const started = performance.now();
  let count = 0;
  for (let now = started; now - started < ms; now = performance.now()) {
    for (let step = 0; step < 10; step++) check(all[count++ % all.length]);
  }
  return count / ((performance.now() - started) / 1000);
}

/** @param {Stage} stage */
async function run({ settings }) {
  if (!libsecp256k1) return { notes: ['There is no compiled libsecp256k1 on this machine.'] };
  const binding = createRequire(import.meta.url)('secp256k1');
  const native = libsecp256k1;
  const all = samples();
  /** @type {Record<string, (sample: typeof all[number]) => unknown>} */
  const checks = {
    'the binding alone': ({ rs, recovery, digest }) => binding.ecdsaRecover(rs, recovery, digest),
    libsecp256k1: ({ digest, signature }) =>
      recoverPublicKey(digest, signature, { curves: { ed25519: null, secp256k1: native } }),
    elliptic: ({ digest, signature }) =>
      recoverPublicKey(digest, signature, { curves: { ed25519: null, secp256k1: ellipticBackend } }),
    'text and signature (keccak-256 included)': ({ text, signature }) =>
      recoverPersonalSigner(text, signature, { curves: serviceCurves }),
  };
  const rounds = Array.from({ length: settings.rounds }, () =>
    Object.values(checks).map((check) => rateOf(check, all, settings.seconds * 500)),
  );
  const rates = Object.keys(checks).map((name, place) => ({ name, rate: median(rounds.map((round) => round[place])) }));
  const [raw, fast, elliptic] = rates.map(({ rate }) => rate);
  const toBinding = median(rounds.map((round) => round[1] / round[0]));
  const toElliptic = median(rounds.map((round) => round[1] / round[2]));
  return {
    notes: [
      `\n\n${markdown(
        ['back end', 'checks/s'],
        rates.map(({ name, rate }) => [name, number(rate)]),
      ).join('\n')}\n`,
    ],
    rates: { raw, native: fast, elliptic },
    verdict: {
      text: 'libsecp256k1 at least 20 times elliptic and 80 % of the binding',
      met: toElliptic >= 20 && toBinding >= 0.8,
      seen: `${Math.round(toElliptic)} times, ${percent(toBinding)}`,
    },
  };
}

export const CRYPTO = { name: 'crypto', title: 'signature checks', run };
