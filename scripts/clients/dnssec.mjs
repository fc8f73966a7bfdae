/**
 * The rules of DNSSEC (`@signet/verify/dnssec`) beside those of the crate dnssec-prover, which shares no code with
 * them: chains of live zones, changed at random, of which neither may show anything else than what the zone has.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { dnssecProofOf, verifyDnssecProof } from '@signet/verify/dnssec';
import { recordsOf } from '../vectors/dns-records.mjs';
import { run } from './commands.mjs';
import { generator, SEED } from './random.mjs';

/** @import { Random } from './random.mjs' */
/** @import { Step } from './types.d.ts' */

/** @typedef {{ name: string, chain: string, texts: string[] | null }} PublishedChain */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CRATE = path.join(ROOT, 'scripts/clients/dnssec-prover');
const PUBLISHED = path.join(ROOT, 'packages/verify/test/dnssec/published-chains.json');
const CHANGES = 10_000;
/** UNIX seconds, within the time of all chains. */
const AT = 1_786_200_000;

/**
 * Steps of `npm run test:clients`.
 * @type {Step[]}
 */
export const DNSSEC = [
  {
    language: 'rust',
    what: 'DNSSEC',
    library: 'dnssec-prover 0.6',
    sources: [path.join(CRATE, 'src/main.rs')],
    needs: [['cargo', '--version']],
    async try({ work }) {
      const folder = path.join(work, 'dnssec-prover');
      cpSync(CRATE, folder, { recursive: true });
      run(folder, 'cargo', ['build', '--quiet', '--release', '--locked']);
      /** @type {{ chains: PublishedChain[] }} */
      const { chains } = JSON.parse(readFileSync(PUBLISHED, 'utf8'));
      const program = path.join(folder, 'target/release/signet-dnssec-prover');
      return compare(program, [...chains, ...changedChains(chains, generator(SEED))]);
    },
  },
];

/**
 * @param {string} program @param {PublishedChain[]} asked
 * @returns what came of it
 * @throws Error that names a chain of which a program shows what the zone does not have, or this one alone shows it
 */
function compare(program, asked) {
  const ours = asked.map(saidHere);
  const theirs = saidBy(program, asked);
  // The crate refuses a chain with a broken record that is not needed, so that it is asked again without those.
  const alone = asked.flatMap((one, number) => (ours[number] !== '-' && theirs[number] === '-' ? [needed(one)] : []));
  const again = saidBy(program, alone);
  const wrong = [
    ...asked.filter(({ texts }, number) =>
      [ours, theirs].some((said) => !['-', texts?.join(' ')].includes(said[number])),
    ),
    ...alone.filter(({ texts }, number) => again[number] !== texts?.join(' ')),
  ];
  if (wrong.length > 0) {
    const { name, chain } = wrong[0];
    throw new Error(`TEST_SEED=${SEED}: they differ about ${wrong.length} chains, such as that of ${name}: ${chain}`);
  }
  const shown = ours.filter((said) => said !== '-').length;
  const others = theirs.filter((said, number) => said !== '-' && ours[number] === '-').length;
  return (
    `${asked.length} chains, ${CHANGES} of them changed at random: both show the records of ${shown}, ` +
    `the crate alone those of ${others}, and neither shows anything else`
  );
}

/** A chain without what is not needed. @param {PublishedChain} one @returns {PublishedChain} */
function needed(one) {
  const made = dnssecProofOf(Buffer.from(one.chain, 'base64'), one.name, { at: AT });
  return { ...one, chain: made?.proof.chain ?? '' };
}

/** The TXT records in hex, or `-`. @param {PublishedChain} one */
function saidHere({ name, chain }) {
  const { ok, texts } = verifyDnssecProof({ type: 'dnssec', chain }, name, { at: AT });
  if (!ok) return '-';
  const inHex = texts.map((text) => Buffer.from(text, 'latin1').toString('hex'));
  return inHex.sort().join(' ');
}

/** @param {string} program @param {PublishedChain[]} asked */
function saidBy(program, asked) {
  const input = asked.map(({ name, chain }) => `${name} ${Buffer.from(chain, 'base64').toString('hex')}\n`).join('');
  const { status, stdout, stderr } = spawnSync(program, { input, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(`dnssec-prover ended with ${status}: ${stderr.slice(-300)}`);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [from, until, ...texts] = line.split(' ');
      return texts.length > 0 && Number(from) <= AT && AT <= Number(until) ? texts.join(' ') : '-';
    });
}

/** @param {PublishedChain[]} chains @param {Random} random @returns {PublishedChain[]} */
function changedChains(chains, random) {
  return Array.from({ length: CHANGES }, (_, number) => {
    const chain = chains[number % chains.length];
    const records = recordsOf(Buffer.from(chain.chain, 'base64'));
    return { ...chain, chain: Buffer.concat(changed(records, random)).toString('base64') };
  });
}

/**
 * One to three bytes of a record are changed, or a record is left out, repeated, moved, or cut.
 * @param {Buffer[]} records @param {Random} random
 */
function changed(records, random) {
  const [at, other] = [random(records.length), random(records.length)];
  const record = Buffer.from(records[at]);
  const others = records.toSpliced(at, 1);
  switch (random(8)) {
    case 0:
      return others;
    case 1:
      return others.toSpliced(other, 0, record, record);
    case 2:
      return others.toSpliced(other, 0, record);
    case 3:
      return others.toSpliced(at, 0, record.subarray(0, random(record.length)));
    default:
      for (let left = 1 + random(3); left > 0; left -= 1) record[random(record.length)] ^= 1 << random(8);
      return others.toSpliced(at, 0, record);
  }
}
