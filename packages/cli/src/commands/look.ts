import { existsSync } from 'node:fs';
import type { ProofRecord } from '@signet/sdk';
import { findAvatarKey, type SignedLink, verifyChain, verifyExport } from '@signet/verify';
import { NotReachedError, RefusedError } from '../exit.js';
import { readAll, textOf } from '../terminal/io.js';
import type { Bound, Look } from '../look/looks.js';
import { printable, type Style } from '../terminal/printer.js';
import { defineCommand, type Session } from '../session.js';
import { demandAnswer } from '../terminal/steps.js';
import { VERSION } from '../version.js';
import { stateOf } from './proofs.js';

/** Bytes of one reply, and milliseconds of one request: those of the service. */
const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 10_000;
/** Connections to one host. */
const CONNECTIONS = { user: 1, operator: 2 };

const RESULTS: { [result in Look['result']]: { text: string; style: Style } } = {
  seen: { text: 'seen by you just now', style: 'green' },
  not_seen: { text: 'not there', style: 'red' },
  not_asked: { text: 'could not be asked', style: 'yellow' },
  not_set_up: { text: 'needs a setting', style: 'yellow' },
};

interface LookFlags {
  platform?: string;
  compare?: boolean;
}

/** Bindings to look at, and where they come from. */
interface Found {
  bindings: Bound[];
  /** The name of the server; absent for a file. */
  serviceName?: string;
}

export const look = defineCommand<LookFlags>({
  usage: 'look <what>',
  summary: 'look at accounts, posts and wallets yourself, from this machine',
  details:
    'What is an Avatar, an identity, or a file of signet export (a hyphen reads standard input). The chain is checked ' +
    'first; then each platform is asked from here, and no server about the post. Credentials come from the variables ' +
    'that servers have as settings: GITHUB_TOKEN, X_BEARER_TOKEN, DISCORD_BOT_TOKEN, ETH_RPC_URLS (chainId=url, …), ' +
    'KEYBASE_FILE_URL_TEMPLATE; DNS is asked as this machine does (DNS_MODE=doh and DOH_URLS otherwise). Platforms, and ' +
    'hosts that people chose, see the address of this machine. Which bindings there are is what the server or the file ' +
    'shows. Exits with 0 if all was seen, with 1 if something was not there, with 3 if something could not be asked, and ' +
    'with 4 if the chain or the file does not verify.',
  examples: [
    ['signet look alice-demo', 'every binding of this name, looked at from here'],
    [
      'signet look 0x0238e176a158d5c40f36f6b49e8ba9332fb6dca03a34f03373cfaa398f710ddf5d --compare',
      'and what the server says',
    ],
    ['signet look me.json --json', 'what a file says is bound, without any server'],
  ],
  options: (command) =>
    command
      .option('-p, --platform <platform>', 'on this platform only')
      .option('--compare', 'also show where the server says otherwise'),
  async run(session, [what], flags) {
    const { printer } = session;
    const found = await findBindings(session, what!, flags);
    const bindings = found.bindings.filter(({ link }) => !flags.platform || link.platform === flags.platform);
    if (bindings.length === 0)
      throw new RefusedError(`There is no binding of ${JSON.stringify(what)} to look at.`, 'not_found');
    const records = flags.compare ? await serverRecords(session, bindings) : null;
    // Loaded here, so that other commands start as fast as they do.
    const [{ createVerifiers }, { GuardedFetcher }, { lookAtAll }, { platformOptions }] = await Promise.all([
      import('@signet/look'),
      import('@signet/look/node'),
      import('../look/looks.js'),
      import('../look/settings.js'),
    ]);
    const options = platformOptions(session.io.env, found.serviceName);
    const web = new GuardedFetcher({
      ...{ version: VERSION, contact: options.contact },
      ...{ maxBytes: MAX_BYTES, timeoutMs: options.timeoutMs ?? TIMEOUT_MS, connections: CONNECTIONS },
    });
    const looks: Look[] = [];
    try {
      await lookAtAll(bindings, createVerifiers(web, options), (one) => {
        looks.push(one);
        show(session, one, records);
      });
    } finally {
      await web.stop();
    }
    const count = (result: Look['result']) => looks.filter((one) => one.result === result).length;
    if (count('not_seen') > 0) {
      throw new RefusedError(`Of ${looks.length} bindings, ${count('not_seen')} are not there.`, 'not_seen');
    }
    const open = looks.length - count('seen');
    if (open > 0)
      throw new NotReachedError(`Of ${looks.length} bindings, ${open} could not be looked at.`, 'not_looked');
    if (!printer.isJson) printer.line(printer.styled(`All ${looks.length} were seen from here.`, 'dim'));
  },
});

