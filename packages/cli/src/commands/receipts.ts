import { wordOf } from '@signet/verify/internal/log';
import { ENTRY_KINDS, type Receipt } from '@signet/verify/log';
import { RefusedError } from '../exit.js';
import { printable, timeText } from '../terminal/printer.js';
import { defineCommand, type Session } from '../session.js';
import { policyText, type TrustFlags, trustOptions } from '../trust.js';

export const logReceipts = defineCommand<TrustFlags>({
  usage: 'log receipts',
  summary: 'check the receipts of what you wrote: what the log promised has to be in it',
  details:
    'bind, unbind and kv patch keep the receipt that the server signs in ~/.config/signet/log-receipts.json. Those ' +
    'whose records are in the log, exactly so, are removed from there. Exits with 1 if a promise is broken: the receipt ' +
    'and the checkpoint, which prove it, are printed. A server that denies its log for a day breaks what it promised; ' +
    'until then such a receipt is unknown.',
  examples: [['signet log receipts --server https://signet.example', 'a day after you wrote, or from cron']],
  options: (command) => trustOptions(command, 'the one that was known when the receipt came'),
  async run(session, _words, flags) {
    const { printer, signal } = session;
    const trust = { logKey: flags.logKey, policy: await policyText(flags, printer) };
    const client = session.client({ log: trust });
    const { fulfilled, waiting, broken, unanswered } = await client.checkReceipts({ signal });
    for (const receipt of fulfilled) show(session, 'logged', receipt);
    for (const receipt of waiting) show(session, 'waiting', receipt);
    for (const { receipt, error } of unanswered) show(session, 'unknown', receipt, error.message);
    for (const { message, receipt, checkpoint, found } of broken) {
      printer.json({ state: 'broken', message, receipt, checkpoint, found });
      printer.line(`${printer.styled('BROKEN', 'red')}  ${printable(message)}\n\n${receipt}\n${checkpoint ?? ''}`);
    }
    if (broken.length > 0) throw new RefusedError(broken[0]!.message, broken[0]!.code);
    if (unanswered.length > 0) throw unanswered[0]!.error;
    if (fulfilled.length + waiting.length === 0) printer.note('No receipt is kept of this server.');
  },
});

/** @param why nothing is known of it */
function show({ printer }: Session, state: 'logged' | 'waiting' | 'unknown', receipt: Receipt, why?: string): void {
  const { kind, uuid, deadline } = receipt;
  printer.json({ state, ...receipt, ...(why !== undefined && { message: why }) });
  const until = state === 'logged' ? '' : `, promised until ${timeText(deadline)}`;
  printer.line(`${state.padEnd(7)}  ${wordNamed(kind)} ${printable(uuid)}${until}`);
}

function wordNamed(name: string): string {
  const kind = ENTRY_KINDS.find((one) => one.name === name);
  return kind ? wordOf(kind) : name;
}
