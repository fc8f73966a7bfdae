import { type Client, type Draft, type Platform, type RecordedLink } from '@signet/sdk';
import { WALLET_PLATFORMS } from '@signet/verify';
import { RefusedError, UsageError } from '../exit.js';
import { DraftFile } from '../draft-file.js';
import { positiveInteger, wholeNumber } from '../options.js';
import { printable, printableText, timeText } from '../terminal/printer.js';
import { walletFor } from '../keys/bound-wallet.js';
import { ProgressLine } from '../terminal/prompter.js';
import { defineCommand, type Session, showReceipt } from '../session.js';
import { stateOf } from './proofs.js';

interface BindFlags {
  location?: string;
  draft?: string;
  resume?: string;
  language?: string;
  patience: number;
  chain?: number;
  relMe?: boolean;
}

const PATIENCE_SECONDS = 600;

export const bind = defineCommand<BindFlags>({
  usage: 'bind [platform] [identity]',
  summary: 'bind an account or a wallet to your key, step by step',
  details:
    'Shows what to do and the text to publish, asks where the post is, and waits until the server sees it. What was ' +
    'signed is kept in a file until it is recorded, so a run that was broken off goes on with --resume. A wallet of ' +
    'another key signs the same text: its signature is asked for, or made with SIGNET_WALLET_KEY (ethereum, nostr). ' +
    'A key of Nostr signs an event, whose sig or JSON is asked for. ' +
    'A contract wallet needs --chain: its chain is signed too. ' +
    'Where standard input is no terminal, nobody is asked: use --draft and --resume, or --location.',
  examples: [
    ['signet bind github alice-demo', 'shows the text for a gist, asks for its address, and waits'],
    ['signet bind dns alice.example.org', 'shows the TXT record, and waits until it is visible'],
    ['signet bind ethereum 0x4264ae876b5b20f38b84a0339ac25803029b5ebf', 'your own address needs nothing else'],
    ['signet bind ethereum 0x5aae… --chain 10', 'a contract wallet (a Safe and the like) on chain 10'],
    ['signet bind website alice.example.org --rel-me', 'where only links can be set in the head of the page'],
    ['signet bind nostr alice@example.org', 'the key of a name of Nostr; npub1… does as well'],
    ['signet bind github alice-demo --draft gist.json', 'in a script: only sign, and print the text'],
    ['signet bind --resume gist.json --location https://gist.github.com/alice-demo/0123…', 'and go on with it'],
  ],
  options: (command) =>
    command
      .option('-l, --location <where>', 'where the post is, on platforms that need it')
      .option('--draft <file>', 'sign, keep it in this file, print the text, and stop')
      .option('--resume <file>', 'go on with what was kept')
      .option('--chain <id>', 'the chain of a contract wallet (ethereum), such as 10', positiveInteger)
      .option('--rel-me', 'website: the head of the page links to your key, and says nothing of this binding')
      .option('--language <tag>', 'language of the text, such as zh_CN', 'default')
      .option('--patience <seconds>', 'how long to wait for the post', wholeNumber, PATIENCE_SECONDS),
  async run(session, [platform, identity], options) {
    const client = session.client();
    if (options.resume !== undefined) {
      if (platform !== undefined || options.chain !== undefined || options.relMe) {
        throw new UsageError('With --resume, platform, identity, chain and --rel-me come from the file.');
      }
      const file = new DraftFile(options.resume);
      const draft = client.resume(await file.read());
      return finish(session, client, { draft, file }, await describe(client, draft.platform, session), options);
    }
    if (platform === undefined || identity === undefined) {
      throw new UsageError('Say what to bind, such as: signet bind github alice-demo');
    }
    return start(session, client, platform, identity, options);
  },
});

async function start(
  session: Session,
  client: Client,
  platform: string,
  identity: string,
  options: BindFlags,
): Promise<void> {
  if (options.chain !== undefined && platform !== 'ethereum') throw new UsageError('Only ethereum has --chain.');
  const about = await describe(client, platform, session);
  if (options.relMe && !about.takes_rel_me) {
    throw new UsageError(`--rel-me is for websites: what is published on ${platform} holds the signature.`);
  }
  const isWallet = WALLET_PLATFORMS.includes(platform);
  const mustAsk = about.needs_proof_location && options.location === undefined && options.draft === undefined;
  if (mustAsk && !session.prompter.isPossible) {
    throw new UsageError(
      'Standard input is not a terminal, so nobody can be asked where the post is: sign with --draft FILE, publish the text, and go on with --resume FILE --location WHERE.',
    );
  }
  if (options.draft !== undefined) await new DraftFile(options.draft).assertFree(platform, identity);
  const signer = await session.keys.signer();
  const wallet = isWallet ? walletFor(session, platform, identity, signer) : undefined;
  const { chain: chainId } = options;
  const rel = options.relMe ? 'me' : undefined;
  const draft = await client.draft({ platform, identity, signer, wallet, chainId, rel, signal: session.signal });
  const file = new DraftFile(options.draft ?? DraftFile.placeFor(session.io, draft.uuid));
  if (!isWallet || options.draft !== undefined) await file.write(draft.toJSON());
  if (!isWallet) showText(session, draft, about, options);
  if (options.draft !== undefined) {
    session.printer.json({ state: 'signed', draft: file.name, uuid: draft.uuid });
    session.printer.note(
      `Kept in ${file.name}. When the text is published: ${resumeLine(file, about.needs_proof_location)}`,
    );
    return;
  }
  return finish(session, client, { draft, file }, about, options);
}

