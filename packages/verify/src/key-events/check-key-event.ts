/** Checks key events: that the keys signed what they are said to have signed, and that the rules take them in a row. */
import { checkUuid, checkFields, isTextOf, missingText, parseObject, checkPrevious } from '../text/signed-text.js';
import { summaryOf } from '../chains/chain.js';
import { avatarIn, avatarOf, checkOwner } from '../chains/link.js';
import type { Curves } from '../keys/curves.js';
import { checked, failed, ok, show, type Step, verificationOf, type Verification } from '../steps.js';
import { isAppKey, problemOfAppSignature } from './app-key.js';
import { appKeyIn } from './app-keys.js';
import { acceptKeyEvent } from './accept-key-event.js';
import { problemOfStatement, type SignedKeyEvent } from './key-event.js';
import { type KeyState, NO_KEY_EVENTS, settleKeyState } from './key-state.js';
import { isKeyNamed, isRecoveryKey, MAIN_KEY, nameOfSigner, recoveryNamesOf, signerOf } from './recovery-key.js';
import { KEY_REFUSALS, type KeyRefusal } from './rules.js';

/** What is known beside the event. */
export interface KeyEventContext {
  /** The Avatar that is expected, as a compressed key. Without it, the one that the event names. */
  avatar?: string | undefined;
  /** The event before it; null if it has to be the first; undefined if its place is not to be checked. */
  previous?: { signature: string } | null | undefined;
}

/** What came of a chain of key events. */
export interface KeyChainVerification extends Verification {
  /** Compressed key; `''` for an empty chain whose Avatar is not given. */
  avatar: string;
  /** One for each event, oldest first. `steps` above has those that are not ok, with the place in front. */
  events: Verification[];
  /** The state behind the last event, as it was recorded. Only of worth if `ok`. */
  state: KeyState;
}

const TEXTS = ['action', 'uuid', 'signer', 'signature', 'signature_payload'] as const;
const NUMBERS = ['created_at', 'recorded_at', 'due_at', 'links', 'patches'] as const;

/**
 * Steps: `shape`, `avatar` where the event names one, `fields`, `canonical_text`, `signature` (of `signer`),
 * `cosignature` where there is one, `successor_signature` of a succession; `prev` where the place is known. Never
 * throws, for any value.
 */
export function checkKeyEvent(
  item: SignedKeyEvent,
  { avatar, previous }: KeyEventContext,
  curves: Curves,
): Verification {
  const problem = problemOf(item);
  if (problem !== null) return verificationOf([failed('shape', problem)]);
  const { signature_payload: text } = item;
  const owner = avatar ?? item.avatar ?? avatarIn(text);
  const steps = [ok('shape', 'It has all the fields of a key event.'), ...checkOwner(item, owner)];
  steps.push(...checkText(item, owner), ...checkSigners(item, owner, curves));
  if (previous !== undefined) steps.push(checkPrevious(text, previous, 'key event'));
  return verificationOf(steps);
}

/** What has to be kept of the key events of an Avatar to check the next one; plain JSON. */
export interface KeptKeyChain {
  state: KeyState;
  /** The last event; null before the first. */
  previous: Pick<SignedKeyEvent, 'signature' | 'recorded_at' | 'links' | 'patches'> | null;
}

/** Checks the key events of one Avatar as they come, oldest first. Holds the uuids. */
export class KeyChainChecker {
  /** The state behind the events so far, as the last one was recorded. */
  state: KeyState;

  private readonly uuids = new Set<string>();
  private previous: KeptKeyChain['previous'];

  /** @param kept what `kept` was behind the events before; from the first event on when absent */
  constructor(
    private readonly curves: Curves,
    private avatar?: string,
    kept: KeptKeyChain = { state: NO_KEY_EVENTS, previous: null },
  ) {
    this.state = kept.state;
    this.previous = kept.previous;
  }

  /** What to go on from. */
  get kept(): KeptKeyChain {
    const { state, previous } = this;
    if (!previous) return { state, previous };
    const { signature, recorded_at, links, patches } = previous;
    return { state, previous: { signature, recorded_at, links, patches } };
  }

