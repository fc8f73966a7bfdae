/** `signet monitor`, and what `signet log audit` has of it: following a log. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { LogMonitor, type MonitorEvent, type MonitorState } from '@signet/sdk/log';
import { EXIT, exitCodeOf, RefusedError, UsageError } from '../exit.js';
import { listed, positiveNumber, waitSeconds } from '../options.js';
import { printable, printableText } from '../terminal/printer.js';
import { ProgressLine } from '../terminal/prompter.js';
import { checkedUrl, defineCommand, type Session } from '../session.js';
import { readState, StateKeeper } from '../state-file.js';
import { type AgeFlags, ageOption, policyText, type TrustFlags, trustOptions } from '../trust.js';

/** Between two looks, seconds. */
const INTERVAL_SECONDS = 5;

interface MonitorFlags extends TrustFlags, AgeFlags, LoggedFlags {
  avatar?: string[];
  identity?: string[];
  state?: string;
  webhook?: string;
  interval?: number;
  once?: boolean;
}

export interface LoggedFlags {
  loggedSeconds?: number;
}

/** Adds `--logged-seconds`. */
export function loggedOption(command: Command): Command {
  return command.option(
    '--logged-seconds <seconds>',
    'for how long a link or patch that the server shows may be missing from the log (default: 3600)',
    positiveNumber,
  );
}

export const monitor = defineCommand<MonitorFlags>({
  usage: 'monitor [url]',
  summary: 'follow a log: check all of it, tell what is new of those that you watch, and what is wrong',
  details:
    'Goes on until Ctrl-C, through breaks and restarts of the server, or until the log shows two histories, which ends it ' +
    'with 1. Whenever it has caught up, and ' +
    'now and then on the way through a long log, it keeps its place in the file of --state, and goes on there. With ' +
    '--once it ends when it has caught up: for cron. Once a minute it reads what the witnesses of --policy signed ' +
    'last, at their URLs there, and compares it with what the log shows to you. A line that begins with "server" names a ' +
    'wallet of which only the server says that it agreed (contract wallets), one that begins with "erased" a text that ' +
    'was erased for legal reasons, with the reason: no alarms, and not posted. With --state each alarm is told ' +
    'once: later runs go on behind it, and the line at the end of each look says how many there were; signet log audit ' +
    'checks all of it again. Ends with 1 if there was an alarm.',
  examples: [
    [
      'signet monitor https://signet.example --identity github:alice-demo --state signet.state',
      'tells of each new link',
    ],
    ['signet monitor --once --json --state signet.state || mail -s "The log is wrong" me@example.org', 'from cron'],
  ],
  options: (command) =>
    loggedOption(ageOption(trustOptions(command), 3600))
      .option('--avatar <key>', 'watch this Avatar; may be given more than once', listed)
      .option('--identity <identity>', 'watch platform:identity, or an identity anywhere; may be repeated', listed)
      .option('--state <file>', 'where to keep the place')
      .option('--webhook <url>', 'also post what is watched, and alarms, as JSON to this address')
      .option('--interval <seconds>', 'between two looks (default: 5)', waitSeconds)
      .option('--once', 'end when all is checked'),
  run: (session, [url], flags) => followLog(session, url, flags),
});

/**
 * Follows a log until it has caught up (`once`), shows two histories, or Ctrl-C is pressed. A server that answered
 * before, and cannot be asked, is asked again.
 * @throws RefusedError (`alarm`) after the last event if there was an alarm
 */
export async function followLog(session: Session, url: string | undefined, flags: MonitorFlags): Promise<void> {
  const { printer, signal } = session;
  // Now, and not with the first alarm.
  const webhook = flags.webhook === undefined ? undefined : checkedUrl(flags.webhook);
  const file = flags.state === undefined ? null : await readState<MonitorState>(flags.state);
  const avatars = await Promise.all((flags.avatar ?? []).map((avatar) => session.keys.avatarOr(avatar)));
  const { interval = INTERVAL_SECONDS } = flags;
  const options = {
    ...session.transportOptions(url ?? session.baseUrl),
    logKey: flags.logKey,
    policy: await policyText(flags, printer),
    witnessSeconds: flags.witnessSeconds,
    loggedSeconds: flags.loggedSeconds,
    avatars,
    identities: flags.identity ?? [],
    once: flags.once,
    signal,
    intervalMs: interval * 1000,
  };
  const place = new Place(session, flags, file);
  const progress = new ProgressLine(session.io);
  let alarms = 0;
  for (let isThere = true; ;) {
    const one = new LogMonitor({ ...options, state: place.state });
    try {
      for await (const event of one.follow()) {
        if (event.type === 'alarm') alarms += 1;
        await tell(session, progress, event, webhook);
        const isStorable = event.type === 'checkpoint' || (event.type === 'progress' && event.canStore);
        if (isStorable) await place.keep(one.state, event.type === 'checkpoint', alarms);
        if (isStorable && !isThere) printer.note('The server answers again.');
        isThere ||= isStorable;
      }
      break;
    } catch (error) {
      progress.clear();
      if (flags.once || !place.isReached || exitCodeOf(error) !== EXIT.unreachable) throw error;
      if (isThere) printer.note(`${(error as Error).message} It is asked again every ${interval} seconds.`);
      isThere = false;
      place.goBack(one.state);
      await pause(interval * 1000, undefined, { signal });
    }
  }
  if (alarms > 0) throw new RefusedError(`Something is wrong with the log: ${counted(alarms)}.`, 'alarm');
}

