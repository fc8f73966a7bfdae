import { type ArchivedText, type Step, verifyArchiveDocuments } from '@signet/verify';
import { verifyDataItem } from '@signet/verify/data-item';
import { type ArchiveSource, checkedGateway, fetchChain, fetchSignature } from '../archive/fetch-chain.js';
import { RefusedError } from '../exit.js';
import { positiveInteger } from '../options.js';
import { printable, timeText } from '../terminal/printer.js';
import { defineCommand, type Session } from '../session.js';

const DEFAULT_GATEWAY = 'https://arweave.net';
const MAX_LINKS = 100_000;
const IDS_TOGETHER = 4;

/** One archived link, with all checks of its document and of its id. */
interface Report {
  id: string;
  document: { avatar?: unknown; action?: unknown; platform?: unknown; identity?: unknown; created_at?: unknown };
  steps: Step[];
}

export const archiveVerify = defineCommand<{ gateway?: string; maxLinks: number }>({
  usage: 'archive verify <ids...>',
  summary: 'check archived chains, each with nothing but a gateway and the id of its last link',
  details:
    'Needs no server of this service (docs/archive.md). Exits with 1 if anything is wrong, and says which link and why. ' +
    'The gateway is --gateway, or ARWEAVE_GATEWAY_URL, or https://arweave.net.',
  examples: [
    ['signet archive verify Sx2e8ZsW4Rk8v0b1cQ7dJm3yT5uH6pLkN9aBcDeFgHg', 'the chain up to this link'],
    ['signet archive verify --max-links 5000 Sx2e8ZsW4Rk8v0b1cQ7dJm3yT5uH6pLkN9aBcDeFgHg', 'a longer one'],
    ['signet archive verify --gateway https://ar.example Sx2e8ZsW4Rk8v0b1cQ7dJm3yT5uH6pLkN9aBcDeFgHg', 'elsewhere'],
  ],
  options: (command) =>
    command
      .option('--gateway <url>', 'who is asked')
      .option('--max-links <number>', 'how far back a chain is followed', positiveInteger, MAX_LINKS),
  async run(session, ids, { gateway, maxLinks }) {
    const { env } = session.io;
    const url = gateway ?? (env['ARWEAVE_GATEWAY_URL'] || DEFAULT_GATEWAY);
    const source = { gateway: checkedGateway(url), maxLinks, signal: session.signal };
    let bad = 0;
    for (const id of ids as string[]) if (!(await verify(session, source, id))) bad += 1;
    if (bad > 0) throw new RefusedError(`Chains that do not verify: ${bad} of ${ids.length}.`, 'verification_failed');
  },
});

/** Prints the chain and a verdict; whether it is good. @throws NotReachedError */
async function verify({ printer }: Session, source: ArchiveSource, id: string): Promise<boolean> {
  const reports = await fetchChain(source, id)
    .then((texts) => check(source, texts))
    .catch((error: unknown) => {
      if (!(error instanceof RefusedError)) throw error;
      printer.json({ id, ok: false, problem: error.message });
      printer.line(`\nChain of ${id}\n  NOT VALID: ${printable(error.message)}.`);
    });
  if (!reports) return false;
  const of = (wanted: string) => (steps: Step[]) => steps.filter(({ state }) => state === wanted).map(partOf);
  const [problemsOf, openIn] = [of('failed'), of('not_checkable')];
  printer.line(`\nChain of Avatar ${printable(String(reports[0]!.document.avatar))}`);
  const problems: string[] = [];
  for (const [index, { id: own, document, steps }] of reports.entries()) {
    const found = problemsOf(steps);
    problems.push(...found.map((problem) => `link ${index + 1} (${own}): ${problem}`));
    const { action, platform, identity, created_at } = document;
    const what = `${printable(String(action))} ${printable(String(platform))} ${printable(JSON.stringify(identity))}`;
    const mark = found.length === 0 ? printer.styled('ok ', 'green') : printer.styled('BAD', 'red');
    printer.line(`  ${mark} ${index + 1}. ${timeText(String(created_at))} ${what} ${own}`);
    // That a post is not in the archive is known in advance; what is said of ids is said once, below.
    for (const note of openIn(steps.filter(({ name }) => name !== 'post' && name !== 'data_item'))) {
      printer.line(`      Note: ${printable(note)}.`);
    }
    printer.json({ id: own, place: index + 1, ok: found.length === 0, document, steps });
  }
  const notes = new Set(reports.flatMap(({ steps }) => openIn(steps.filter(({ name }) => name === 'data_item'))));
  for (const note of notes) printer.line(`  Note: ${printable(note)}.`);
  for (const problem of problems) printer.line(`  NOT VALID: ${printable(problem)}.`);
  if (problems.length === 0) printer.line(`  VALID: ${reports.length} of ${reports.length} links are verified.`);
  return problems.length === 0;
}

async function check(source: ArchiveSource, texts: ArchivedText[]): Promise<Report[]> {
  const checked = verifyArchiveDocuments(texts);
  const reports: Report[] = [];
  for (let start = 0; start < texts.length; start += IDS_TOGETHER) {
    const group = texts.slice(start, start + IDS_TOGETHER).map(async ({ id, text }, offset) => {
      const { document, steps } = checked[start + offset]!;
      const bytes = await verifyDataItem(id, Buffer.from(text, 'utf8'), await fetchSignature(source, id));
      return { id, document: document ?? {}, steps: [...steps, ...bytes.steps] };
    });
    reports.push(...(await Promise.all(group)));
  }
  return reports;
}

/** A sentence as part of another. */
function partOf({ detail }: Step): string {
  return detail[0]!.toLowerCase() + detail.slice(1, -1);
}