/** @throws VerificationError where a chain or file does not verify, SignetError where the server is not reached */
async function findBindings(session: Session, what: string, { platform }: LookFlags): Promise<Found> {
  const avatar = findAvatarKey(what)?.compressed;
  const isFile = what === '-' || (avatar === undefined && existsSync(what));
  if (isFile) return fromFile(what === '-' ? await readAll(session.io) : await textOf(what));
  const client = session.client({ trustServer: true });
  const { signal } = session;
  const serviceName = await client.serviceName({ signal });
  if (avatar !== undefined) return { bindings: await fromChain(session, avatar), serviceName };
  const groups = await client.proofs.find({ identity: what, platform, signal }).toArray();
  const isNamed = (names: ProofRecord[], link: SignedLink) =>
    names.some((name) => name.platform === link.platform && name.identity === link.identity);
  const bindings: Bound[] = [];
  for (const group of groups) {
    const own = await fromChain(session, group.avatar);
    bindings.push(
      ...own.filter(({ link }) => isNamed(group.proofs, link) && link.identity.toLowerCase() === what.toLowerCase()),
    );
  }
  return { bindings, serviceName };
}

async function fromChain(session: Session, avatar: string): Promise<Bound[]> {
  const links = await session.client({ trustServer: true }).chain(avatar, { signal: session.signal }).toArray();
  const result = verifyChain(links as SignedLink[], { avatar });
  demandAnswer(result, 'The chain');
  return result.bindings.map((link) => ({ avatar, link, accountId: '' }));
}

function fromFile(text: string): Found {
  const result = verifyExport(text);
  demandAnswer(result, 'The file');
  const { avatar, bindings } = result.file!;
  const accountOf = ({ platform, identity }: SignedLink) =>
    bindings.find((one) => one.platform === platform && one.identity === identity)?.evidence?.account_id ?? '';
  return { bindings: result.chain.bindings.map((link) => ({ avatar, link, accountId: accountOf(link) })) };
}

/** What the server says of each, by Avatar, platform and identity. */
async function serverRecords(session: Session, bindings: Bound[]): Promise<Map<string, ProofRecord>> {
  const client = session.client({ trustServer: true });
  const records = new Map<string, ProofRecord>();
  for (const avatar of new Set(bindings.map((one) => one.avatar))) {
    const group = await client.proofs.of(avatar, { signal: session.signal });
    for (const record of group?.proofs ?? []) records.set(keyOf({ avatar, ...record }), record);
  }
  return records;
}

const keyOf = ({ avatar, platform, identity }: Pick<Look, 'avatar' | 'platform' | 'identity'>) =>
  `${avatar} ${platform} ${identity}`;

/** What the server says otherwise; null where it agrees, or where nothing was learnt here. */
function contradictionOf({ result }: Look, record: ProofRecord | undefined): string | null {
  if (result !== 'seen' && result !== 'not_seen') return null;
  if (!record) return 'the server does not show this binding';
  return record.is_valid === (result === 'seen') ? null : `the server says ${stateOf(record)}`;
}

function show({ printer }: Session, one: Look, records: Map<string, ProofRecord> | null): void {
  const record = records?.get(keyOf(one));
  const contradiction = records ? contradictionOf(one, record) : null;
  printer.json({
    ...one,
    ...(records && { server: record ? { is_valid: record.is_valid, invalid_reason: record.invalid_reason } : null }),
    ...(records && { differs: contradiction !== null }),
  });
  if (printer.isJson) return;
  const { text, style } = RESULTS[one.result];
  const name = printable(`${one.platform} ${one.identity}`);
  printer.line(
    `${printer.styled(text.padEnd(20), style)}  ${name}${one.reason === '' ? '' : `: ${printable(one.reason)}`}`,
  );
  if (contradiction !== null) printer.line(`${' '.repeat(20)}  ${printer.styled(printable(contradiction), 'red')}`);
}
