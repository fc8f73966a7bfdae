/** The state of the keys of an Avatar in sentences. */
import { type AvatarKeys, type RecordedKeyEvent } from '@signet/sdk';
import { isAppKey, liveAppKeys } from '@signet/verify/internal/key-events';
import { MAIN_KEY, type KeyState } from '@signet/verify/key-events';
import { printable, type Printer, timeText } from './printer.js';
import { type Session, showReceipt } from '../session.js';

/** How people name a key among those that may sign. */
export function nameInWords(name: string, { committed }: KeyState): string {
  if (name === MAIN_KEY) return 'the main key';
  if (isAppKey(name)) return 'the key itself';
  const keys = committed?.recovery ?? [];
  const place = keys.indexOf(name);
  if (place < 0) return `a recovery key of before (${printable(name)})`;
  const rank = place === 0 ? 'the highest recovery key' : `recovery key ${place + 1} of ${keys.length}`;
  return `${rank} (${printable(name)})`;
}

/** Lines for people; one object with `--json`. */
export function showKeys(printer: Printer, { avatar, now, state, events, resting }: AvatarKeys): void {
  const { committed, freeze, succession } = state;
  const pending = { pending_commit: state.pendingCommit, pending_succession: state.pendingSuccession };
  const apps = { app_keys: Object.values(state.appKeys) };
  printer.json({ avatar, now, committed, ...pending, freeze, is_frozen: state.isFrozen, succession, ...apps, resting });
  printer.line(`${avatar}: ${events.length} key ${events.length === 1 ? 'event' : 'events'}.`);
  for (const line of [...sentencesOf(state), ...appKeysIn(state, now)]) printer.line(line);
}

/** The keys of apps that may sign, a line each. */
function appKeysIn(state: KeyState, now: number): string[] {
  const live = state.succession ? [] : liveAppKeys(state, now);
  if (live.length === 0) return [];
  const lines = live.map(({ key, scopes, expires_at: end, origin }) => {
    const where = origin === null ? '' : `, on ${printable(origin)}`;
    return `  ${printable(key)}: ${scopes.map(printable).join(', ')}, until ${timeText(end)}${where}`;
  });
  return ['Keys of apps, which sign content and nothing else; signet keys revoke ends one:', ...lines];
}

/** What holds, a sentence a line. */
export function sentencesOf(state: KeyState): string[] {
  const { committed, succession } = state;
  const said = committed
    ? [
        `Recovery keys, highest first; what one key alone does waits ${committed.delay_hours} hours:`,
        ...committed.recovery.map((name, place) => `  ${place + 1}. ${printable(name)}`),
      ]
    : ['No recovery key is in force: a lost key is lost, and whoever has it is its owner.'];
  if (succession) {
    return [`Succeeded by ${printable(succession.successor)} since ${timeText(succession.at)}, for good.`, ...said];
  }
  return [...alarmsOf(state), ...said];
}

/** What an owner should look at, a sentence a line; empty where nothing is pending and nothing is frozen. */
export function alarmsOf(state: KeyState): string[] {
  const { pendingCommit, pendingSuccession, freeze } = state;
  const lines: string[] = [];
  if (pendingSuccession) {
    const { event, signer, due_at, fields } = pendingSuccession;
    const by = nameInWords(signer, state);
    lines.push(`PENDING: ${printable(fields.successor)} is to come after this Avatar, says ${by}.`);
    lines.push(
      `  Final at ${timeText(due_at)}. A higher key can say no: signet keys veto ${printable(event)} --recovery`,
    );
  }
  if (pendingCommit) {
    const { event, due_at, fields } = pendingCommit;
    lines.push(`PENDING: other recovery keys: ${printable(fields.recovery.join(', '))}.`);
    lines.push(
      `  In force at ${timeText(due_at)}. A higher key can say no: signet keys veto ${printable(event)} --recovery`,
    );
  }
  if (freeze) lines.push(`FROZEN by ${nameInWords(freeze.signer, state)} until ${timeText(freeze.until)}.`);
  return lines;
}

/** What was recorded, with what follows. */
export function showRecorded(session: Session, { event, receipt }: RecordedKeyEvent, sentence: string): void {
  const { printer } = session;
  printer.json({ state: 'recorded', ...event });
  printer.line(`${printer.styled(sentence, 'green')} (${printable(event.uuid)})`);
  showReceipt(session, receipt);
}
