import type { ProofRecord, Resting } from '@signet/sdk';
import { bindingState, type SaidBinding } from '@signet/verify/bindings';
import { oddLetters } from '@signet/verify/letters';
import { RefusedError, UsageError } from '../exit.js';
import { notFound, showComplete } from '../terminal/complete.js';
import { type Printer, printable, type Style, timeText } from '../terminal/printer.js';
import { positiveInteger } from '../options.js';
import { defineCommand } from '../session.js';
import { restingColumn, restingText } from '../terminal/resting.js';
import { type CompleteFlags, completeOption, type HereFlags, hereOption } from '../trust.js';

type Row = ProofRecord & { avatar: string };

/** What a person reads of the state of a binding. */
export function stateOf({ is_valid, invalid_reason }: { is_valid: boolean; invalid_reason: string }): string {
  return is_valid ? 'valid' : `invalid: ${invalid_reason}`;
}

/** The state of a binding as of now: one that is valid, and that no look says so of lately, is stale. */
export function stateNow(said: SaidBinding & { invalid_reason: string }): string {
  return bindingState(said) === 'stale' ? 'stale: valid, and not seen lately' : stateOf(said);
}

function styleOf(said: SaidBinding): Style {
  return ({ valid: 'green', stale: 'yellow', gone: 'red', invalid: 'red' } as const)[bindingState(said)];
}

/** Says what makes a name differ from another that looks alike. */
function noteOddLetters(printer: Printer, name: string): void {
  const odd = oddLetters(name);
  if (odd === null) return;
  const scripts = new Intl.DisplayNames('en', { type: 'script' });
  const letters = odd.map(({ code, script }) => (script === null ? code : `${code} (${scripts.of(script)})`));
  printer.note(`${printable(JSON.stringify(name))} may look like another name, but has ${letters.join(', ')}.`);
}

export const proofs = defineCommand<
  HereFlags & CompleteFlags & { platform?: string; similar?: boolean; limit: number }
>({
  usage: 'proofs <identity>',
  summary: 'who stands behind an account, a wallet or a key',
  details:
    'Every binding that is shown was checked here against the signed chain of its Avatar, as far as the server shows ' +
    'it: a newer revoke that it leaves out, and bindings that it does not name, are noticed with --complete only, which ' +
    'needs --platform and an exact name. Whether a post is still there is what the server says. RESTS ON says "wallet" ' +
    'where the wallet signed, which was checked too, and "server" where only the server says that the account or the ' +
    'contract wallet agreed; with --shown-by-platform it says "platform" where the account’s server or the zone has ' +
    'signed it. A binding is stale where nobody has looked for nine days (72 on X). Exits with 1 where nothing is ' +
    'found, and with 4 where the answer does not verify.',
  examples: [
    ['signet proofs alice-demo', 'this name on any platform'],
    ['signet proofs 0x4264ae876b5b20f38b84a0339ac25803029b5ebf --platform ethereum', 'a wallet'],
    ['signet proofs alice-demo --platform github --complete', 'all keys that hold this name'],
    ['signet proofs ali --similar --limit 20', 'names that contain this text'],
  ],
  options: (command) =>
    completeOption(hereOption(command))
      .option('-p, --platform <platform>', 'on this platform only')
      .option('--similar', 'identities that contain the text, too')
      .option('--limit <number>', 'at most so many Avatars', positiveInteger, 100),
  async run(session, [identity], { platform, similar, limit, ...flags }) {
    const { printer, signal } = session;
    const exact = similar !== true;
    if (flags.complete && (!exact || platform === undefined)) {
      throw new UsageError(
        'No answer can be shown to be complete but an exact one of one platform: name it (--platform).',
      );
    }
    const list = (await session.lookUpClient(flags)).proofs.find({ platform, identity: identity!, exact, signal });
    // Whether an answer is complete shows at the end of the list.
    const found = await list.toArray(flags.complete ? {} : { limit: limit + 1 });
    const groups = found.slice(0, limit);
    const rows: Row[] = groups.flatMap(({ avatar, proofs: own }) => own.map((proof) => ({ ...proof, avatar })));
    if (rows.length === 0) {
      const word = list.resting?.map ? 'There is no binding' : 'The server shows no binding';
      throw notFound(`${word} of ${JSON.stringify(identity)}.`, list.resting);
    }
    printer.table(rows, [
      { title: 'PLATFORM', text: (row) => row.platform },
      { title: 'IDENTITY', text: (row) => row.identity },
      { title: 'STATE', text: stateNow, style: styleOf },
      restingColumn((row) => row.resting),
      { title: 'CHECKED', text: (row) => timeText(row.last_checked_at) },
      { title: 'AVATAR', text: (row) => row.avatar },
    ]);
    for (const name of new Set(rows.map((row) => row.identity))) noteOddLetters(printer, name);
    showComplete(printer, list.resting);
    if (found.length > groups.length) {
      const all = flags.complete ? ` of ${found.length} Avatars` : ' Avatars, and there are more';
      printer.note(`These are the first ${groups.length}${all}: see --limit.`);
    }
  },
});

export const exists = defineCommand<HereFlags & CompleteFlags>({
  usage: 'exists <platform> <identity> [avatar]',
  summary: 'whether this identity is bound to an Avatar (yours, unless you name one) and valid',
  details:
    'A yes rests on a signed link that is checked here, and on the word of the server that none revokes it; a no is the ' +
    'word of the server alone. With --complete both are proved by the map over the log. Whether the account or a ' +
    'contract wallet agreed is the word of the server too, and a wallet of one key is checked here: the line "rests on". ' +
    'Exits with 0 for a valid binding, with 1 for one that is invalid or not there, and with 4 where the answer does ' +
    'not verify, or with --complete is not proved.',
  examples: [
    ['signet exists github alice-demo', 'whether it is bound to your key'],
    ['signet exists github alice-demo --complete && echo yes', 'in a script, where a "no" is proved too'],
    [
      'signet exists dns a.example 0x0238e176a158d5c40f36f6b49e8ba9332fb6dca03a34f03373cfaa398f710ddf5d',
      'or to theirs',
    ],
  ],
  options: (command) => completeOption(hereOption(command)),
  async run(session, [platform, identity, named], flags) {
    const avatar = await session.keys.avatarOr(named);
    const name = { platform: platform!, identity: identity!, avatar };
    const { printer, signal } = session;
    let resting: Resting | null = null;
    const onResting = (found: Resting) => void (resting = found);
    const state = await (await session.lookUpClient(flags)).proofs.exists(name, { signal, onResting });
    if (!state) {
      const word = flags.complete ? 'There is no binding' : 'The server shows no binding';
      throw notFound(`${word} of ${identity} on ${platform} to ${avatar}.`, resting);
    }
    if (printer.isJson) printer.json({ ...name, ...state });
    else {
      const checked = timeText(state.last_checked_at);
      printer.fields({
        ...name,
        state: stateNow({ ...name, ...state }),
        'rests on': restingText(state.resting),
        'bound at': timeText(state.created_at),
        checked,
      });
      showComplete(printer, resting);
    }
    if (!state.is_valid) throw new RefusedError(`The binding is invalid: ${state.invalid_reason}`, 'invalid');
  },
});
