/** What an Avatar says about its keys: `signet keys …` (docs/keys.md). */
import { InvalidArgumentError } from 'commander';
import { fromPrivateKey, type KeyRequest, type Signer } from '@signet/sdk';
import { isRecoveryKey } from '@signet/verify/internal/key-events';
import { KEY_RULES, recoveryNamesOf } from '@signet/verify/key-events';
import { keyOfWords, newWords } from '@signet/verify/words';
import { RefusedError, UsageError } from '../../exit.js';
import { secretSigner, signerOfFile } from '../../keys/recovery-signer.js';
import { positiveInteger } from '../../options.js';
import { showComplete } from '../../terminal/complete.js';
import { timeText } from '../../terminal/printer.js';
import { defineCommand, type Session } from '../../session.js';
import { type CompleteFlags, completeOption } from '../../trust.js';
import { nameInWords, showKeys, showRecorded } from '../../terminal/keys-shown.js';
import type { Command } from 'commander';

/** For `--delay`: refused before new words are shown, which somebody writes down. */
function delayHours(text: string): number {
  const hours = positiveInteger(text);
  const { least, most } = KEY_RULES.delayHours;
  if (hours >= least && hours <= most) return hours;
  throw new InvalidArgumentError(`It has to be from ${least} to ${most}.`);
}

interface ByFlags {
  recovery?: boolean;
}

const BY_RECOVERY =
  'With --recovery a recovery key signs in place of your own: its 12 words, or hex, are asked for, read from standard ' +
  'input, or taken from SIGNET_RECOVERY_KEY; never from an argument.';

function byOption(command: Command): Command {
  return command.option('--recovery', 'a recovery key signs, in place of your own key');
}

/** Who signs for which Avatar. */
async function whoSigns(session: Session, named: string | undefined, { recovery }: ByFlags): Promise<KeyRequest> {
  const { keys, signal } = session;
  if (!recovery)
    return { signer: await keys.signer(), signal, ...(named !== undefined && { avatar: await keys.avatarOr(named) }) };
  // The Avatar first, so that nobody types words in vain.
  const avatar = await keys.avatarOr(named);
  return { avatar, signer: await secretSigner(session, 'Recovery words'), signal };
}

export const keysShow = defineCommand<CompleteFlags>({
  usage: 'keys show [avatar]',
  summary: 'recovery keys of an Avatar, what is pending, and who comes after it',
  details:
    'Computed here from the key events, whose signatures and order are checked; your own Avatar when none is named.',
  examples: [
    ['signet keys show', 'your own'],
    ['signet keys show 0x02b3… --complete', 'refused unless the map proves that no event is left out'],
  ],
  options: completeOption,
  async run(session, [named], flags) {
    const client = await session.lookUpClient(flags);
    const keys = await client.keys.state(await session.keys.avatarOr(named), { signal: session.signal });
    showKeys(session.printer, keys);
    showComplete(session.printer, keys.resting);
  },
});

export const keysCommit = defineCommand<{ delay?: number; both?: boolean }>({
  usage: 'keys commit [names...]',
  summary: 'name recovery keys, highest first: 12 new words when none is named',
  details:
    'A name is key:<hash> or eip155:<address>, as signet keys show prints them; "new" stands for a key of 12 new words, ' +
    'which are shown once and kept nowhere. In force at once before you have bound anything; later after the delay, or ' +
    'at once with --both: then the highest recovery key signs too (asked for, or SIGNET_RECOVERY_KEY). The highest key ' +
    'belongs on paper, away from every device: whoever has it wins in the end. A contract wallet cannot be a recovery ' +
    'key: rehearse with each key that you name.',
  examples: [
    ['signet keys commit', '12 new words, to write down'],
    ['signet keys commit new eip155:0x4264ae876b5b20f38b84a0339ac25803029b5ebf', 'words, and a hardware wallet below'],
    ['signet keys commit new --both', 'other words at once, by the old ones'],
  ],
  options: (command) =>
    command
      .option('--delay <hours>', 'how long what one key alone does is pending, 24 to 168 (default: 72)', delayHours)
      .option('--both', 'the highest recovery key signs too'),
  async run(session, names, { delay: delayHours, both }) {
    const { printer, prompter, signal } = session;
    const signer = await session.keys.signer();
    const cosigner = both ? await secretSigner(session, 'Words of the highest recovery key') : undefined;
    const given = names.filter((name) => name !== undefined);
    if (given.filter((name) => name === 'new').length > 1) throw new UsageError('"new" can be named once.');
    const wrong = given.find((name) => name !== 'new' && !isRecoveryKey(name));
    if (wrong !== undefined) {
      throw new UsageError(
        `${JSON.stringify(wrong)} is no name of a recovery key: key:<64 hex digits>, eip155:<address> in small letters, or new.`,
      );
    }
    const words = given.length === 0 || given.includes('new') ? newWords() : null;
    const made = words === null ? null : fromPrivateKey(await keyOfWords(words));
    const own = made && recoveryNamesOf(made.avatar).hash;
    const recovery = given.length === 0 ? [own!] : given.map((name) => (name === 'new' ? own! : name));
    if (words !== null) {
      showWords(session, words.join(' '), { avatar: signer.avatar, name: own!, address: made!.address });
      if (prompter.isPossible && !printer.isJson) await prompter.ask('Written down? Press Enter.', '');
    }
    const recorded = await session.client().keys.commit({ signer, recovery, delayHours, cosigner, signal });
    const { due_at, recorded_at } = recorded.event;
    const when = due_at === recorded_at ? 'They are in force.' : `They are in force from ${timeText(due_at)} on.`;
    showRecorded(session, recorded, `The recovery keys are named. ${when}`);
    printer.line('Try each once: signet keys rehearse');
  },
});

