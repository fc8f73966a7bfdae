/** The command line itself: which commands there are, their help, and how a run ends. */
import { Command, CommanderError, Option } from 'commander';
import { isArchiveId } from './archive/fetch-chain.js';
import { COMMANDS, GROUPS } from './commands.js';
import { codeOf, EXIT, type ExitCode, exitCodeOf, RefusedError } from './exit.js';
import type { Io, Output } from './terminal/io.js';
import { waitSeconds } from './options.js';
import { LogForkError } from '@signet/sdk';
import { jsonLine, printable, printableText } from './terminal/printer.js';
import { Prompter } from './terminal/prompter.js';
import { type CommandDefinition, type GlobalOptions, Session } from './session.js';
import { VERSION } from './version.js';

const FIRST_HOUR = `
Examples:
  $ signet key new
      a key of your own, which the commands below sign with
  $ signet bind github alice-demo
      step by step, until the server has seen your gist
  $ signet proofs alice-demo
      who stands behind this name
Each command has its own: signet bind --help`;

const ENVIRONMENT = `
Environment:
  SIGNET_SERVER          base URL of the server (--server)
  SIGNET_KEY_FILE        file of the encrypted key (--key)
  SIGNET_PASSPHRASE      its pass phrase, where nobody can be asked
  SIGNET_PRIVATE_KEY     a key in place of a file: 64 hex digits, or 12 words
  SIGNET_RECOVERY_KEY    a recovery key, or one that leaked: 64 hex digits, or 12 words
  SIGNET_APP_KEY         the key of an app that signs patches: the text of a file of signet keys add
  SIGNET_WALLET_KEY      the key of an Ethereum wallet, or of Nostr (nsec or hex), that is bound
                         and is not the Avatar
  NO_COLOR               anything: no colours

Environment of signet look, with the names and meanings of the settings of servers:
  GITHUB_TOKEN, X_BEARER_TOKEN, DISCORD_BOT_TOKEN, ETH_RPC_URLS, OUTBOUND_CONTACT, SERVICE_NAME,
  OUTBOUND_TIMEOUT_MS, X_FALLBACKS (syndication, oembed), DISCORD_PROOF_CHANNELS,
  DNS_MODE (system, doh), DNS_SERVERS, DOH_URLS, DNS_ROOT_KEYS, DOTBIT_INDEXER_URLS,
  DOTBIT_REGISTER_API_URL, DOTBIT_RECORD_KEY, KEYBASE_FILE_URL_TEMPLATE, KEYBASE_PROBE_URL,
  KEYBASE_API_BASE, GITHUB_API_BASE, DISCORD_API_BASE, MINDS_BASE_URL, X_API_BASE, X_OEMBED_BASE,
  X_SYNDICATION_BASE, PLC_DIRECTORY_URL, BLUESKY_APPVIEW_URL, HACKERNEWS_BASE_URL,
  LOBSTERS_BASE_URL, ORCID_BASE_URL, STEAM_BASE_URL

Exit codes:
  0 done; 1 refused, not found or not valid, or what was checked is wrong; 2 wrong usage, or a
  setting that cannot be used; 3 server not reached; 4 what the server answered does not verify`;

/** The most columns of a line of help, so that it can be read also in a wide window. */
const HELP_COLUMNS = 100;

/** Runs one command line, without `node` and the script. Answers the exit code; never throws. */
export async function run(words: string[], given: Io): Promise<ExitCode> {
  const stopped = new AbortController();
  const io = { ...given, signal: AbortSignal.any([given.signal, stopped.signal]) };
  const prompter = new Prompter(io, () => stopped.abort());
  const program = programFor(io, prompter);
  try {
    await program.parseAsync(withIdsLast(words), { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (io.signal.aborted) return EXIT.interrupted;
    const isJson = words.includes('--json');
    io.stderr.write(`${isJson ? errorLine(error) : `signet: ${messageOf(error)}`}\n`);
    return exitCodeOf(error);
  } finally {
    prompter.close();
  }
}

/** The whole tree of commands. */
export function programFor(io: Io, prompter: Prompter): Command {
  const program = new Command('signet')
    .description('Binds accounts and wallets to one key, looks them up, and checks what servers say.')
    .version(VERSION, '-V, --version')
    .addOption(new Option('-s, --server <url>', 'base URL of the server (default: http://localhost:3000)'))
    .addOption(new Option('-k, --key <file>', 'file of the encrypted key (default: ~/.config/signet/key.json)'))
    .addOption(
      new Option(
        '--timeout <seconds>',
        'for one call, all its tries together (default: 30 a try, 120 in all)',
      ).argParser(waitSeconds),
    )
    .addOption(new Option('--json', 'one JSON object a line'))
    .addHelpText('after', `${FIRST_HOUR}\n${ENVIRONMENT}`);
  inherit(program, io);
  for (const { name, summary } of GROUPS) inherit(program.command(name).description(summary), io);
  for (const definition of COMMANDS) addCommand(program, definition, io, prompter);
  return program;
}

function addCommand(program: Command, definition: CommandDefinition, io: Io, prompter: Prompter): void {
  const words = definition.usage.split(' ');
  const group = GROUPS.find(({ name }) => name === words[0]);
  const parent = group ? program.commands.find((command) => command.name() === group.name)! : program;
  const command = parent.command((group ? words.slice(1) : words).join(' ')).description(definition.summary);
  definition.options?.(command);
  inherit(command, io);
  const examples = definition.examples.map(([line, what]) => `  $ ${line}\n      ${what}`).join('\n');
  command.addHelpText('after', ({ error }) => {
    const { details } = definition;
    const columns = helpColumns(error ? io.stderr : io.stdout);
    const text = details && `\n${command.createHelp().boxWrap(details, columns)}\n`;
    return `${text ?? ''}\nExamples:\n${examples}`;
  });
  command.action(async (...given: unknown[]) => {
    const options = command.optsWithGlobals<GlobalOptions>();
    const session = new Session(io, prompter, options);
    const values = given.slice(0, -2).flat() as (string | undefined)[];
    await definition.run(session, values, options as never, command);
  });
}

function helpColumns({ columns = HELP_COLUMNS }: Output): number {
  return Math.min(columns, HELP_COLUMNS);
}

/** Settings that commander does not hand down by itself to commands that exist already. */
function inherit(command: Command, io: Io): void {
  command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'signet: ')),
      getOutHelpWidth: () => helpColumns(io.stdout),
      getErrHelpWidth: () => helpColumns(io.stderr),
    })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Add --help for what can be said here.')
    .helpOption('-h, --help', 'show this');
}

/** An archive id may begin with a hyphen, and is no option: all ids go behind `--`, in the order that they stand in. */
function withIdsLast(words: string[]): string[] {
  const looksLikeOption = (word: string) => word.startsWith('-') && isArchiveId(word);
  if (words.includes('--') || !words.some(looksLikeOption)) return words;
  return [...words.filter((word) => !isArchiveId(word)), '--', ...words.filter(isArchiveId)];
}

function messageOf(error: unknown): string {
  // Both notes are the evidence: they are shown line by line, as they were signed.
  if (error instanceof LogForkError) return printableText(error.message);
  return printable(error instanceof Error ? error.message : String(error));
}

function errorLine(error: unknown): string {
  const { steps } = error as { steps?: unknown };
  const message = error instanceof Error ? error.message : String(error);
  const resting = error instanceof RefusedError ? error.resting : null;
  return jsonLine({ error: codeOf(error), message, steps, ...(resting && { resting }) });
}
