import { ReceiptBrokenError } from '@signet/sdk';
import type { Receipt } from '@signet/verify/log';
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
    'and the checkpoint, which prove it, are printed.',
  examples: [['signet log receipts --server https://signet.example', 'a day after you wrote, or from cron']],
  options: (command) => trustOptions(command, 'the one that was known when the receipt came'),
  async run(session, _words, flags) {
    const { printer, signal } = session;
    const trust = { logKey: flags.logKey, policy: await policyText(flags, printer) };
    try {
      const { fulfilled, waiting } = await session.client('signatures', undefined, trust).checkReceipts({ signal });
      for (const receipt of fulfilled) show(session, 'logged', receipt);
      for (const receipt of waiting) show(session, 'waiting', receipt);
      if (fulfilled.length + waiting.length === 0) printer.note('No receipt is kept of this server.');
    } catch (error) {
      if (error instanceof ReceiptBrokenError) {
        const { message, receipt, checkpoint, found } = error;
        printer.json({ state: 'broken', message, receipt, checkpoint, found });
        printer.line(`${printer.styled('BROKEN', 'red')}\n\n${receipt}\n${checkpoint ?? ''}`);
        throw new RefusedError(message, error.code);
      }
      throw error;
    }
  },
});

function show({ printer }: Session, state: 'logged' | 'waiting', receipt: Receipt): void {
  const { kind, uuid, deadline } = receipt;
  printer.json({ state, ...receipt });
  const until = state === 'waiting' ? `, promised until ${timeText(deadline)}` : '';
  printer.line(`${state.padEnd(7)}  ${kind === 'link' ? 'link' : 'patch'} ${printable(uuid)}${until}`);
}
