import path from 'node:path';
import type { Command } from 'commander';
import { SignetError } from '@signet/sdk';
import { LogChecker, LogMonitor, LogReader, type MonitorEvent, type MonitorState, Transport } from '@signet/sdk/log';
import type { SignedLink, SignedPatch } from '@signet/verify';
import { encodeHex, type Policy, readLogProof, verifyLogProof } from '@signet/verify/log';
import { RefusedError, UsageError } from '../exit.js';
import { readAll, textOf } from '../terminal/io.js';
import { configFolder } from '../keys/key-store.js';
import { listed, positiveNumber, waitSeconds } from '../options.js';
import { printable, printableText, type Printer, steersTerminal, timeText } from '../terminal/printer.js';
import { ProgressLine } from '../terminal/prompter.js';
import { checkedUrl, defineCommand, type Session } from '../session.js';
import { FileHeadStore, readState, StateKeeper } from '../state-file.js';
import { demand, showSteps } from '../terminal/steps.js';
import { type AgeFlags, ageOption, givenPolicy, policyText, type TrustFlags, trustOptions } from '../trust.js';

export const logCheckpoint = defineCommand<TrustFlags & AgeFlags>({
  usage: 'log checkpoint',
  summary: 'the newest signed head of the transparency log, checked, and compared with what was seen before',
  details:
    'Heads are remembered in ~/.config/signet/log-heads.json. A server that shows another history than at an earlier ' +
    'run is refused with both signed heads, which prove it.',
  examples: [['signet log checkpoint --server https://signet.example', 'run it now and then']],
  options: (command) => ageOption(trustOptions(command), 86_400),
  async run(session, _words, flags) {
    const transport = new Transport(session.transportOptions());
    const heads = new FileHeadStore(path.join(configFolder(session.io), 'log-heads.json'));
    const { logKey, witnessSeconds } = flags;
    const checker = new LogChecker(transport, {
      logKey,
      policy: await policyText(flags, session.printer),
      heads,
      witnessSeconds,
    });
    const { origin, size, root, cosignedAt } = await checker.checkpoint(session.signal);
    const cosigned = cosignedAt === null ? {} : { 'signed by enough witnesses': timeText(cosignedAt) };
    session.printer.fields({ origin, size, root: encodeHex(root), ...cosigned });
  },
});

export const logProof = defineCommand({
  usage: 'log proof <uuid>',
  summary: 'the proof that a link or patch is in the log, as a file (C2SP tlog-proof)',
  examples: [['signet log proof 396d94a2-39ad-45dd-8c17-1485757ec251 > link.tlog-proof', 'for signet log verify']],
  async run(session, [uuid]) {
    const { printer, signal } = session;
    const text = await new LogReader(new Transport(session.transportOptions()), signal).proof({ uuid: uuid! });
    if (!readLogProof(text) || steersTerminal(text)) {
      const message = `The answer of ${session.baseUrl} is not a proof of a log.`;
      throw new SignetError(message, { code: 'invalid_answer', status: 200 });
    }
    if (printer.isJson) printer.json({ uuid, proof: text });
    else printer.raw(text.trimEnd());
  },
});

export const logVerify = defineCommand<TrustFlags & { item?: string }>({
  usage: 'log verify <file>',
  summary: 'check a proof file, offline',
  details:
    'Needs --log-key or --policy: whom to believe. With --item, a JSON file with the link or patch, it is also checked ' +
    'that the proof is about it. Exits with 1 if something fails. A hyphen reads standard input.',
  examples: [
    ['signet log verify link.tlog-proof --policy policy.txt --item link.json', 'signed, in the log, seen by witnesses'],
  ],
  options: (command) => trustOptions(command).option('--item <file>', 'the link or patch, as the server answers it'),
  async run({ io, printer }, [name], flags) {
    const policy = await policyOf(flags, printer);
    const item = flags.item === undefined ? {} : itemIn(await textOf(flags.item));
    const text = name === '-' ? await readAll(io) : await textOf(name!);
    const result = verifyLogProof(text, { ...item, policy, now: Date.now() / 1000 });
    const { ok, complete, steps, entry, index, checkpoint } = result;
    printer.json({ ok, complete, index, entry, origin: checkpoint?.origin, size: checkpoint?.size, steps });
    if (ok && entry && !printer.isJson) {
      const { kind, id, uuid, avatar, recorded_at } = entry;
      printer.fields({ kind, id, uuid, avatar, 'recorded at': recorded_at, index });
      printer.line();
    }
    showSteps(printer, steps);
    demand(result, 'The proof');
  },
});

