import { readFile } from 'node:fs/promises';

/**
 * The result of a run of Stryker as one line. A time-out counts as killed, as an endless loop ends in one; their number
 * is printed, because a busy machine makes them too.
 * @param {string} part name of the part, whose JSON report stands where test/config/stryker.config.mjs has it written.
 */
export async function scoreOf(part) {
  const { files } = JSON.parse(await readFile(`.cache/mutation/${part}.json`, 'utf8'));
  /** @type {{ status: string }[]} */
  const mutants = Object.values(files).flatMap(({ mutants: own }) => own);
  /** @param {string} status */
  const count = (status) => mutants.filter((mutant) => mutant.status === status).length;
  const [killed, timeOuts, survived, unreached] = ['Killed', 'Timeout', 'Survived', 'NoCoverage'].map(count);
  const all = killed + timeOuts + survived + unreached;
  const score = (((killed + timeOuts) / all) * 100).toFixed(1);
  return `${part}: ${all} mutants, ${score} %, ${killed} killed, ${timeOuts} timed out, ${survived} survived, ${unreached} reached by no test`;
}
