import { liveAppKeys, rankOf } from '@signet/verify/internal/key-events';
import { acceptKeyEvent, type KeyFact, type KeyState, keyStateAt, NO_KEY_EVENTS } from '@signet/verify/key-events';
import { sized } from '../support/tier.js';
import { SeededRandom } from '../crypto/seeded-random.js';
import { KeyModel } from './model.js';
import { anEvent, aStatement, KEYS, type Known, nextTime, pick, START, uuidOf } from './random-events.js';

const SEQUENCES = sized('KEY_SEQUENCES', { short: 3_000, long: 100_000 });
const DAY = 86_400;

const pendingOf = ({ pendingCommit, pendingSuccession }: KeyState) =>
  [pendingCommit, pendingSuccession].flatMap((pending) => (pending ? [pending.event] : []));

describe(`the state of keys, in ${SEQUENCES} random sequences`, () => {
  it('is what the table says, by a model that shares no code with it', () => {
    const random = new SeededRandom('key events beside the model');
    const refused = new Map<string, number>();
    for (let sequence = 0; sequence < SEQUENCES; sequence += 1) {
      const model = new KeyModel();
      const events: KeyFact[] = [];
      let state = NO_KEY_EVENTS;
      let [at, links] = [START, random.below(3) === 0 ? 0 : 1];
      for (let number = 0; number < 12; number += 1) {
        links += random.below(10) === 0 ? 1 : 0;
        const keys = state.committed?.recovery ?? [];
        const known: Known = { at, links, keys, deadlines: model.deadlines, pending: pendingOf(state) };
        const event = anEvent(random, number, known);
        at = event.recorded_at;
        const outcome = acceptKeyEvent(state, event);
        const isTaken = model.add(event);
        if ((outcome.refusal === null) !== isTaken) {
          throw new Error(`Sequence ${sequence}: ${outcome.refusal ?? 'taken'}: ${JSON.stringify([...events, event])}`);
        }
        events.push(event);
        if (outcome.refusal === null) ({ state } = outcome);
        else refused.set(outcome.refusal, (refused.get(outcome.refusal) ?? 0) + 1);
        const seen = at + random.below(3) * random.below(40 * DAY);
        compare(keyStateAt(events, seen), model, seen, events);
      }
      compare(keyStateAt(events, at + 400 * DAY), model, at + 400 * DAY, events);
    }

    expect([...refused.keys()].sort()).toEqual([
      ...['already_frozen', 'already_pending', 'avatar_frozen', 'avatar_succeeded', 'expiry_too_late', 'key_expired'],
      ...['key_not_committed', 'key_outranked', 'key_rests', 'key_revoked', 'key_too_low', 'key_unknown'],
      ...['not_frozen', 'not_pending', 'only_main_key', 'wrong_cosigner'],
    ]);
  });

  it('leaves no thief with the name, and no freeze of a thief in force, where the owner has the best key', () => {
    const random = new SeededRandom('an owner against a thief');
    let [tries, finals] = [0, 0];
    for (let sequence = 0; sequence < SEQUENCES / 10; sequence += 1) {
      const game = new Game(random);
      for (let move = 0; move < 25; move += 1) {
        tries += game.thiefMoves() ? 1 : 0;
        game.ownerAnswers();

        expect(game.state).toMatchObject({ isFrozen: false, pendingCommit: null, succession: null });
      }
      game.ownerLeaves();

      expect(game.state.succession?.successor).toBe(Game.OWNER);
      finals += 1;
    }

    expect(finals).toBeGreaterThan(0);
    expect(tries).toBeGreaterThan(finals);
  });
});

const appOf = ({ key, scopes, expires_at: end }: { key: string; scopes: string[]; expires_at: number }) =>
  [key, ...scopes, end].join(' ');

function compare(state: KeyState, model: KeyModel, at: number, events: KeyFact[]): void {
  const seen = {
    keys: state.committed?.recovery ?? [],
    isFrozen: state.isFrozen,
    successor: state.succession?.successor ?? null,
    apps: state.succession ? [] : liveAppKeys(state, at).map(appOf),
    ...(!state.succession && {
      commit: state.pendingCommit?.event ?? null,
      succession: state.pendingSuccession?.event ?? null,
    }),
  };
  const successor = model.successorAt(at);
  const expected = {
    keys: state.succession ? seen.keys : model.keysAt(at),
    isFrozen: model.isFrozenAt(at),
    successor,
    apps: model.appKeysAt(at).map(appOf),
    ...(successor === null && {
      commit: model.pendingAt('key.commit', at),
      succession: model.pendingAt('key.succeed', at),
    }),
  };
  if (JSON.stringify(seen) === JSON.stringify(expected)) return;
  throw new Error(`At ${at}: ${JSON.stringify({ seen, expected, events })}`);
}

