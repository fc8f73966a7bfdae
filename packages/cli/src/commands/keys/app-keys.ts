/** Keys of apps, which sign content for an Avatar: `signet keys add | revoke` (docs/keys.md). */
import { stat } from 'node:fs/promises';
import { type AppSigner, findCanonicalName } from '@signet/sdk';
import { isAppKey } from '@signet/verify/internal/key-events';
import type { AppKeyAlgorithm } from '@signet/verify/key-events';
import { Option } from 'commander';
import { UsageError } from '../../exit.js';
import { APP_KEY_ALGORITHMS, appKeyOfFile, makeAppKey } from '../../keys/app-key-file.js';
import { secretSigner } from '../../keys/recovery-signer.js';
import { listed, unixTime } from '../../options.js';
import { defineCommand, type Session } from '../../session.js';
import { showRecorded } from '../../terminal/keys-shown.js';
import { printable, timeText } from '../../terminal/printer.js';

interface AddFlags {
  scope?: string[];
  algorithm?: AppKeyAlgorithm;
  expires?: number;
  origin?: string;
}

export const keysAdd = defineCommand<AddFlags>({
  usage: 'keys add <key>',
  summary: 'let a key of an app sign content for you, until a day',
  details:
    'The key is a file: a new key is made and written where there is none, readable by you alone and not encrypted, and ' +
    'signet kv patch --signer signs with it. Or it is the name of a key that the app holds, <algorithm>:0x<hex>: then the ' +
    'text is shown, and the signature that the app makes of it is asked for, in Base64. Your own key signs, and the key ' +
    'of the app too. A scope is kv for all content or kv:<platform>:<identity> for one entry; an identity in a scope is ' +
    'public and is never erased. A key that is added again has the newest scopes and end. Bindings and ' +
    'recovery keys no key of an app can sign.',
  examples: [
    ['signet keys add bot.json --scope kv:github:alice-demo', 'a new key, for one entry'],
    ['signet keys add bot.json --scope kv --expires 2027-06-30', 'more of the same key, until a day'],
    [`signet keys add es256:0x03${'5b'.repeat(3)}… --scope kv --origin https://app.example`, 'a passkey of a page'],
  ],
  options: (command) =>
    command
      .option('--scope <scope>', 'what it may sign; can be repeated, 16 in all', listed)
      .addOption(new Option('--algorithm <name>', 'of a new key (default: ed25519)').choices(APP_KEY_ALGORITHMS))
      .option('--expires <time>', 'its end: a date, or UNIX seconds; two years at most (default: a year)', unixTime)
      .option('--origin <origin>', 'of the pages on which a passkey signs'),
  async run(session, [named], { scope: scopes = [], algorithm, expires: expiresAt, origin }) {
    const { keys, printer, signal } = session;
    if (scopes.length === 0)
      throw new UsageError('Say what the key may sign: --scope kv, or --scope kv:<platform>:<identity>.');
    const isHeldElsewhere = isAppKey(named);
    if (isHeldElsewhere && algorithm) throw new UsageError('--algorithm is for a new key: this one has its own.');
    if (origin !== undefined && !isHeldElsewhere)
      throw new UsageError('--origin is of a passkey, which is no file: give its name, es256:0x<hex>.');
    const signer = await keys.signer();
    const { avatar } = signer;
    const app = isHeldElsewhere
      ? heldElsewhere(session, { avatar, key: named, origin: origin ?? null })
      : await keyInFile(session, named!, avatar, algorithm);
    const request = { signer, app, scopes: scopes.map(canonicalScope), expiresAt, signal };
    const recorded = await session.client().keys.add(request);
    const { fields } = recorded.event as Extract<typeof recorded.event, { action: 'key.add' }>;
    const what = fields.scopes.map(printable).join(', ');
    showRecorded(session, recorded, `${app.key} may sign ${what} until ${timeText(fields.expires_at)}.`);
    if (!isHeldElsewhere) printer.line(`Sign with it: signet kv patch … --signer ${named}`);
    printer.line(`End it: signet keys revoke ${isHeldElsewhere ? app.key : named}`);
  },
});

/** Scopes name identities in the form in which content has them; what is not known here stays as it is. */
function canonicalScope(scope: string): string {
  const [, platform, identity] = /^kv:([^:]+):(.+)$/s.exec(scope) ?? [];
  const name = platform === undefined ? null : findCanonicalName(platform, identity!);
  return name === null ? scope : `kv:${platform}:${name}`;
}

/** The key in a file, which is made where it is not there. @throws UsageError for that of another Avatar */
async function keyInFile(
  { printer }: Session,
  file: string,
  avatar: string,
  algorithm: AppKeyAlgorithm | undefined,
): Promise<AppSigner> {
  const isThere = await stat(file).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    const made = await makeAppKey(file, avatar, algorithm ?? 'ed25519');
    printer.json({ state: 'made', key: made.key, file });
    printer.line(`A new key is in ${printable(file)}. Whoever reads the file has the key.`);
    return made;
  }
  const app = await appKeyOfFile(file);
  if (app.avatar !== avatar) throw new UsageError(`The key in ${file} is for another Avatar, ${app.avatar}.`);
  if (algorithm && !app.key.startsWith(`${algorithm}:`))
    throw new UsageError(`${file} is there already and holds ${app.key}: name another file for a new key.`);
  return app;
}

/** A key that signs somewhere else: the text is shown, and its signature asked for. */
function heldElsewhere(
  { prompter, printer }: Session,
  { avatar, key, origin }: Pick<AppSigner, 'key' | 'origin'> & { avatar: AppSigner['avatar'] },
): AppSigner {
  const sign = async (text: string) => {
    printer.note(`This is the text to sign with ${key}, without a line break at its end:\n\n${text}\n`);
    return prompter.ask('Its signature, in Base64:', 'the signature of the app has to be typed.');
  };
  return { avatar, key, origin, sign };
}

interface RevokeFlags {
  avatar?: string;
  recovery?: boolean;
  itself?: boolean;
}

export const keysRevoke = defineCommand<RevokeFlags>({
  usage: 'keys revoke <key>',
  summary: 'end the key of an app for good; what it has signed stays',
  details:
    'The key is its name, as signet keys show prints it, or its file. Your own key signs; with --recovery a recovery key ' +
    'does (asked for, or SIGNET_RECOVERY_KEY), with --itself the key in the file. It is never added again.',
  examples: [
    ['signet keys revoke bot.json', 'by your own key'],
    ['signet keys revoke bot.json --itself', 'from the machine that has only the key of the app'],
    [`signet keys revoke ed25519:0x${'4c'.repeat(4)}…`, 'by its name'],
  ],
  options: (command) =>
    command
      .option('--avatar <key>', 'the Avatar; that of the file, or your own, when absent')
      .option('--recovery', 'a recovery key signs, in place of your own key')
      .option('--itself', 'the key in the file signs'),
  async run(session, [named], { avatar: given, recovery, itself }) {
    const { keys, signal } = session;
    if (itself && recovery) throw new UsageError('Say --itself or --recovery, not both.');
    const app = isAppKey(named) ? null : await appKeyOfFile(named!);
    if (itself && !app) throw new UsageError('With --itself the key signs: name its file.');
    const key = app?.key ?? named!;
    const avatar = app && given === undefined ? app.avatar : await keys.avatarOr(given);
    const own = () => (recovery ? secretSigner(session, 'Recovery words') : keys.signer());
    const signer = itself ? app! : await own();
    const recorded = await session.client().keys.revoke({ avatar, key, signer, signal });
    showRecorded(session, recorded, `${key} signs nothing any more, for good.`);
  },
});
