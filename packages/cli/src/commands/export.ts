import type { UnreadStatements } from '@signet/sdk';
import { type CheckedBinding, type ExportedBinding, type ExportFile, type Step, verifyExport } from '@signet/verify';
import { keyRecords, stepsOfHolds } from '@signet/verify/internal/key-events';
import { patchSignersOf } from '@signet/verify/key-events';
import { verifyExportLog } from '@signet/verify/log';
import { verifyExportSeen } from '@signet/verify/seen';
import { readAll, textOf } from '../terminal/io.js';
import { jsonFile, timeText } from '../terminal/printer.js';
import { defineCommand } from '../session.js';
import {
  isSameBinding,
  openSteps,
  platformProofs,
  type ProvedBinding,
  restingInFile,
} from '../terminal/platform-proofs.js';
import { restingColumn } from '../terminal/resting.js';
import { demand, showSteps } from '../terminal/steps.js';
import {
  givenPolicy,
  type ObserverFlags,
  observersIn,
  observersOption,
  observersText,
  type RootKeyFlags,
  rootKeyOption,
  type TrustFlags,
  trustOptions,
} from '../trust.js';
import { stateOf } from './proofs.js';

export const exportFile = defineCommand<ObserverFlags>({
  usage: 'export [avatar]',
  summary: 'write all that is known of an Avatar (you, unless you name one) as one JSON file',
  details:
    'The file holds the chain, the patches, what the server saw as evidence, and the proofs that all of it is in the ' +
    'log of the server, and what other servers saw of the posts: those whose statements the server shows, and those that ' +
    'you name. Anybody can check it offline with signet verify. It is checked before it is written.',
  examples: [
    ['signet export > me.json', 'your own'],
    ['signet export | signet verify -', 'checked at once'],
    ['signet export 0x0238e176a158d5c40f36f6b49e8ba9332fb6dca03a34f03373cfaa398f710ddf5d > bob.json', 'somebody’s'],
  ],
  options: observersOption,
  async run(session, [named], flags) {
    const avatar = await session.keys.avatarOr(named);
    const list = await observersText(flags, session.printer);
    const observers = list === undefined ? undefined : { observers: list };
    const unread: UnreadStatements[] = [];
    const options = { observers, onUnread: (servers: UnreadStatements[]) => unread.push(...servers) };
    const file = await session.client({ trustServer: true }).export(avatar, { signal: session.signal, ...options });
    session.printer.raw(jsonFile(file, session.printer.isJson ? undefined : 2));
    for (const gap of [...gapsOf(file), ...unread.map(gapOfStatements)]) session.printer.note(gap);
  },
});