/** What goes on paper. */
function showWords(
  { printer, baseUrl }: Session,
  words: string,
  { avatar, name, address }: { avatar: string; name: string; address: string },
): void {
  printer.json({ state: 'words', words, avatar, name, address });
  printer.line(`${printer.styled('Write this down, on paper. The words are not shown again.', 'bold')}\n`);
  printer.fields({ words, avatar, name, address, server: baseUrl });
  printer.line(
    '\nThese words are a recovery key of that Avatar. If its key is lost or stolen: make a new key (signet key new), then\n' +
      `signet keys succeed ${avatar}\nKeep the paper away from the device that has the key.\n`,
  );
}

export const keysRehearse = defineCommand({
  usage: 'keys rehearse [avatar]',
  summary: 'try a recovery key: signs, and compares here; nothing is said with it',
  details:
    'Asks for 12 words or hex, which are not shown; or reads standard input, or SIGNET_RECOVERY_KEY. The key is compared ' +
    'on this machine with those that the Avatar names. Exits with 1 where it is none of them.',
  examples: [['signet keys rehearse', 'are these the right words?']],
  async run(session, [named]) {
    const { keys, printer, signal } = session;
    const avatar = await keys.avatarOr(named);
    const signer = await secretSigner(session, 'Recovery words');
    const client = session.client();
    const shown = await client.keys.rehearse({ avatar, signer, signal });
    printer.json({ avatar, ...shown });
    const { result, name, place } = shown;
    if (result === 'unknown')
      throw new RefusedError(`This key (${name}) is no recovery key of ${avatar}.`, 'key_not_committed');
    if (result === 'main')
      throw new RefusedError('This is the key of the Avatar itself, and no recovery key.', 'own_recovery_key');
    const rank = place === 0 ? 'the highest recovery key' : `recovery key ${place! + 1}`;
    const when = result === 'pending' ? ', of a commit that is not in force yet' : '';
    printer.line(printer.styled(`Right: it is ${rank} of ${avatar}${when}.`, 'green'));
  },
});

export const keysFreeze = defineCommand<ByFlags & { leaked?: boolean }>({
  usage: 'keys freeze [avatar]',
  summary: 'stop all writes of an Avatar at once, by any of its keys',
  details:
    `Ends after 7 days where your own key signs, after 30 where a recovery key does. ${BY_RECOVERY} With --leaked you ` +
    'found a key of somebody else: it is asked for in the same way, and freezes the Avatar whose key or recovery key it is.',
  examples: [
    ['signet keys freeze --recovery', 'somebody else has your key'],
    ['signet keys freeze --leaked < found.txt', 'a key that leaked: the Avatar is its own'],
    ['signet keys freeze 0x02b3… --leaked', 'a leaked recovery key of this Avatar'],
  ],
  options: (command) =>
    byOption(command).option('--leaked', 'a key that you found signs, for the Avatar that is named or is its own'),
  async run(session, [named], { recovery, leaked }) {
    if (leaked && recovery) throw new UsageError('Say --leaked or --recovery, not both.');
    const request = leaked
      ? await leakedKey(session, named)
      : await whoSigns(session, named, { recovery: recovery === true });
    const recorded = await session.client().keys.freeze(request);
    showRecorded(session, recorded, `Frozen until ${timeText(recorded.event.due_at)}.`);
    session.printer.line(
      leaked
        ? 'Tell its owner, if you know who it is. A higher key can end this: signet keys thaw'
        : 'A higher key can end this: signet keys thaw. To go on with another key: signet keys succeed',
    );
  },
});

async function leakedKey(session: Session, named: string | undefined): Promise<KeyRequest> {
  const avatar = named === undefined ? undefined : await session.keys.avatarOr(named);
  return { avatar, signer: await secretSigner(session, 'The key that leaked'), signal: session.signal };
}

