import { fromPrivateKey } from '@signet/sdk';
import { addressOfKey, encodeHex, findAvatarKey } from '@signet/verify';
import { looksLikeKeyFile } from '@signet/verify/files';
import { sealBlocks } from '@signet/verify/seal';
import { keyOfWords, newWords } from '@signet/verify/words';
import { UsageError } from '../exit.js';
import { readAll } from '../terminal/io.js';
import { decryptKey, namesInKeyFile } from '../keys/key-file.js';
import { readPrivateKey } from '../keys/private-key.js';
import type { Printer } from '../terminal/printer.js';
import { defineCommand, type Session } from '../session.js';

const SEAL_LINES = 12;

/** The key that was made or is there: its figure, and its names. */
function showKey(printer: Printer, avatar: string | null, rest: { [name: string]: string | null }): void {
  if (avatar !== null && !printer.isJson) printer.line(`${sealBlocks(avatar, SEAL_LINES).join('\n')}\n`);
  const uncompressed = avatar === null ? null : findAvatarKey(avatar)!.uncompressed;
  printer.fields({ avatar, uncompressed, ...rest });
}

export const keyNew = defineCommand({
  usage: 'key new',
  summary: 'make a key from 12 new words and keep it encrypted',
  details:
    'The words are shown once and kept nowhere: write them down. Whoever has them has the key, in any wallet too ' +
    "(BIP-39, path m/44'/60'/0'/0/0). The file is encrypted with a pass phrase (scrypt), in the form that wallets import.",
  examples: [
    ['signet key new', 'asks for a pass phrase'],
    ['signet --key work.json key new', 'a second key, in a file of its own'],
  ],
  async run({ keys, printer }) {
    await keys.refuseExisting();
    const words = newWords();
    const privateKey = await keyOfWords(words);
    await keys.keep(privateKey);
    const { avatar, address } = fromPrivateKey(privateKey);
    showKey(printer, avatar, { address, file: keys.file, words: words.join(' ') });
    printer.line('\nWrite the 12 words down, on paper. They are not shown again.');
  },
});

export const keyShow = defineCommand({
  usage: 'key show',
  summary: 'show the public side of your key, and the figure of its seal',
  details: 'Needs no pass phrase. The figure is drawn from the key: another key, another figure.',
  examples: [['signet key show --json', 'for programs']],
  async run(session) {
    const { avatar, file } = await session.keys.show();
    // A file of another program holds at most the address in the clear.
    const key = avatar ?? (await session.keys.signer()).avatar;
    showKey(session.printer, key, { address: addressOfKey(key), file });
  },
});

export const keyImport = defineCommand({
  usage: 'key import',
  summary: 'keep a key that you have: 12 words, 64 hex digits, or the key file of a wallet',
  details:
    'Is asked for, or read from standard input; never an argument, which other programs of the machine could see. ' +
    'A key file (Web3 Secret Storage) keeps its own pass phrase.',
  examples: [
    ['signet key import', 'asks for the words, which are not shown'],
    ['signet key import < UTC--2026-11-22--4264ae.json', 'the key file of another wallet'],
  ],
  async run(session) {
    const { io, keys, printer, prompter } = session;
    await keys.refuseExisting();
    const text = prompter.isPossible
      ? await prompter.askSecret('12 words, or the private key in hex:', '')
      : await readAll(io);
    if (text.trim() === '')
      throw new UsageError('Standard input was empty: give 12 words, 64 hex digits or a key file.');
    const privateKey = await keep(session, text);
    const { avatar, address } = fromPrivateKey(privateKey);
    showKey(printer, avatar, { address, file: keys.file });
  },
});

async function keep({ io, keys }: Session, text: string): Promise<Uint8Array> {
  if (!looksLikeKeyFile(text)) {
    const privateKey = await readPrivateKey(text);
    await keys.keep(privateKey);
    return privateKey;
  }
  namesInKeyFile(text);
  const passphrase = io.env['SIGNET_PASSPHRASE'];
  if (passphrase === undefined) throw new UsageError('Set SIGNET_PASSPHRASE to the pass phrase of the key file.');
  const privateKey = await decryptKey(text, passphrase);
  await keys.keep(privateKey);
  return privateKey;
}

export const keyExport = defineCommand<{ encrypted?: boolean }>({
  usage: 'key export',
  summary: 'print your private key, or its encrypted file',
  details: 'The private key is printed as 64 hex digits behind 0x. Whoever sees it has the key.',
  examples: [
    ['signet key export --encrypted > for-my-wallet.json', 'a file that wallets import with the pass phrase'],
    ['signet key export', 'the bare key, after the pass phrase'],
  ],
  options: (command) => command.option('--encrypted', 'the encrypted file instead of the bare key'),
  async run({ keys, printer }, _words, { encrypted }) {
    if (encrypted) {
      const text = await keys.readFile();
      namesInKeyFile(text);
      printer.raw(text.trimEnd());
      return;
    }
    const privateKey = `0x${encodeHex(await keys.privateKey())}`;
    printer.json({ private_key: privateKey });
    printer.line(privateKey);
  },
});
