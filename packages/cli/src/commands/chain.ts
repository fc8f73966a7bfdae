import type { ChainLink } from '@signet/sdk';
import { type CheckedLink, type SignedLink, verifyChain } from '@signet/verify';
import { notFound, showComplete } from '../terminal/complete.js';
import { type Column, timeText } from '../terminal/printer.js';
import { defineCommand } from '../session.js';
import { restingColumn, restingOfLink } from '../terminal/resting.js';
import { demandAnswer, showSteps } from '../terminal/steps.js';
import { type CompleteFlags, completeOption } from '../trust.js';

const COLUMNS: Column<ChainLink>[] = [
  { title: 'TIME', text: ({ created_at }) => timeText(created_at) },
  { title: 'ACTION', text: ({ action }) => action },
  { title: 'PLATFORM', text: ({ platform }) => platform },
  { title: 'IDENTITY', text: ({ identity, erased }) => (erased ? `(erased: ${erased.reason})` : identity) },
  { title: 'LOCATION', text: ({ proof_location }) => proof_location },
  { title: 'UUID', text: ({ uuid }) => uuid },
];

/** A column for what came of checks; items and results are in one order. */
export function verdictColumn<Row>(results: Map<Row, { ok: boolean }>): Column<Row> {
  const isGood = (row: Row) => results.get(row)?.ok === true;
  return {
    title: 'HERE',
    text: (row) => (isGood(row) ? 'ok' : 'BAD'),
    style: (row) => (isGood(row) ? 'green' : 'red'),
  };
}

export const chain = defineCommand<CompleteFlags & { verify?: boolean }>({
  usage: 'chain [avatar]',
  summary: 'the signed links of an Avatar (yours, unless you name one), oldest first',
  details:
    'With --verify, every link is checked here: signature, text, wallet, place in the chain. What only a platform or a ' +
    'blockchain could show is said (RESTS ON the server), and is not a failure; newest links that the server leaves out ' +
    'are noticed with --complete, which includes --verify. Exits with 1 if there are no links, and with 4 if something fails.',
  examples: [
    ['signet chain --verify', 'check your own chain'],
    ['signet chain --complete', 'and that no newer link is left out'],
    [
      'signet chain 0x0238e176a158d5c40f36f6b49e8ba9332fb6dca03a34f03373cfaa398f710ddf5d --json',
      'somebody’s, for programs',
    ],
  ],
  options: (command) => completeOption(command.option('--verify', 'check every link')),
  async run(session, [named], { verify, ...flags }) {
    const { printer, signal } = session;
    const avatar = await session.keys.avatarOr(named);
    // The chain is shown also where it does not verify: the reader wants to see why.
    const client = flags.complete ? await session.lookUpClient(flags) : session.client({ trustServer: true });
    const list = client.chain(avatar, { signal });
    const links = await list.toArray();
    if (links.length === 0) {
      const word = list.resting?.map ? 'There are no links' : 'The server shows no links';
      throw notFound(`${word} of the Avatar ${avatar}.`, list.resting);
    }
    if (!verify && !flags.complete) {
      printer.table(links, COLUMNS);
      return;
    }
    const result = verifyChain(links as SignedLink[], { avatar });
    if (printer.isJson) for (const checked of result.links) printer.json(withVerdict(checked));
    else {
      const verdicts = new Map(links.map((link, index) => [link, result.links[index]!]));
      const resting = restingColumn((link: ChainLink) => restingOfLink(verdicts.get(link)!));
      printer.table(links, [verdictColumn(verdicts), resting, ...COLUMNS]);
      printer.line();
      showSteps(printer, result.steps);
      if (result.ok) printer.line(`Bindings that follow from these links: ${result.bindings.length}.`);
    }
    showComplete(printer, list.resting);
    demandAnswer(result, 'The chain');
  },
});

function withVerdict(checked: CheckedLink): object {
  const { link, ok, complete, steps } = checked;
  const resting = restingOfLink(checked);
  return { ...link, ...(resting && { resting }), verification: { ok, complete, steps } };
}