/** How far the log was read: in memory, and in the file of `--state`. */
class Place {
  /** Whether anything was read of the log. */
  isReached = false;
  private readonly keeper: StateKeeper;
  private isKept = false;
  private problem = '';

  /** @param state where to go on; undefined where the log is read from its beginning */
  constructor(
    private readonly session: Session,
    private readonly flags: MonitorFlags,
    private kept: MonitorState | null,
  ) {
    this.keeper = new StateKeeper(flags.state);
  }

  /** Where a monitor goes on; undefined at the beginning of the log. */
  get state(): MonitorState | undefined {
    return this.kept ?? undefined;
  }

  /**
   * Takes in that the log was read so far. A monitor that goes on, and kept its place before, only tells that the file
   * cannot be written.
   * @param isCaughtUp otherwise the file is written now and then
   * @throws UsageError
   */
  async keep(state: MonitorState, isCaughtUp: boolean, alarms: number): Promise<void> {
    this.isReached = true;
    if (!this.flags.once && state.size !== this.kept?.size) this.kept = structuredClone(state);
    try {
      await (isCaughtUp ? this.keeper.keep(state) : this.keeper.keepSometimes(state));
      this.isKept = true;
      this.problem = '';
    } catch (error) {
      // Alarms that were told say how the run ends.
      const isTold = alarms > 0 || (this.isKept && !this.flags.once);
      if (!isTold || !(error instanceof UsageError)) throw error;
      if (this.problem !== error.message) this.session.printer.note(error.message);
      this.problem = error.message;
    }
  }

  /** The look of `state` was broken off: what it had not finished is done again. */
  goBack({ alarms, missed, waiting }: MonitorState): void {
    if (this.kept) this.kept = { ...this.kept, alarms, ...(missed && { missed }), ...(waiting && { waiting }) };
  }
}

async function tell(
  session: Session,
  progress: ProgressLine,
  event: MonitorEvent,
  webhook: string | undefined,
): Promise<void> {
  const { io, printer } = session;
  if (event.type === 'progress') {
    if (io.stderr.isTTY) progress.show(bar(event.done, event.size));
    return;
  }
  progress.clear();
  printer.json(event);
  printer.line(textFor(session, event));
  const isPosted = event.type === 'alarm' || event.type === 'watched';
  if (isPosted && webhook !== undefined) await post(session, webhook, event);
}

function counted(alarms: number): string {
  return alarms === 1 ? '1 alarm' : `${alarms} alarms`;
}

function bar(done: number, size: number): string {
  const filled = size === 0 ? 20 : Math.floor((20 * done) / size);
  return `[${'#'.repeat(filled)}${'.'.repeat(20 - filled)}] ${done} of ${size} entries`;
}

function textFor({ printer }: Session, event: Exclude<MonitorEvent, { type: 'progress' }>): string {
  if (event.type === 'checkpoint') {
    const { origin, size, root, alarms } = event;
    const what = `${printable(origin)}: ${size} entries, root ${root}`;
    if (alarms === 0) return `${printer.styled('ok    ', 'green')} ${what}`;
    return `${printer.styled('WRONG ', 'red')} ${what}, ${counted(alarms)} since it was read first`;
  }
  if (event.type === 'alarm') {
    const where = event.index === undefined ? '' : ` (entry ${event.index})`;
    const line = `${printer.styled('ALARM', 'red')}  ${event.code}${where}: ${printable(event.message)}`;
    const { remembered, shown } = event;
    if (remembered === undefined || shown === undefined) return line;
    // Both notes together are the evidence, so they stand here as they were signed.
    return `${line}\n\nRemembered:\n${printableText(remembered)}\nShown:\n${printableText(shown)}`;
  }
  if (event.type === 'unknown_kind' || event.type === 'read_again') return `note   ${printable(event.message)}`;
  if (event.type === 'witness') return `note   the witness ${printable(event.witness)}: ${printable(event.message)}`;
  if (event.type === 'erased') {
    return `erased ${printable(event.message)} (entry ${event.index}, of ${event.entry.avatar})`;
  }
  const { platform, identity } = event.record;
  const what = 'action' in event.record ? event.record.action : 'patch';
  const about = platform === undefined ? what : `${what} ${platform} ${identity}`;
  const name = `${printable(about)} of ${event.entry.avatar} (entry ${event.index})`;
  if (event.type === 'watched') return `${printer.styled('new', 'bold')}    ${name}`;
  return `${printer.styled('server', 'yellow')} ${name}: ${printable(event.message)}`;
}

/** Sends an event to the address of `--webhook`; where that does not answer, watching goes on. */
async function post({ io, printer }: Session, url: string, event: MonitorEvent): Promise<void> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(event),
      signal: AbortSignal.any([io.signal, AbortSignal.timeout(10_000)]),
    });
    await answer.body?.cancel();
    if (!answer.ok) printer.note(`The webhook answered ${answer.status}.`);
  } catch {
    io.signal.throwIfAborted();
    printer.note('The webhook could not be reached.');
  }
}
