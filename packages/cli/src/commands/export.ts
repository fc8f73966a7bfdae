import { readFile } from 'node:fs/promises';
import { verifyExport } from '@signet/verify';
import { UsageError } from '../exit.js';
import { readAll } from '../io.js';
import { timeText } from '../printer.js';
import { defineCommand, type Session } from '../session.js';
import { demand, showSteps } from '../steps.js';
import { stateOf } from './proofs.js';

export const exportFile = defineCommand({
  usage: 'export [avatar]',
  summary: 'write all that is known of an Avatar (you, unless you name one) as one JSON file',
  details:
    'The file holds the chain, the patches, and what the server saw as evidence. Anybody can check it offline with\n' +
    'signet verify. It is checked before it is written.',
  examples: [
    ['signet export > me.json', 'your own'],
    [
      'signet export 0x0238e176a158d5c40f36f6b49e8ba9332fb6dca03a34f03373cfaa398f710ddf5d | signet verify -',
      'checked at once',
    ],
  ],
  async run(session, [named]) {
    const avatar = await session.keys.avatarOr(named);
    const file = await session.client('none').export(avatar, { signal: session.signal });
    session.printer.raw(session.printer.isJson ? JSON.stringify(file) : JSON.stringify(file, null, 2));
  },
});

export const verifyFile = defineCommand({
  usage: 'verify <file>',
  summary: 'check a file of signet export, offline',
  details:
    'Asks nobody. Whether a post is still there, and whether the newest links were left out, no file can show.\n' +
    'Exits with 1 if something fails. A hyphen reads standard input.',
  examples: [
    ['signet verify me.json', 'shows what is bound, and what was checked'],
    ['signet verify me.json --json', 'the same as one JSON object'],
  ],
  async run(session, [name]) {
    const { printer } = session;
    const result = verifyExport(await textOf(session, name!));
    const { file, chain, patches, bindings, ok, complete, steps } = result;
    const isKnown = file !== null;
    printer.json({
      ...{ ok, complete, avatar: file?.avatar ?? null, exported_at: file?.exported_at ?? null },
      ...{ links: chain.links.length, patches: patches.patches.length, steps },
      bindings: bindings.map(({ binding, ok: isGood }) => ({ ...binding, ok: isGood })),
      entries: patches.entries,
    });
    if (isKnown && !printer.isJson) {
      const { avatar, server, exported_at } = file;
      const counts = { links: chain.links.length, patches: patches.patches.length };
      printer.fields({ avatar, server, 'exported at': timeText(exported_at), ...counts });
      printer.line();
      if (bindings.length > 0) {
        printer.table(bindings, [
          { title: 'HERE', text: (one) => (one.ok ? 'ok' : 'BAD'), style: (one) => (one.ok ? 'green' : 'red') },
          { title: 'PLATFORM', text: ({ binding }) => binding.platform },
          { title: 'IDENTITY', text: ({ binding }) => binding.identity },
          { title: 'THE SERVER SAID', text: ({ binding }) => stateOf(binding) },
        ]);
        printer.line();
      }
    }
    showSteps(printer, steps);
    demand(result, 'The file');
  },
});

async function textOf({ io }: Session, name: string): Promise<string> {
  if (name === '-') return readAll(io);
  return readFile(name, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${name} cannot be read (${error.code}).`);
  });
}