/** An Avatar with links whose owner has a key above all that the thief has; both have the main key, or may have. */
class Game {
  static readonly OWNER = `0x03${'0'.repeat(64)}`;

  private readonly events: KeyFact[] = [];
  private readonly best: string;
  private readonly stolen: string[];
  private at = START;
  private number = 0;

  constructor(private readonly random: SeededRandom) {
    const recovery = KEYS.slice(0, 1 + random.below(5));
    const place = random.below(recovery.length);
    this.best = recovery[place]!;
    this.stolen = ['main', ...recovery.slice(place + 1).filter(() => random.below(2) === 0)];
    const delay_hours = pick(random, [24, 72, 168]);
    this.say('main', { action: 'key.commit', fields: { recovery, delay_hours } } as KeyFact, 0);
  }

  get state(): KeyState {
    return keyStateAt(this.events, this.at);
  }

  /** Any event by a stolen key. @returns whether the rules take it */
  thiefMoves(): boolean {
    const { state, random } = this;
    this.at = nextTime(random, { at: this.at, deadlines: [] });
    const known = { at: this.at, links: 1, keys: [], deadlines: [], pending: pendingOf(state) };
    const recovery = ['key.commit', 'key.freeze', 'key.thaw', 'key.succeed', 'key.veto'] as const;
    const action = pick(random, [...recovery, 'key.add', 'key.revoke'] as const);
    return this.say(pick(random, this.stolen), aStatement(random, action, known) as KeyFact);
  }

  /** The owner ends what the thief has begun, within a day, by the best key alone. */
  ownerAnswers(): void {
    this.at += this.random.below(DAY - 1);
    const { pendingCommit, pendingSuccession, freeze } = this.state;
    for (const pending of [pendingCommit, pendingSuccession]) {
      if (pending) this.must({ action: 'key.veto', fields: { event: pending.event } } as KeyFact);
    }
    if (freeze) this.must({ action: 'key.thaw', fields: {} } as KeyFact);
  }

  /** The owner names a new key by the best key alone, whatever the thief does meanwhile. */
  ownerLeaves(): void {
    const fields = { successor: Game.OWNER, since_link: null, since_patch: null };
    this.must({ action: 'key.succeed', fields } as KeyFact);
    const { due_at: due } = this.state.pendingSuccession!;
    for (let move = 0; move < 5; move += 1) {
      const before = this.state;
      this.thiefMoves();
      if (this.at >= due) break;

      expect(this.state.pendingSuccession).toEqual(before.pendingSuccession);
    }
    this.at = Math.max(this.at, due);
  }

  private must(statement: KeyFact): void {
    if (!this.say(this.best, statement)) throw new Error(`Refused: ${JSON.stringify([this.events, statement])}`);
  }

  private say(signer: string, { action, fields }: KeyFact, links = 1): boolean {
    this.number += 1;
    const event = {
      ...{
        action,
        fields,
        signer,
        cosigner: action === 'key.add' ? fields.key : null,
        links,
        uuid: uuidOf(this.number),
        recorded_at: this.at,
      },
    } as KeyFact;
    const isTaken = acceptKeyEvent(keyStateAt(this.events, this.at), event).refusal === null;
    if (isTaken) this.events.push(event);
    return isTaken;
  }
}

describe('the order of power', () => {
  it('has the committed keys in their order, and the main key last', () => {
    const fields = { recovery: KEYS.slice(0, 3), delay_hours: 24 };
    const said = { action: 'key.commit' as const, fields, signer: 'main', cosigner: null };
    const state = keyStateAt([{ ...said, uuid: uuidOf(1), links: 0, recorded_at: START }], START);

    expect([...KEYS.slice(0, 3), 'main'].map((key) => rankOf(state, key))).toEqual([0, 1, 2, 3]);
  });
});
