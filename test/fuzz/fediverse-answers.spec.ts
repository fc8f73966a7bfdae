import { PlatformUnavailableError } from '../../src/domain/domain-errors.js';
import { boundedVerdict } from '../../src/platform/verdict-form.js';
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
  type Routes,
} from '../platform/activitypub-stand-ins.js';
import { anAvatar } from '../support/avatar.js';
import type { PlainReply } from '../support/stand-in-server.js';
import { hostileValue } from './hostile-values.js';

const ANSWERS = 150;
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

/** The same servers, with up to three changes in what they answer. */
function hostile(routes: Routes, random: SeededRandom): Routes {
  const changed = { ...routes };
  for (let count = 1 + random.below(MAX_CHANGES); count > 0; count -= 1) {
    const path = random.pick(Object.keys(changed));
    const reply = changed[path] as PlainReply;
    changed[path] = { ...reply, json: withHostileMember(reply.json, random) };
  }
  return changed;
}

describe('hostile answers of the Fediverse', () => {
  const noteClaim = aFediverseClaim({ proofLocation: MISSKEY_ID });
  const claim = aFediverseClaim();
  const signed = ({ signPayload } = claim) =>
    `I own this account.\n\nSig: ${anAvatar('alice').sign(signPayload)}\nUUID: 1`;
  const servers = [
    { asked: claim, routes: { ...anInstance('mastodon'), [STATUS_PATH]: { json: aStatus(signed()) } } },
    { asked: noteClaim, routes: { ...anInstance('misskey'), [NOTE_PATH]: { json: aNote(signed(noteClaim)) } } },
  ];

  it.each(servers)(
    'never end in anything but a verdict that can be stored, or "unavailable"',
    async ({ asked, routes }) => {
      const random = new SeededRandom('hostile fediverse');
      const counts = { valid: 0, refused: 0, unavailable: 0 };
      const problems: string[] = [];
      expect(await verdictOf(routes, asked)).toMatchObject({ valid: true });

      for (let count = 0; count < ANSWERS; count += 1) {
        const answers = hostile(routes, random);
        try {
          const verdict = boundedVerdict('activitypub', await verdictOf(answers, asked));
          counts[verdict.valid ? 'valid' : 'refused'] += 1;
          const text = JSON.stringify(verdict);
          if (text.includes('\\u0000') || text.length > 20_000)
            problems.push(`cannot be stored: ${text.slice(0, 500)}`);
          if (verdict.valid && !verdict.accountId) problems.push(`without an account id: ${text}`);
        } catch (error) {
          counts.unavailable += 1;
          if (!(error instanceof PlatformUnavailableError)) {
            problems.push(`${String(error)} after ${JSON.stringify(answers).slice(0, 2000)}`);
          }
        }
      }

      expect(problems).toEqual([]);
      // Some changes are of no importance and some are: all three happen, or too little was tried.
      expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
    },
    300_000,
  );
});