/** The policy that the options name. @throws UsageError where they name no key to trust */
async function policyOf(flags: TrustFlags, printer: Printer): Promise<Policy> {
  const policy = await givenPolicy(flags, printer);
  if (policy) return policy;
  throw new UsageError('Say whom to believe: --log-key with a verifier key, or --policy with a file.');
}

function itemIn(text: string): { link: SignedLink } | { patch: SignedPatch } {
  try {
    const item = JSON.parse(text) as SignedLink | SignedPatch | null;
    if (typeof item === 'object' && item !== null) return 'patch' in item ? { patch: item } : { link: item };
  } catch {
    // Said below.
  }
  throw new UsageError('The item is not a JSON object.');
}

interface MonitorFlags extends TrustFlags, AgeFlags, LoggedFlags {
  avatar?: string[];
  identity?: string[];
  state?: string;
  webhook?: string;
  interval?: number;
  once?: boolean;
}

interface LoggedFlags {
  loggedSeconds?: number;
}

function loggedOption(command: Command): Command {
  return command.option(
    '--logged-seconds <seconds>',
    'for how long a link or patch that the server shows may be missing from the log (default: 3600)',
    positiveNumber,
  );
}

export const logAudit = defineCommand<TrustFlags & AgeFlags & LoggedFlags>({
  usage: 'log audit [url]',
  summary: 'check a whole log once: its tree, the content of every entry, every signature and order',
  details:
    'Exits with 1 if anything does not fit, and says what. It checks the history that the server shows to you: that ' +
    'others are shown the same one, witnesses can say (--policy), or an earlier look of yours (signet monitor). What ' +
    'the witnesses of the policy signed last is read from those that have a URL there, and compared. Wallets of ' +
    'which only the server says that they agreed (contract wallets) have a line that begins with "server". Texts that ' +
    'were erased for legal reasons have one that begins with "erased"; a text that is gone without that is an alarm. The ' +
    'map over the log, by which answers are shown to be complete, is computed from the entries and compared. Where a link ' +
    'is missing, the maps behind it cannot be: the line at the end says so.',
  examples: [['signet log audit https://signet.example', 'from the first entry to the newest']],
  options: (command) => loggedOption(ageOption(trustOptions(command), 3600)),
  run: (session, [url], flags) => watch(session, url, { ...flags, once: true }),
});

export const monitor = defineCommand<MonitorFlags>({
  usage: 'monitor [url]',
  summary: 'follow a log: check all of it, tell what is new of those that you watch, and what is wrong',
  details:
    'Goes on until Ctrl-C, or until the log shows two histories, which ends it with 1. Whenever it has caught up, and ' +
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
  run: (session, [url], flags) => watch(session, url, flags),
});

/** @throws RefusedError (`alarm`) after the last event if there was an alarm */
async function watch(session: Session, url: string | undefined, flags: MonitorFlags): Promise<void> {
  const { io, printer, signal } = session;
  // Now, and not with the first alarm.
  const webhook = flags.webhook === undefined ? undefined : checkedUrl(flags.webhook);
  const state = flags.state === undefined ? null : await readState<MonitorState>(flags.state);
  const avatars = await Promise.all((flags.avatar ?? []).map((avatar) => session.keys.avatarOr(avatar)));
  const one = new LogMonitor({
    ...session.transportOptions(url ?? session.baseUrl),
    logKey: flags.logKey,
    policy: await policyText(flags, printer),
    witnessSeconds: flags.witnessSeconds,
    loggedSeconds: flags.loggedSeconds,
    state: state ?? undefined,
    avatars,
    identities: flags.identity ?? [],
    once: flags.once,
    signal,
    intervalMs: flags.interval === undefined ? undefined : flags.interval * 1000,
  });
  const progress = new ProgressLine(io);
  const kept = new StateKeeper(flags.state);
  let alarms = 0;
  for await (const event of one.follow()) {
    if (event.type === 'progress') {
      if (io.stderr.isTTY) progress.show(bar(event.done, event.size));
      if (event.canStore) await kept.keepSometimes(one.state);
      continue;
    }
    progress.clear();
    printer.json(event);
    printer.line(textFor(session, event));
    if (event.type === 'alarm') alarms += 1;
    if ((event.type === 'alarm' || event.type === 'watched') && webhook !== undefined)
      await post(session, webhook, event);
    if (event.type === 'checkpoint') await kept.keep(one.state);
  }
  progress.clear();
  if (alarms > 0) throw new RefusedError(`Something is wrong with the log: ${counted(alarms)}.`, 'alarm');
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

/** Sends an event to the address of `--post`; where that does not answer, watching goes on. */
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