/** Submits and waits; ends with the binding. */
async function finish(
  session: Session,
  client: Client,
  { draft, file }: { draft: Draft; file: DraftFile },
  about: Platform,
  { location: given, patience }: BindFlags,
): Promise<void> {
  const { io, printer, prompter, signal } = session;
  const isKept = await file.exists();
  let location = given ?? draft.toJSON().proof_location;
  try {
    if (about.needs_proof_location && location === undefined) {
      const forms = about.proof_location_forms.map(printable).join(' or ');
      location = await prompter.ask(`Where is the post? (${forms})`, 'say it with --location.');
    }
    // The location is kept, so that the next run need not ask for it.
    if (isKept && location) await file.write({ ...draft.toJSON(), proof_location: location });
    const progress = new ProgressLine(io);
    const onProgress = ({ tries, waitMs, reason }: { tries: number; waitMs: number; reason: string }) => {
      printer.json({ state: 'waiting', tries, wait_ms: waitMs, reason });
      const text = `Waiting for the post (look ${tries}; again in ${waitMs / 1000} s): ${printable(reason)}`;
      if (!printer.isJson) progress.show(text);
    };
    const link = await draft
      .submit({ location: location || undefined, patienceMs: patience * 1000, onProgress, signal })
      .finally(() => progress.clear());
    await file.remove();
    await showBinding(session, client, link);
    showReceipt(session, link.receipt);
  } catch (error) {
    const isOpen = about.needs_proof_location && !location;
    if (isKept && (await file.exists())) printer.note(`What you signed is kept. To go on: ${resumeLine(file, isOpen)}`);
    throw error;
  }
}

function resumeLine(file: DraftFile, needsLocation: boolean): string {
  // What a shell would split or read as more than a name is quoted.
  const name = /^[\w./~:\\-]+$/.test(file.name) ? file.name : `'${file.name.replaceAll("'", `'\\''`)}'`;
  return `signet bind --resume ${name}${needsLocation ? ' --location WHERE' : ''}`;
}

/** What the server says of the platform. @throws RefusedError where it is not known, or not available now */
async function describe(client: Client, platform: string, { signal }: Session): Promise<Platform> {
  const platforms = await client.platforms({ signal });
  const about = platforms.find((one) => one.platform === platform);
  if (!about) {
    const known = platforms.map((one) => printable(one.platform)).join(', ');
    throw new UsageError(`This server knows no platform ${JSON.stringify(platform)}; it knows ${known}.`);
  }
  if (about.is_available) return about;
  throw new RefusedError(
    `This server cannot check ${platform} now: ${about.unavailable_reason}`,
    'platform_unavailable',
  );
}

function showText({ printer }: Session, draft: Draft, about: Platform, { language, relMe }: BindFlags): void {
  const text = draft.text(language);
  // Those of the server are about the signature.
  const steps = relMe ? ['Put this element into the head of the page, and keep it there.'] : about.steps;
  printer.json({ state: 'publish', text, languages: draft.languages, steps, uuid: draft.uuid });
  if (steps.length > 0) printer.line(steps.map((step, index) => `${index + 1}. ${printable(step)}`).join('\n'));
  printer.line(`\n${printer.styled('The text to publish, between the lines:', 'bold')}`);
  printer.line(
    `${printer.styled('-'.repeat(40), 'dim')}\n${printableText(text)}\n${printer.styled('-'.repeat(40), 'dim')}`,
  );
}

async function showBinding({ printer, signal }: Session, client: Client, link: RecordedLink): Promise<void> {
  const state = await client.proofs.exists(link, { signal });
  const { platform, identity, avatar, uuid } = link;
  if (printer.isJson) {
    printer.json({ state: 'bound', ...link, ...state });
    return;
  }
  printer.line(printer.styled('Bound.', 'green'));
  const shown = state ? { state: stateOf(state), checked: timeText(state.last_checked_at) } : {};
  printer.fields({ platform, identity, avatar, uuid, location: link.proof_location, ...shown });
}

export const unbind = defineCommand({
  usage: 'unbind <platform> <identity>',
  summary: 'revoke a binding of your key',
  details:
    'Your key signs a link that ends the binding; no platform is asked. The history stays. Delete the post yourself.',
  examples: [['signet unbind github alice-demo', 'it is revoked at once']],
  async run(session, [platform, identity]) {
    const { printer, signal } = session;
    const signer = await session.keys.signer();
    const link = await session.client().unbind({ platform: platform!, identity: identity!, signer, signal });
    printer.json({ state: 'revoked', ...link });
    printer.line(
      `${printable(link.identity)} on ${platform} is not bound to ${link.avatar} any more (${printable(link.uuid)}).`,
    );
    showReceipt(session, link.receipt);
  },
});
