/** `signet watch`: the alarm of an owner, for cron. */
import path from 'node:path';
import { LogChecker, Transport } from '@signet/sdk/log';
import type { KeyEvent } from '@signet/sdk';
import type { KeyState } from '@signet/verify/key-events';
import type { AvatarState } from '@signet/verify/log';
import { RefusedError } from '../exit.js';
import { configFolder } from '../keys/key-store.js';
import { FileHeadStore, readState, StateKeeper } from '../state-file.js';
import { defineCommand, type Session } from '../session.js';
import { policyText, type TrustFlags, trustOptions } from '../trust.js';
import { alarmsOf, nameInWords } from '../terminal/keys-shown.js';
import { printable, timeText } from '../terminal/printer.js';

/** What the map counted at the last look. */
interface Counts {
  links: number;
  patches: number;
  keys: number;
  /** Who has come after the Avatar, as far as that was said. */
  successor?: string | undefined;
}

/** By base URL and Avatar. */
type Kept = { [place: string]: Counts };

export const watch = defineCommand<TrustFlags & { state?: string }>({
  usage: 'watch [avatar]',
  summary: 'has anything been signed by a key, or is something pending? For cron',
  details:
    'Asks the map over the log, whose answer is proved, how many links, patches and key events the Avatar has, and reads ' +
    'its key events where there are some, which have to be as many. Prints nothing and exits with 0 where nothing is new ' +
    'since the last run and nothing is pending or frozen; otherwise with 1 and what it is. Exits with 3 where the server ' +
    'is not reached, with 4 where what it says does not verify. The first run remembers what there is.',
  examples: [
    ['signet watch --server https://signet.example', 'once an hour; cron mails what is printed'],
    ['signet watch 0x02b3… --policy policy.txt --json', 'with the witnesses of a policy, for programs'],
  ],
  options: (command) =>
    trustOptions(command).option('--state <file>', 'what was seen (default: ~/.config/signet/watched.json)'),
  async run(session, [named], flags) {
    const avatar = await session.keys.avatarOr(named);
    const file = flags.state ?? path.join(configFolder(session.io), 'watched.json');
    const read = async () => (await readState<Kept>(file, isCounts)) ?? {};
    const place = `${session.baseUrl} ${avatar}`;
    const before = (await read())[place];
    const counts = await countsOf(session, avatar, flags);
    const news = newsOf(before, counts);
    const { alarms, successor } = counts.keys > 0 ? await lookAtKeys(session, avatar, flags, before) : NO_ALARMS;
    // Another run may have kept what it saw of another Avatar meanwhile.
    await new StateKeeper(file).keep({ ...(await read()), [place]: { ...counts, successor } });
    session.printer.json({ avatar, ...counts, is_first: before === undefined, news, alarms });
    const said = [...alarms, ...news];
    for (const line of said) session.printer.line(line);
    if (said.length > 0) throw new RefusedError(`Look at ${avatar}: signet keys show ${avatar}`, 'something_new');
  },
});

function isCounts(value: unknown): boolean {
  return (['links', 'patches', 'keys'] as const).every((name) => typeof (value as Counts | null)?.[name] === 'number');
}

/** What the map has of the Avatar. @throws as `LogChecker.map` */
async function countsOf(session: Session, avatar: string, flags: TrustFlags): Promise<Counts> {
  const heads = new FileHeadStore(path.join(configFolder(session.io), 'log-heads.json'));
  const policy = await policyText(flags, session.printer);
  const checker = new LogChecker(new Transport(session.transportOptions()), { heads, policy, logKey: flags.logKey });
  const state = (await checker.map({ avatar }, session.signal)).value as AvatarState | null;
  return { links: state?.links ?? 0, patches: state?.patches ?? 0, keys: state?.['keys'] ?? 0 };
}

const WORDS = {
  links: ['link', 'links'],
  patches: ['patch', 'patches'],
  keys: ['key event', 'key events'],
} as const;

/** What there is more of, and what is gone: a server that was set back, and began a new log, has lost it. */
function newsOf(before: Counts | undefined, now: Counts): string[] {
  if (!before) return [];
  return (['links', 'patches', 'keys'] as const).flatMap((name) => {
    const more = now[name] - before[name];
    const word = WORDS[name][Math.abs(more) === 1 ? 0 : 1];
    if (more < 0) return [`${-more} ${word} fewer than at the last look: the server has lost what was signed.`];
    // Those of keys are told by what they are.
    if (more === 0 || name === 'keys') return [];
    return [`${more} new ${word}: if it was not you, somebody else has your key.`];
  });
}

const NO_ALARMS: { alarms: string[]; successor?: string } = { alarms: [] };

/** What is pending, and what was said since; that an Avatar was succeeded is said once, also where time did it. */
async function lookAtKeys(
  session: Session,
  avatar: string,
  flags: TrustFlags,
  before: Counts | undefined,
): Promise<typeof NO_ALARMS> {
  const client = await session.lookUpClient({ ...flags, complete: true });
  const { state, events } = await client.keys.state(avatar, { signal: session.signal });
  const later = events.slice(before?.keys ?? events.length).map((event) => newsOfEvent(event, state));
  const { succession } = state;
  if (!succession) return { alarms: [...later, ...alarmsOf(state)] };
  const { successor, at } = succession;
  const moved = `SUCCEEDED: ${printable(successor)} has come after this Avatar, for good, since ${timeText(at)}.`;
  return { alarms: before?.successor === successor ? later : [...later, moved], successor };
}

function newsOfEvent({ action, signer, fields }: KeyEvent, state: KeyState): string {
  const key = 'key' in fields ? `: ${printable(fields.key)}` : '';
  return `NEW: ${printable(action)} by ${nameInWords(signer, state)}${key}.`;
}