  /**
   * The steps of `checkKeyEvent`, then `uuid`, `time` (neither it nor the counts go back), `rules` (they take it by the
   * key that it names) and `due` (its `due_at` is that of the rules). Never throws.
   */
  add(item: SignedKeyEvent): Verification {
    const { avatar, previous, state } = this;
    const { steps } = checkKeyEvent(item, { avatar, previous }, this.curves);
    if (steps[0]!.state === 'failed') return verificationOf(steps);
    this.avatar ??= item.avatar ?? avatarIn(item.signature_payload);
    steps.push(checkUuid(this.uuids, item.uuid, 'key event'), checkTime(item, previous));
    this.previous = item;
    const isSound = steps.every(({ state: outcome }) => outcome === 'ok');
    if (isSound) steps.push(...this.follow(item, settleKeyState(state, item.recorded_at)));
    return verificationOf(steps);
  }

  /** Only a sound event changes the state. */
  private follow(item: SignedKeyEvent, state: KeyState): Step[] {
    const avatar = this.avatar!;
    const recovery = state.committed?.recovery ?? [];
    if (isAppKey(item.signer)) {
      const { key, origin } = appKeyIn(state, item.signer) ?? { key: item.signer, origin: undefined };
      const problem = problemOfAppSignature(item.signature_payload, { ...item, key, origin }, this.curves);
      if (problem) return [failed('rules', problem)];
    }
    const name = isAppKey(item.signer) ? item.signer : this.nameOf(item, recovery);
    const refusal = name === item.signer ? refusalOfNames(item, avatar, this.curves, state) : 'key_not_committed';
    const outcome = refusal ? { refusal } : acceptKeyEvent(state, item);
    if (outcome.refusal !== null) return [failed('rules', KEY_REFUSALS[outcome.refusal])];
    this.state = outcome.state;
    const { dueAt } = outcome;
    return [
      ok('rules', 'The rules take it where it stands.'),
      checked(
        'due',
        item.due_at === dueAt,
        'It is due when the rules say.',
        `Its due_at is ${show(item.due_at)}, and by the rules it is ${dueAt}.`,
      ),
    ];
  }

  private nameOf(item: SignedKeyEvent, recovery: string[]): string | null {
    const { secp256k1 } = this.curves;
    const key = signerOf(item.signature_payload, item.signature, secp256k1)!;
    return nameOfSigner(key, this.avatar!, recovery, secp256k1);
  }
}

/** Checks a list of key events of an Avatar, oldest first. @throws TypeError for what is no list */
export function checkKeyChain(
  events: SignedKeyEvent[],
  avatar: string | undefined,
  curves: Curves,
): KeyChainVerification {
  const checker = new KeyChainChecker(curves, avatar);
  const results = events.map((event) => checker.add(event));
  return { avatar: avatarOf(events, avatar), events: results, state: checker.state, ...summaryOf(results, avatar) };
}

/**
 * Why what a statement names cannot be a recovery key, the successor, or a key of an app, of this Avatar in this state;
 * else null.
 */
export function refusalOfNames(
  event: Pick<SignedKeyEvent, 'action' | 'fields'>,
  avatar: string,
  { secp256k1 }: Curves,
  { appKeys, committed, pendingCommit }: KeyState = NO_KEY_EVENTS,
): KeyRefusal | null {
  const { recovery = [], successor, key } = event.fields as { recovery?: string[]; successor?: string; key?: string };
  if (successor === avatar) return 'own_successor';
  const isNamed = (point: string, names: string[]) => {
    const { hash, address } = recoveryNamesOf(point, secp256k1);
    return names.includes(hash) || names.includes(address);
  };
  const pointOf = (name: string) => (name.startsWith('secp256k1:') ? name.slice('secp256k1:'.length) : null);
  if (recovery.length > 0) {
    if (isNamed(avatar, recovery)) return 'own_recovery_key';
    const points = Object.keys(appKeys).map(pointOf);
    return points.some((point) => point !== null && isNamed(point, recovery)) ? 'own_app_key' : null;
  }
  const point = event.action === 'key.add' && key ? pointOf(key) : null;
  if (point === null) return null;
  const names = [...(committed?.recovery ?? []), ...(pendingCommit?.fields.recovery ?? [])];
  return point === avatar || isNamed(point, names) ? 'own_app_key' : null;
}