export const keysThaw = defineCommand<ByFlags>({
  usage: 'keys thaw [avatar]',
  summary: 'end a freeze, by the key that made it or a higher one',
  details: BY_RECOVERY,
  examples: [['signet keys thaw --recovery', 'a freeze of your own key, which somebody else made']],
  options: byOption,
  async run(session, [named], flags) {
    const recorded = await session.client().keys.thaw(await whoSigns(session, named, flags));
    showRecorded(session, recorded, 'The freeze is over.');
  },
});

export const keysVeto = defineCommand<ByFlags & { avatar?: string }>({
  usage: 'keys veto [event]',
  summary: 'say no to a pending event, by a key above the one that signed it',
  details: `The event is the uuid that signet keys show prints; where one alone is pending, that. ${BY_RECOVERY}`,
  examples: [
    ['signet keys veto --recovery', 'somebody else wants to succeed you'],
    [
      'signet keys veto 7c9e6679-7425-40de-944b-e07fc1f90ae7 --avatar 0x02b3… --recovery',
      'from a machine without your key',
    ],
  ],
  options: (command) => byOption(command).option('--avatar <key>', 'the Avatar; your own when absent'),
  async run(session, [given], { avatar, ...flags }) {
    const client = session.client();
    const of = await session.keys.avatarOr(avatar);
    const event = given ?? (await onlyPending(session, of));
    const recorded = await client.keys.veto({ ...(await whoSigns(session, of, flags)), event });
    showRecorded(session, recorded, `The event ${event} is void.`);
  },
});

async function onlyPending(session: Session, avatar: string): Promise<string> {
  const { state } = await session.client().keys.state(avatar, { signal: session.signal });
  const pending = [state.pendingSuccession, state.pendingCommit].flatMap((one) => (one ? [one.event] : []));
  if (pending.length === 1) return pending[0]!;
  const why = pending.length === 0 ? 'Nothing is pending.' : `Two events are pending: ${pending.join(', ')}. Name one.`;
  throw new RefusedError(why, 'not_pending');
}

interface SucceedFlags {
  old?: string;
  recovery?: boolean;
  sinceLink?: string;
  sincePatch?: string;
}

export const keysSucceed = defineCommand<SucceedFlags>({
  usage: 'keys succeed <avatar>',
  summary: 'your key comes after that Avatar, whose key is lost or stolen',
  details:
    'Your own key (--key) signs as the successor. For the old Avatar signs a recovery key, which is asked for as with ' +
    '--recovery of signet keys freeze; or its old key, from a file (--old); with --old and --recovery both, and it is ' +
    'final at once. Otherwise all writes stop, and it is final after the delay. Bindings made behind --since-link count ' +
    'for nothing, content is that of --since-patch: the newest ones, unless a thief made them. It is for good.',
  examples: [
    ['signet keys succeed 0x02b3…', 'by the words on paper'],
    ['signet keys succeed 0x02b3… --old old-key.json --recovery', 'by both keys, at once'],
    [
      'signet keys succeed 0x02b3… --since-link 7c9e6679-7425-40de-944b-e07fc1f90ae7',
      'what a thief bound later is void',
    ],
  ],
  options: (command) =>
    command
      .option('--old <file>', 'the old key signs: an encrypted key, or a file with its words or hex')
      .option('--recovery', 'with --old: the highest recovery key signs too')
      .option('--since-link <uuid>', 'the last link that you made, or none')
      .option('--since-patch <uuid>', 'the last patch that you made, or none'),
  async run(session, [named], { old, recovery, sinceLink, sincePatch }) {
    const { keys, signal } = session;
    const avatar = await keys.avatarOr(named);
    const successor = await keys.signer();
    if (successor.avatar === avatar)
      throw new UsageError('That is your own key: make a new one, and name it with --key.');
    const signers: Signer[] = old === undefined ? [] : [await signerOfFile(session, old)];
    if (old === undefined || recovery) signers.push(await secretSigner(session, 'Recovery words'));
    const [signer, cosigner] = signers as [Signer, Signer?];
    const client = session.client();
    const since = { sinceLink: uuidOrNone(sinceLink), sincePatch: uuidOrNone(sincePatch) };
    const recorded = await client.keys.succeed({ avatar, signer, cosigner, successor, ...since, signal });
    const { due_at, recorded_at, signer: by } = recorded.event;
    const { state } = await client.keys.state(avatar, { signal });
    const when =
      due_at === recorded_at
        ? `${successor.avatar} has come after ${avatar}.`
        : `All writes of ${avatar} are stopped. ${successor.avatar} comes after it at ${timeText(due_at)}, by ${nameInWords(by, state)}.`;
    showRecorded(session, recorded, when);
    session.printer.line('Bind your accounts again with the new key; the old page shows who came after.');
  },
});

function uuidOrNone(text: string | undefined): string | null | undefined {
  return text === 'none' ? null : text;
}
