/**
 * Verifies archived ProofChains, each with nothing but a gateway and the id of its last link: no database, no server
 * of ours.
 *
 *   npm run verify-archive -- <archive_id> ...      ARWEAVE_GATEWAY_URL or --gateway names the gateway; default https://arweave.net
 */
import { parseArgs } from 'node:util';
import { checkChain } from './verify-archive/check-chain.mjs';
import { checkId } from './verify-archive/check-id.mjs';
import { fetchChain, isId } from './verify-archive/fetch-chain.mjs';
import { Problem } from './verify-archive/problem.mjs';

const USAGE = 'Usage: npm run verify-archive -- [--gateway <url>] [--max-links <number>] <archive_id> ...';
const IDS_TOGETHER = 4;

/** Prints the chain and a verdict; whether it is good. */
async function verify(gateway, id, maxLinks) {
  const links = await fetchChain(gateway, id, maxLinks);
  const reports = checkChain(links);
  const bound = [];
  for (let start = 0; start < links.length; start += IDS_TOGETHER) {
    const group = links.slice(start, start + IDS_TOGETHER);
    bound.push(...(await Promise.all(group.map((link) => checkId(gateway, link)))));
  }
  console.log(`\nChain of Avatar ${links[0].document.avatar}`);
  const problems = links.flatMap((link, index) => {
    const found = [...reports[index].problems, ...bound[index].problems];
    print(link, index + 1, found, reports[index].notes);
    return found.map((problem) => `link ${index + 1} (${link.id}): ${problem}`);
  });
  const notes = [...new Set(bound.flatMap((report) => report.notes))];
  for (const note of notes) console.log(`  Note: ${note}.`);
  for (const problem of problems) console.log(`  NOT VALID: ${problem}.`);
  if (problems.length === 0) console.log(`  VALID: ${links.length} of ${links.length} links are verified.`);
  return problems.length === 0;
}

function print({ id, document }, place, problems, notes) {
  const time = new Date(Number(document.created_at) * 1000);
  const when = Number.isNaN(time.getTime()) ? 'unknown time' : time.toISOString();
  const mark = problems.length === 0 ? 'ok ' : 'BAD';
  console.log(
    `  ${mark} ${place}. ${when} ${document.action} ${document.platform} ${JSON.stringify(document.identity)} ${id}`,
  );
  for (const note of notes) console.log(`      Note: ${note}.`);
}

async function main() {
  const words = process.argv.slice(2);
  // An id may begin with a hyphen, and is still no option.
  const { values, positionals } = parseArgs({
    args: words.filter((word) => !isId(word)),
    options: { gateway: { type: 'string' }, 'max-links': { type: 'string', default: '100000' } },
    allowPositionals: true,
  });
  const gateway = (values.gateway ?? process.env.ARWEAVE_GATEWAY_URL ?? 'https://arweave.net').replace(/\/+$/, '');
  const maxLinks = Number(values['max-links']);
  const ids = [...words.filter(isId), ...positionals];
  if (ids.length === 0 || !(maxLinks >= 1)) throw new Problem(USAGE);
  for (const id of ids) {
    try {
      if (!(await verify(gateway, id, maxLinks))) process.exitCode = 1;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      console.log(`\nChain of ${id}\n  NOT VALID: ${error.message}.`);
      process.exitCode = 1;
    }
  }
}

await main().catch((error) => {
  if (!(error instanceof Problem) && !error.code?.startsWith('ERR_PARSE_ARGS')) throw error;
  console.error(error instanceof Problem ? error.message : `${error.message}\n${USAGE}`);
  process.exitCode = 1;
});