export const verifyFile = defineCommand<TrustFlags & ObserverFlags & RootKeyFlags>({
  usage: 'verify <file>',
  summary: 'check a file of signet export, offline',
  details:
    'Asks nobody. Whether a post is still there no file can show; what other servers saw when the file was written is ' +
    'checked with a list of observers. The map that the file carries shows that nothing was left out of what the log ' +
    'had at the time of the map. The proofs of the log are checked with the key that you name, or with a policy, which ' +
    'also says whose witnesses have to have signed. What a platform has signed of a post or record (Bluesky, DNS), ' +
    'or of its end (Bluesky), is checked too, without asking it. Exits with 1 if something fails. A hyphen reads standard input. ' +
    'A file may have 64 MiB.',
  examples: [
    ['signet verify me.json', 'shows what is bound, and what was checked'],
    ['signet verify me.json --policy policy.txt', 'signed by the key, in the log, seen by the witnesses'],
    ['signet verify me.json --observers observers.txt', 'and seen by enough of these servers'],
    ['signet verify me.json --json', 'the same as one JSON object'],
  ],
  options: (command) => rootKeyOption(observersOption(trustOptions(command, 'the one that the file names'))),
  async run({ io, printer }, [name], flags) {
    io.endBySystem?.();
    const policy = await givenPolicy(flags, printer);
    const text = name === '-' ? await readAll(io) : await textOf(name!);
    const signersOf = (keys: never[], avatar: string) => patchSignersOf(keys, { avatar });
    const result = verifyExport(text, { signersOf, others: keyRecords() });
    const { file, chain, patches, bindings } = result;
    const list = await observersText(flags, printer);
    const observers = list === undefined ? undefined : observersIn(list);
    const seen = file && (observers || 'seen' in file) ? verifyExportSeen(file, { observers }) : null;
    const log = file ? verifyExportLog(file, { policy, now: Date.now() / 1000 }).steps : [];
    // These say that they are checked elsewhere: here.
    const own = result.steps.filter(({ name: step }) => !['log', 'seen', 'platform_proof'].includes(step));
    const proofs = file ? await platformProofs(file, flags) : [];
    const areSound = [...own, ...log].every(({ state }) => state !== 'failed');
    const held = file && areSound ? stepsOfHolds(file) : [];
    const steps = [...own, ...log, ...held, ...(seen?.steps ?? []), ...proofs.flatMap(openSteps)];
    const ok = steps.every(({ state }) => state !== 'failed');
    const complete = steps.every(({ state }) => state === 'ok');
    const isKnown = file !== null;
    printer.json({
      ok,
      complete,
      avatar: file?.avatar ?? null,
      exported_at: file?.exported_at ?? null,
      links: chain.links.length,
      patches: patches.patches.length,
      steps,
      bindings: bindings.map(({ binding, ok: isGood, complete: isWhole }) => ({
        ...binding,
        ok: isGood,
        complete: isWhole,
        resting: restingInFile(chain, binding, proofs),
        seen: seen?.bindings.find((one) => isSameBinding(one.binding, binding))?.verdict ?? null,
        proof: stepsOf(proofs, binding, 'post'),
        gone_proof: stepsOf(proofs, binding, 'end'),
      })),
      entries: patches.entries,
    });
    if (isKnown && !printer.isJson) {
      const { avatar, server, exported_at } = file;
      const counts = { links: chain.links.length, patches: patches.patches.length };
      printer.fields({ avatar, server, 'exported at': timeText(exported_at), ...counts });
      printer.line();
      if (bindings.length > 0) {
        printer.table(bindings, [
          { title: 'HERE', text: verdictOn, style: (one) => (one.ok ? 'green' : 'red') },
          { title: 'PLATFORM', text: ({ binding }) => binding.platform },
          { title: 'IDENTITY', text: ({ binding }) => binding.identity },
          restingColumn(({ binding }) => restingInFile(chain, binding, proofs)),
          { title: 'THE SERVER SAID', text: ({ binding }) => stateOf(binding) },
        ]);
        printer.line();
      }
    }
    showSteps(printer, steps);
    demand({ ok, steps }, 'The file');
  },
});

/** The checks of what the platform has signed of a binding, or of its end; null where there is nothing. */
function stepsOf(proofs: ProvedBinding[], binding: ExportedBinding, what: ProvedBinding['of']): Step[] | null {
  return proofs.find((one) => one.of === what && isSameBinding(one.binding, binding))?.steps ?? null;
}

/** `?` where the link of the binding, or its evidence, cannot be checked with the file alone. */
function verdictOn({ ok, complete }: CheckedBinding): string {
  if (!ok) return 'BAD';
  return complete ? 'ok' : '?';
}

/** What a reader of the file may miss of the statements of one server. */
function gapOfStatements({ operator, reason }: UnreadStatements): string {
  const server = operator === null ? 'The server' : `The observer ${operator}`;
  const why = reason === 'too_many' ? 'shows more statements than are read' : 'could not be asked what it saw of posts';
  return `${server} ${why}: the file may lack statements of it.`;
}

/** What a reader of the file would miss. */
function gapsOf(file: ExportFile): string[] {
  const { log, links, patches, server } = file;
  if (!log) return [`The file carries no proofs of a log: ${server} keeps none.`];
  const gaps: string[] = [];
  const missing = [...links, ...patches].filter(({ uuid }) => !(uuid in log.proofs)).length;
  if (missing > 0) {
    const what = `the proofs of the log of ${missing} links and patches, which are not in the log yet`;
    gaps.push(`The file lacks ${what}. Try later.`);
  }
  const complete = verifyExportLog(file).steps.find(({ name }) => name === 'complete')!;
  if (complete.state !== 'ok') gaps.push(`Nothing shows that the file is complete. ${complete.detail}`);
  return gaps;
}
