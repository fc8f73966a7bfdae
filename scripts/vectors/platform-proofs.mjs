/** What platforms have signed: chains of DNS records (RFC 9102), and records of the AT Protocol. */
import { readFileSync } from 'node:fs';
import { DS, kindOf, recordsOf, RRSIG, TXT } from './dns-records.mjs';
import { accepted, refused } from './people.mjs';

/** @import { Expected } from './types.d.ts' */

/** @param {string} file */
const read = (file) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
/** @type {{ chains: { name: string, chain: string, texts: string[] | null }[] }} */
const { chains: published } = read('../../packages/verify/test/dnssec/published-chains.json');
const account = read('atproto-proof.json');
const ended = read('atproto-end.json');

/** UNIX seconds, within the time of all chains. */
const AT = 1_786_200_000;
const YEAR = 365 * 86_400;

/** A proof of each kind, for exports. */
export const PROOFS = {
  dnssec: { type: 'dnssec', chain: published[0].chain },
  atproto: { type: 'atproto', car: account.car, operations: account.operations },
};

/** What platforms have signed, and each kind of forging. */
export function platformProofs() {
  return {
    description:
      'What a platform has signed, of the kind `kind`. `dnssec`: the TXT records at `name` by `chain`, at the time `at`; `texts` are hex, `zone` is who signs. `atproto`: the record at a place of a repository by `car` and `operations`; `record` is null where the proof shows that there is none. `atproto_end`: the proof of the end (`evidence.gone_proof`) of the one binding of an export. The chains of live zones are those of the tests of the crate dnssec-prover (MIT or Apache-2.0).',
    vectors: [...dnssec(), ...atproto(), ...ends()],
  };
}

function dnssec() {
  /** @param {string} id @param {object} given @param {Expected} expected */
  const vector = (id, given, expected) => ({ id, kind: 'dnssec', at: AT, ...given, expected });
  const zones = published.map(({ name, chain, texts }, number) => {
    return vector(
      `${texts ? 'signed' : 'not-shown'}-${number}-${name}`,
      { name, chain },
      texts ? accepted({ texts, zone: zoneOf(name) }) : refused(['signature']),
    );
  });
  const [{ name, chain, texts }] = published.slice(-2);
  const records = recordsOf(Buffer.from(chain, 'base64'));
  const facts = { texts: texts ?? [], zone: zoneOf(name) };
  /** @param {Buffer[]} list */
  const written = (list) => Buffer.concat(list).toString('base64');
  /** @param {(record: { type: number, covers: number }) => boolean} which */
  const without = (which) => ({ name, chain: written(records.filter((bytes) => !which(kindOf(bytes)))) });
  /** The chain with one bit changed in the first record of a kind. @param {number} type @param {number} fromEnd */
  const changed = (type, fromEnd) => {
    const place = records.findIndex((bytes) => kindOf(bytes).type === type);
    const record = Buffer.from(records[place]);
    record[record.length - fromEnd] ^= 1;
    return { name, chain: written(records.with(place, record)) };
  };
  return [
    ...zones,
    vector('without-a-time', { name, chain, at: null }, accepted(facts, ['time'])),
    vector('in-another-order', { name, chain: written(records.toReversed()) }, accepted(facts)),
    vector('expired', { name, chain, at: AT + YEAR }, refused(['time'])),
    vector('before-it-was-signed', { name, chain, at: AT - YEAR }, refused(['time'])),
    vector('of-another-name', { name: `other.${name}`, chain }, refused(['record'])),
    vector('of-the-name-above', { name: name.split('.').slice(1).join('.'), chain }, refused(['record'])),
    vector('by-no-key-of-the-root', { name, chain, root_keys: [] }, refused(['signature'])),
    vector('a-changed-text', changed(TXT, 1), refused(['signature'])),
    vector('a-changed-signature', changed(RRSIG, 1), refused(['signature'])),
    vector('a-changed-digest-of-a-key', changed(DS, 1), refused(['signature'])),
    vector(
      'a-zone-that-is-not-signed',
      without(({ covers }) => covers === TXT),
      refused(['signature']),
    ),
    vector(
      'a-zone-that-the-one-above-does-not-name',
      without(({ type, covers }) => type === DS || covers === DS),
      refused(['signature']),
    ),
    vector('without-its-last-byte', { name, chain: written(records).slice(0, -4) }, refused(['shape'])),
    vector('chain-no-base64', { name, chain: '?' }, refused(['shape'])),
    vector('nothing', { name, chain: '' }, refused(['record'])),
    vector(
      'longer-than-16-kib',
      { name, chain: written([...records, ...records, ...records, ...records, ...records, ...records]) },
      refused(['shape']),
    ),
  ];
}

/** The zone that signs the records of a name, or of that to which it is an alias. @param {string} name */
function zoneOf(name) {
  if (name.includes('.x_domain_')) return 'mattcorallo.com';
  return name
    .split('.')
    .slice(name.includes('nsec_tests.') ? -4 : -2)
    .join('.');
}

