/** `verifyChain` of the packages over one chain of 1,000 links, in one thread, on each curve library. */
import { linkPayload, verifyChain } from '@signet/verify';
import { verifyChain as verifyInBadge } from '@signet/verify/badge';
import { built } from '../../scripts/built.mjs';
import { libsecp256k1 } from '../curve-libraries.mjs';
import { median } from '../measure.mjs';
import { person, sign } from '../people.mjs';
import { markdown, number } from '../report.mjs';

/**
 * @import { SignedLink } from '@signet/verify'
 * @import { Stage } from '../types.d.ts'
 */

const { serviceCurves } = await built('crypto/ecdsa.js');

const LINKS = 1000;
const LEAST_PER_SECOND = 5000;

function chain() {
  const owner = person(0);
  /** @type {SignedLink[]} */
  const links = [];
  for (let index = 0; index < LINKS; index++) {
    const fields = {
      action: 'create',
      avatar: owner.avatar,
      created_at: String(1_718_000_000 + index),
      identity: `alice-${index % 20}`,
      platform: 'github',
      uuid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    };
    const text = linkPayload({ ...fields, prev: links.at(-1)?.signature ?? null });
    links.push({ ...fields, signature: sign(owner, text), signature_payload: text, extra: {} });
  }
  return links;
}

/**
 * Links a second.
 * @param {(links: SignedLink[]) => { ok: boolean }} verify
 * @param {SignedLink[]} links
 */
function rateOf(verify, links) {
  const started = performance.now();
  if (!verify(links).ok) throw new Error('The chain of the benchmark does not verify.');
  return LINKS / ((performance.now() - started) / 1000);
}

/** @param {Stage} stage */
async function run({ settings }) {
  if (!libsecp256k1) return { notes: ['There is no compiled libsecp256k1 on this machine.'] };
  const links = chain();
  /** @type {Record<string, Parameters<typeof rateOf>[0]>} */
  const checks = {
    libsecp256k1: (all) => verifyChain(all, { curves: serviceCurves }),
    '@noble/curves': (all) => verifyChain(all),
    '@noble/secp256k1 (badge)': (all) => verifyInBadge(all),
  };
  const rounds = Array.from({ length: settings.rounds }, () =>
    Object.values(checks).map((verify) => rateOf(verify, links)),
  );
  const rates = Object.keys(checks).map((name, place) => ({ name, rate: median(rounds.map((round) => round[place])) }));
  const [{ rate: native }] = rates;
  return {
    notes: [
      `\n\n${markdown(
        ['curve library', 'links/s'],
        rates.map(({ name, rate }) => [name, number(rate)]),
      ).join('\n')}\n`,
    ],
    rates: Object.fromEntries(rates.map(({ name, rate }) => [name, rate])),
    verdict: {
      text: `verifyChain of ${LINKS} links on libsecp256k1 at least ${number(LEAST_PER_SECOND)} links/s`,
      met: native >= LEAST_PER_SECOND,
      seen: `${number(native)} links/s`,
    },
  };
}

export const VERIFY_CHAIN = { name: 'verify-chain', title: 'a whole chain, checked', run };