function problemOf(item: unknown): string | null {
  if (typeof item !== 'object' || item === null) return 'It is not an object.';
  const event = item as Record<string, unknown>;
  const missing = missingText(event, TEXTS) ?? NUMBERS.find((name) => !isCount(event[name]));
  if (missing) return `It has no ${missing}.`;
  const { avatar = '', cosignature, cosigner, signer, successor_signature: successor } = event;
  if (typeof avatar !== 'string') return 'Its avatar is not a text.';
  if (signer !== MAIN_KEY && !isRecoveryKey(signer) && !isAppKey(signer)) return 'Its signer names no key.';
  const areBoth = (isRecoveryKey(cosigner) || isAppKey(cosigner)) && typeof cosignature === 'string';
  if (!areBoth && (cosigner !== null || cosignature !== null)) return 'It lacks a cosigner or its signature.';
  const problem = problemOfStatement({ action: event['action'], fields: event['fields'] });
  if (problem) return problem;
  const isSigned = event['action'] === 'key.succeed' ? typeof successor === 'string' : successor === null;
  return isSigned ? null : 'It lacks the signature of a successor, or has one and no successor.';
}

function checkText(item: SignedKeyEvent, avatar: string): Step[] {
  const { action, created_at, fields, signature_payload: text, uuid } = item;
  const all = { ...fields, action, avatar, created_at, uuid };
  const signed = parseObject(text);
  if (!signed) return [failed('fields', 'Its signed text is not a JSON object.')];
  return [
    checkFields(signed, all),
    checked(
      'canonical_text',
      isTextOf(text, { ...all, prev: signed['prev'] ?? null }),
      'Its signed text is the canonical JSON of its fields.',
      'Its signed text is not the canonical JSON of its fields.',
    ),
  ];
}

function checkSigners(item: SignedKeyEvent, avatar: string, curves: Curves): Step[] {
  const { secp256k1 } = curves;
  const { cosignature, cosigner, signature, signature_payload: text, signer, successor_signature: own } = item;
  const origin = item.action === 'key.add' ? item.fields.origin : undefined;
  const problemOf = (name: string, given: string, problem: string) => {
    if (isAppKey(name)) return problemOfAppSignature(text, { key: name, signature: given, origin }, curves);
    const key = signerOf(text, given, secp256k1);
    return key !== null && isKeyNamed(name, key, avatar, secp256k1) ? null : problem;
  };
  const notBy = `Its signature was not made by ${nameFor(signer)} over its signed text.`;
  const problem = problemOf(signer, signature, notBy);
  const good = `Its signature was made by ${nameFor(signer)} over its signed text.`;
  const steps = [checked('signature', problem === null, good, problem ?? '')];
  if (cosigner !== null && cosignature !== null) {
    const cosigned = problemOf(cosigner, cosignature, 'Its cosigner did not sign this text.');
    steps.push(checked('cosignature', cosigned === null, 'Its cosigner signed the same text.', cosigned ?? ''));
  }
  if (item.action === 'key.succeed') {
    const isGood = signerOf(text, own, secp256k1) === item.fields.successor;
    steps.push(
      checked(
        'successor_signature',
        isGood,
        'The successor signed the same text.',
        'The successor did not sign this text.',
      ),
    );
  }
  return steps;
}

function nameFor(signer: string): string {
  if (signer === MAIN_KEY) return 'the Avatar';
  return `the ${isAppKey(signer) ? 'key of an app' : 'recovery key'} ${show(signer)}`;
}

function checkTime(item: SignedKeyEvent, previous: KeptKeyChain['previous']): Step {
  const back = previous && (['recorded_at', 'links', 'patches'] as const).find((name) => item[name] < previous[name]);
  return checked(
    'time',
    !back,
    'Neither its time nor its counts go back.',
    `Its ${back} is ${show(item[back as 'links'])}, less than that of the key event before it.`,
  );
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
