import path from 'node:path';
import { SignetError } from '@signet/sdk';
import { LogChecker, LogReader, Transport } from '@signet/sdk/log';
import type { SignedLink, SignedPatch } from '@signet/verify';
import { encodeHex, type Policy, readLogProof, verifyLogProof } from '@signet/verify/log';
import { UsageError } from '../exit.js';
import { readAll, textOf } from '../terminal/io.js';
import { configFolder } from '../keys/key-store.js';
import { type Printer, steersTerminal, timeText } from '../terminal/printer.js';
import { defineCommand } from '../session.js';
import { FileHeadStore } from '../state-file.js';
import { followLog, loggedOption, type LoggedFlags } from './monitor.js';
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
  run: (session, [url], flags) => followLog(session, url, { ...flags, once: true }),
});
