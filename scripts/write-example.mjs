/**
 * Writes web/public/example.json, the export of a made-up person that the page shows at /example;
 * web/src/verify/example-facts.json, what its start page says of it; and example-policy.json, the log and the witnesses
 * by which the page checks it. Keys are reproducible, so anybody can sign as this person: that is why the page marks it
 * as an example wherever it shows it.
 *
 * npm run example
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deflateSync, crc32 } from 'node:zlib';
import { writeProofDocument } from '@signet/verify/internal/signatures';
import { linkEntry, patchEntry } from '@signet/verify/internal/log';
import prettier from 'prettier';
import { MapState, writeMapEntry } from '@signet/verify/internal/map';
import { answerOf } from './vectors/complete-exports.mjs';
import { Log, policyOf, witnesses } from './vectors/log.mjs';
import { hex, linksOf, patchesOf, person, START, wallet } from './vectors/people.mjs';

/** @import { Link } from './vectors/types.d.ts' */

const alice = person('the example of Signet');
/** Names that no platform gives to anybody: reserved domains (RFC 2606), and a login with two hyphens in a row. */
const ACCOUNTS = [
  { platform: 'github', identity: 'alice--example' },
  { platform: 'activitypub', identity: 'alice@fedi.example' },
  { platform: 'dns', identity: 'alice.example' },
  { platform: 'ethereum', identity: wallet.address },
];
const PROFILE = { name: 'Alice Example', about: 'A made-up person who shows how this works.', picture: picture() };

/** A face of 64 pixels on each side, as PNG with a palette. */
function picture() {
  const side = 64;
  /** @param {number} x @param {number} y @param {number[]} ellipse */
  const inside = (x, y, [cx, cy, rx, ry]) => ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 <= 1;
  /** @type {[ellipse: number[], colour: number][]} */
  const shapes = [
    [[32, 70, 27, 24], 1],
    [[32, 28, 14, 17], 2],
    [[32, 15, 16, 10], 3],
  ];
  const rows = Array.from({ length: side }, (_, y) => [
    0,
    ...Array.from({ length: side }, (__, x) =>
      shapes.reduce((colour, [shape, own]) => (inside(x, y, shape) ? own : colour), 0),
    ),
  ]);
  const header = Buffer.from([0, 0, 0, side, 0, 0, 0, side, 8, 3, 0, 0, 0]);
  const palette = Buffer.from('dbe5f51f4b8ff0c9a65b3a29', 'hex');
  /** @param {string} type @param {Buffer} data */
  const chunk = (type, data) => {
    const named = Buffer.concat([Buffer.from(type), data]);
    const numbers = [data.length, crc32(named)].map((number) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(number);
      return bytes;
    });
    return Buffer.concat([numbers[0], named, numbers[1]]);
  };
  const png = Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return `data:image/png;base64,${png.toString('base64')}`;
}

const links = linksOf(alice, [
  ...ACCOUNTS,
  { platform: 'twitter', identity: 'alice_example' },
  { action: 'delete', platform: 'twitter', identity: 'alice_example' },
]);
const own = { platform: 'self', identity: alice.uncompressed };
const patches = patchesOf(alice, [{ ...own, patch: { profile: PROFILE } }]);

/**
 * The post in which an account answers, as the service saw it.
 * @param {Link} link
 */
function evidenceOf({ platform, identity, signature, signature_payload, uuid, created_at }) {
  if (platform === 'ethereum') return null;
  const fields = { avatar: alice.avatar, identity, sign_payload: signature_payload, created_at, uuid };
  const text = writeProofDocument(fields, 'github_username', 'This account is mine.');
  return {
    url: `https://${platform}.example/post`,
    seen_at: String(START + 3600),
    sha256: 'ab'.repeat(32),
    account_id: '7',
    matched_text: text.replace('%SIG_BASE64%', signature),
  };
}

/** @template {object} Item @param {Item[]} list */
const numbered = (list) => list.map((item, index) => ({ ...item, id: index + 1, avatar: alice.avatar }));
const records = [
  ...numbered(links).map((link) => linkEntry(link, START + 1000)),
  ...numbered(patches).map((patch) => patchEntry(patch, START + 1000)),
];
/** What the log has of all keys and names, which is its last entry: so the file can show that nothing is left out. */
const map = new MapState();
for (const record of records) map.apply(JSON.parse(record));
const mapEntry = writeMapEntry({ recorded_at: START + 1100, root: hex(map.root()), size: records.length });
const log = new Log([...records, mapEntry]);
const checkpoint = log.checkpoint(witnesses.slice(0, 2), log.leaves.length, START + 1100);
const proofs = Object.fromEntries(
  [...links, ...patches].map(({ uuid }, place) => [uuid, log.proof(place, checkpoint)]),
);
const file = {
  format: 'signet-export',
  version: 1,
  exported_at: String(START + 7200),
  server: 'https://signet.example',
  avatar: alice.avatar,
  links: links.map((link) => ({ ...link, archive_id: '' })),
  patches,
  bindings: links.slice(0, ACCOUNTS.length).map((link) => ({
    platform: link.platform,
    identity: link.identity,
    created_at: link.created_at,
    last_checked_at: String(START + 3600),
    is_valid: true,
    invalid_reason: '',
    evidence: evidenceOf(link),
  })),
  log: {
    verifier_key: log.key,
    proofs,
    map: answerOf(map, alice.avatar, log.proof(records.length, checkpoint)),
  },
};

/** @param {string} name @param {unknown} value */
const write = async (name, value) => {
  const place = fileURLToPath(new URL(`../${name}`, import.meta.url));
  const options = await prettier.resolveConfig(place);
  writeFileSync(place, await prettier.format(JSON.stringify(value), { ...options, parser: 'json' }));
};
await write('web/public/example.json', file);
/** The log and its witnesses, which the page believes of this file alone. */
await write('web/src/verify/example-policy.json', { policy: policyOf(log) });
await write('web/src/verify/example-facts.json', {
  avatar: alice.avatar,
  /** Of which its seal is drawn, so that the start page needs no hash function. */
  digest: createHash('sha256')
    .update(Buffer.from(alice.avatar.slice(2), 'hex'))
    .digest('hex'),
  name: PROFILE.name,
  accounts: ACCOUNTS,
});