function atproto() {
  const { did, collection, rkey, text, operations, before, car, gone, other } = account;
  /** @param {string} id @param {object} given @param {Expected} expected */
  const vector = (id, given, expected) => ({
    ...{ id, kind: 'atproto', did, collection, rkey, car, operations },
    ...given,
    expected,
  });
  const record = { $type: collection, createdAt: '2026-06-01T00:00:00.000Z', text };
  /** The file with one bit changed, so far from its end. @param {number} fromEnd */
  const changed = (fromEnd) => {
    const bytes = Buffer.from(car, 'base64');
    bytes[bytes.length - fromEnd] ^= 1;
    return { car: bytes.toString('base64') };
  };
  const [first, second] = operations;
  return [
    vector('a-post', {}, accepted({ record })),
    vector('a-post-that-was-deleted', { car: gone }, accepted({ record: null })),
    vector('signed-by-the-key-of-the-server-before', { car: before }, refused(['commit'])),
    vector('by-that-key-with-the-operations-of-its-time', { car: before, operations: [first] }, accepted({ record })),
    vector('operations-that-are-cut', { operations: [first] }, refused(['commit'])),
    vector('of-a-did-web', { operations: null, did: 'did:web:example.org' }, refused(['commit'], ['did'])),
    vector('of-another-account', { did: other }, refused(['did', 'commit'])),
    vector('of-a-record-that-is-not-there', { rkey: '3aaaaaaaaaa2a' }, accepted({ record: null })),
    vector('of-another-record', { rkey: '3lxyzabcdf222' }, refused(['shape'])),
    vector('a-changed-record', changed(1), refused(['shape'])),
    vector('a-changed-path', changed(500), refused(['shape'])),
    vector('without-an-end', { car: car.slice(0, -40) }, refused(['shape'])),
    vector('without-the-first-operation', { operations: [second] }, refused(['did'], ['commit'])),
    vector('operations-in-another-order', { operations: [second, first] }, refused(['did'], ['commit'])),
    vector(
      'an-operation-of-another-signature',
      { operations: [first, { ...second, operation: { ...second.operation, sig: first.operation.sig } }] },
      refused(['did'], ['commit']),
    ),
    vector(
      'a-nullified-operation',
      { operations: [first, { ...second, nullified: true }] },
      refused(['did'], ['commit']),
    ),
    vector('car-no-base64', { car: '?' }, refused(['shape'])),
  ];
}

/** Ends of a binding in an export, and what ends nothing. */
function ends() {
  const { avatar, link, collection, rkey, operations, never, there, still, replaced, gone, other } = ended;
  const { platform, identity, created_at } = link;
  const state = {
    platform,
    identity,
    created_at,
    last_checked_at: created_at,
    is_valid: false,
    invalid_reason: 'gone',
  };
  const url = `at://${identity}/${collection}/${rkey}`;
  const seen = { url, seen_at: created_at, sha256: '', account_id: identity, matched_text: '' };
  const of = (/** @type {string} */ car) => ({ type: 'atproto', car, operations });
  /**
   * @param {string} id
   * @param {{ evidence?: object, is_valid?: boolean, invalid_reason?: string }} given
   * @param {Expected} expected
   */
  const vector = (id, { evidence = {}, ...binding }, expected) => {
    const kept = { ...seen, proof: of(there), gone_proof: of(gone), ...evidence };
    return {
      id,
      kind: 'atproto_end',
      avatar,
      links: [link],
      bindings: [{ ...state, ...binding, evidence: kept }],
      expected,
    };
  };
  /** @param {string} id @param {object} goneProof @param {Expected} expected */
  const by = (id, goneProof, expected) => vector(id, { evidence: { gone_proof: goneProof } }, expected);
  const bytes = Buffer.from(gone, 'base64');
  bytes[bytes.length - 1] ^= 1;
  return [
    by('ended-by-a-newer-commit', of(gone), accepted()),
    by('ended-by-another-text', of(replaced), accepted()),
    by('not-ended-the-signature-still-stands-there', of(still), refused(['evidence'])),
    by('not-ended-by-a-commit-before-the-post', of(never), refused(['time'])),
    by('not-ended-by-the-commit-of-the-post', of(there), refused(['time', 'evidence'])),
    by('not-ended-by-another-account', { ...of(other.car), operations: other.operations }, refused(['did', 'commit'])),
    by('not-ended-by-the-commit-of-another-account', of(other.car), refused(['commit'])),
    by('not-ended-by-a-changed-byte', of(bytes.toString('base64')), refused(['shape'])),
    vector('not-ended-the-server-calls-it-valid', { is_valid: true, invalid_reason: '' }, refused(['expected'])),
    vector('perhaps-ended-the-post-was-never-shown', { evidence: { proof: null } }, accepted({}, ['time'])),
    vector('perhaps-ended-the-post-was-shown-elsewhere', { evidence: { proof: of(never) } }, accepted({}, ['time'])),
  ];
}
