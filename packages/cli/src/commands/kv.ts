import type { Resting } from '@signet/sdk';
import { type SignedPatch, verifyPatchChain } from '@signet/verify';
import { patchSignersOf } from '@signet/verify/key-events';
import { RefusedError, UsageError } from '../exit.js';
import { appKeyOfFile, appKeyOfVariable } from '../keys/app-key-file.js';
import { readAll, textOf } from '../terminal/io.js';
import { notFound, showComplete } from '../terminal/complete.js';
import { type Column, timeText } from '../terminal/printer.js';
import { defineCommand, type Session } from '../session.js';
import { demandAnswer, showSteps } from '../terminal/steps.js';
import { type CompleteFlags, completeOption } from '../trust.js';
import { verdictColumn } from './chain.js';

export const kvGet = defineCommand<CompleteFlags & { platform?: string; identity?: string }>({
  usage: 'kv get [avatar]',
  summary: 'the content of an Avatar (yours, unless you name one)',
  details:
    'What is shown is what the signed patches of the Avatar add up to: that was checked here. With --complete it is also ' +
    'proved that no newer patch is left out. Exits with 1 where there is no such content, and with 4 where the answer ' +
    'does not verify.',
  examples: [
    ['signet kv get', 'all of your own'],
    ['signet kv get --platform github --identity alice-demo --json', 'one entry, for programs'],
  ],
  options: (command) =>
    completeOption(command)
      .option('-p, --platform <platform>', 'of this platform only')
      .option('-i, --identity <identity>', 'of this identity only, in its canonical spelling'),
  async run(session, [named], { platform, identity, ...flags }) {
    const avatar = await session.keys.avatarOr(named);
    const { printer, signal } = session;
    let resting: Resting | null = null;
    const onResting = (found: Resting) => void (resting = found);
    const answer = await (await session.lookUpClient(flags)).kv.get(avatar, { signal, onResting });
    const entries = (answer?.proofs ?? []).filter(
      (entry) => (platform ?? entry.platform) === entry.platform && (identity ?? entry.identity) === entry.identity,
    );
    if (entries.length === 0) throw notFound(`The Avatar ${avatar} has no such content here.`, resting);
    showEntries(session, entries);
    for (const { platform: of, identity: name } of entries.filter(({ incomplete }) => incomplete)) {
      printer.note(
        `Incomplete: a signed change of ${of} ${JSON.stringify(name)} was erased, so its content may lack members.`,
      );
    }
    showComplete(printer, resting);
  },
});

function showEntries(
  { printer }: Session,
  entries: { platform: string; identity: string; content: object; is_bound: boolean }[],
): void {
  printer.table(entries, [
    { title: 'PLATFORM', text: ({ platform }) => platform },
    { title: 'IDENTITY', text: ({ identity }) => identity },
    { title: 'BOUND', text: ({ is_bound }) => (is_bound ? 'yes' : 'no') },
    { title: 'CONTENT', text: ({ content }) => JSON.stringify(content) },
  ]);
}

export const kvPatch = defineCommand<{ file?: string; signer?: string }>({
  usage: 'kv patch <platform> <identity> [patch]',
  summary: 'change your content by a JSON merge patch (RFC 7396), which your key signs',
  details:
    'The patch is an argument, a file, or standard input. A null deletes a member; a list is replaced as a whole. ' +
    'The text that is signed is compared with the patch before it is signed. With --signer, or SIGNET_APP_KEY, a key of ' +
    'an app signs for the Avatar that has added it: see signet keys add.',
  examples: [
    [`signet kv patch github alice-demo '{"name":"Alice","old":null}'`, 'set one member, delete another'],
    ['signet kv patch github alice-demo --file profile.json', 'from a file'],
    ["jq -n '{at: now}' | signet kv patch self 0x0238e1…", 'from another program, for the key itself'],
    [`signet kv patch github alice-demo '{"visits":3}' --signer bot.json`, 'by a key of an app'],
  ],
  options: (command) =>
    command
      .option('-f, --file <file>', 'read the patch from this file')
      .option('--signer <file>', 'a key of an app signs, in place of your own key'),
  async run(session, [platform, identity, written], { file, signer: appKey }) {
    const patch = parsePatch(await patchText(session, written, file));
    const app = appKey === undefined ? appKeyOfVariable(session) : await appKeyOfFile(appKey);
    const signer = app ?? (await session.keys.signer());
    const request = { platform: platform!, identity: identity!, patch, signer, signal: session.signal };
    const { proofs } = await session.client().kv.patch(request);
    showEntries(session, proofs);
  },
});

async function patchText({ io, prompter }: Session, written: string | undefined, file: string | undefined) {
  if (written !== undefined && file !== undefined) throw new UsageError('Give the patch, or --file, and not both.');
  if (written !== undefined) return written;
  if (file === undefined) {
    if (prompter.isPossible) throw new UsageError('Give a patch, such as \'{"name":"Alice"}\', or --file.');
    return readAll(io);
  }
  return textOf(file);
}

function parsePatch(text: string): object {
  let patch: unknown;
  try {
    patch = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`The patch is not JSON: ${(error as Error).message}`);
  }
  if (typeof patch === 'object' && patch !== null && !Array.isArray(patch)) return patch;
  throw new UsageError('The patch is not a JSON object.');
}

const SIGNER: Column<SignedPatch> = { title: 'SIGNED BY', text: ({ signer }) => signer ?? 'the Avatar' };

export const kvChain = defineCommand<{ verify?: boolean }>({
  usage: 'kv chain [avatar]',
  summary: 'the signed patches of an Avatar (yours, unless you name one), oldest first',
  details:
    'With --verify, every patch is checked here, those of keys of apps by the key events of the Avatar. Exits with 1 if there are no patches, and with 4 if something fails.',
  examples: [['signet kv chain --verify', 'check your own patches']],
  options: (command) => command.option('--verify', 'check every patch'),
  async run(session, [named], { verify }) {
    const { printer, signal } = session;
    const avatar = await session.keys.avatarOr(named);
    const client = session.client({ trustServer: true });
    const patches = (await client.kv.chain(avatar, { signal }).toArray()) as SignedPatch[];
    if (patches.length === 0) throw new RefusedError(`The Avatar ${avatar} has no patches here.`, 'not_found');
    const columns: Column<SignedPatch>[] = [
      { title: 'TIME', text: ({ created_at }) => timeText(created_at) },
      { title: 'PLATFORM', text: ({ platform }) => platform },
      { title: 'IDENTITY', text: ({ identity, erased }) => (erased ? `(erased: ${erased.reason})` : identity) },
      ...(patches.some(({ signer }) => signer !== undefined) ? [SIGNER] : []),
      { title: 'PATCH', text: ({ patch }) => JSON.stringify(patch) },
    ];
    if (!verify) {
      printer.table(patches, columns);
      return;
    }
    const events = await client.keys.chain(avatar, { signal }).toArray();
    const result = verifyPatchChain(patches, { avatar, signers: patchSignersOf(events, { avatar }) });
    if (printer.isJson) {
      for (const [index, patch] of patches.entries()) printer.json({ ...patch, verification: result.patches[index] });
    } else {
      printer.table(patches, [
        verdictColumn(new Map(patches.map((patch, at) => [patch, result.patches[at]!]))),
        ...columns,
      ]);
      printer.line();
      showSteps(printer, result.steps);
    }
    demandAnswer(result, 'The chain of patches');
  },
});
