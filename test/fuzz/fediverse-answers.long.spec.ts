import { PlatformUnavailableError } from '@signet/look';
import type { Verdict } from '../../packages/look/src/platform-verifier.js';
import { boundedVerdict } from '../../packages/look/src/posts/verdict-form.js';
import { SeededRandom } from '../crypto/seeded-random.js';
import {
  aFediverseClaim,
  aNote,
  anInstance,
  aStatus,
  MISSKEY_ID,
  NOTE_PATH,
  STATUS_PATH,
  verdictOf,
  verdictsOf,
  type Routes,
} from '../../packages/look/test/verifiers/activitypub-stand-ins.js';
import { anAvatar } from '../support/avatar.js';
import type { PlainReply } from '../../packages/look/test/support/stand-in-server.js';
import { hostileValue } from './hostile-values.js';

/** Random ones, beside those in which each member is changed in turn. */
const ANSWERS = Number(process.env.FUZZ_ANSWERS ?? 60);
const MAX_CHANGES = 3;
/** What a server of ill will sends where a name, an id or a text is expected. */
const HUGE = [
  'x'.repeat(900_000),
  '<p>'.repeat(100_000),
  '&amp;'.repeat(100_000),
  `Sig: ${'A'.repeat(500_000)}`,
  '\0'.repeat(1000),
  '',
  Array.from({ length: 50_000 }, () => ({})),
];

type Json = Record<string, unknown>;

/** A copy of `value` in which one member, at whatever depth, is gone or something hostile. */
function withHostileMember(value: unknown, random: SeededRandom): unknown {
  const isPlain = typeof value !== 'object' || value === null || Object.keys(value).length === 0;
  if (isPlain) return random.below(4) === 0 ? random.pick(HUGE) : hostileValue(random);
  const copy = structuredClone(value) as Json;
  const name = random.pick(Object.keys(copy));
  if (random.below(8) === 0) delete copy[name];
  else copy[name] = random.below(6) === 0 ? hostileValue(random) : withHostileMember(copy[name], random);
  return copy;
}

/** `routes` with up to three changes in what the servers answer. */
function hostile(routes: Routes, random: SeededRandom): Routes {
  const changed = { ...routes };
  for (let count = 1 + random.below(MAX_CHANGES); count > 0; count -= 1) {
    const path = random.pick(Object.keys(changed));
    const reply = changed[path] as PlainReply;
    changed[path] = { ...reply, json: withHostileMember(reply.json, random) };
  }
  return changed;
}

/** What stands in the place of each member of a post in turn. */
const IN_PLACE = ['', '\0', `4\u00002`, 'x'.repeat(900_000), '\ud800', 42, null, { id: '42' }];

/** The post with `value` in the place of each of its members in turn, members of members included. */
function* withEachMember(post: Json, value: unknown): Generator<Json> {
  for (const [name, member] of Object.entries(post)) {
    yield { ...post, [name]: value };
    if (typeof member !== 'object' || member === null) continue;
    for (const inner of withEachMember(member as Json, value)) yield { ...post, [name]: inner };
  }
}

describe('hostile answers of the Fediverse', () => {
  const noteClaim = aFediverseClaim({ proofLocation: MISSKEY_ID });
  const claim = aFediverseClaim();
  const signed = ({ signPayload } = claim) =>
    `I own this account.\n\nSig: ${anAvatar('alice').sign(signPayload)}\nUUID: 1`;
  const servers = [
    { software: 'mastodon', asked: claim, path: STATUS_PATH, post: aStatus(signed()) },
    { software: 'misskey', asked: noteClaim, path: NOTE_PATH, post: aNote(signed(noteClaim)) },
  ];
  const counts = { valid: 0, refused: 0, unavailable: 0 };

  /** What is wrong with what service and browsers make of it; null if each is a verdict to store, or "unavailable". */
  async function problemOf(routes: Routes, asked: typeof claim): Promise<string | null> {
    for (const look of verdictsOf(routes, asked)) {
      const problem = await problemOfOutcome(look);
      if (problem !== null) return problem;
    }
    return null;
  }

  async function problemOfOutcome(look: () => Promise<Verdict>): Promise<string | null> {
    try {
      const verdict = boundedVerdict('activitypub', await look());
      counts[verdict.valid ? 'valid' : 'refused'] += 1;
      const text = JSON.stringify(verdict);
      if (text.includes('\\u0000') || text.length > 20_000) return `cannot be stored: ${text.slice(0, 500)}`;
      return verdict.valid && !verdict.accountId ? `has no account id: ${text}` : null;
    } catch (error) {
      counts.unavailable += 1;
      return error instanceof PlatformUnavailableError ? null : String(error);
    }
  }

  it.each(servers)(
    'never end in anything but a verdict that can be stored, or "unavailable": $software',
    async ({ software, asked, path, post }) => {
      const random = new SeededRandom('hostile fediverse');
      const honest = { ...anInstance(software), [path]: { json: post } };
      const asHonest = await verdictOf(honest, asked);
      const oneByOne = IN_PLACE.flatMap((value) => [...withEachMember(post, value)]);
      const answers = [
        ...oneByOne.map((json): Routes => ({ ...honest, [path]: { json } })),
        ...Array.from({ length: ANSWERS }, () => hostile(honest, random)),
      ];
      const problems: string[] = [];

      for (const routes of answers) {
        const problem = await problemOf(routes, asked);
        if (problem) problems.push(`${problem} after ${JSON.stringify(routes).slice(0, 2000)}`);
      }

      expect(asHonest).toMatchObject({ valid: true });
      expect(problems.slice(0, 5)).toEqual([]);
      // Some changes matter and some do not: all three outcomes happen, or too little was tried.
      expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
    },
  );
});
