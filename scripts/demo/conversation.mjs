/** Talks to a server and shows every request and answer, so that a newcomer can repeat them by hand. */

const isTerminal = process.stdout.isTTY;
/** @type {(code: number) => (text: string) => string} */
const style = (code) => (text) => (isTerminal ? `\u001b[${code}m${text}\u001b[0m` : text);
const bold = style(1);
const dim = style(2);
const green = style(32);

export class DemoFailure extends Error {}

/**
 * Makes a request, shows it, and returns the answer, which is JSON of any shape.
 * @typedef {(method: string, path: string, options?: { body?: object, expected?: number, quiet?: boolean }) =>
 *   Promise<any>} Call
 */

/** @param {string} text */
const indent = (text) => text.replace(/^/gm, '    ');

let step = 0;

/**
 * Prints a headline and the reason of this step.
 * @param {string} title
 * @param {string} why
 */
export function explain(title, why) {
  step += 1;
  console.log(`\n${bold(`${step}. ${title}`)}\n   ${dim(why)}`);
}

/**
 * Prints the result of a check by the demo, not by the server.
 * @param {unknown} condition
 * @param {string} claim
 */
export function confirm(condition, claim) {
  if (!condition) throw new DemoFailure(`This should hold and does not: ${claim}`);
  console.log(`   ${green('ok')} ${claim}`);
}

/**
 * Makes a request with `headers`, prints it (without them) and its answer, and insists on `expected` as the status.
 * @param {string} baseUrl
 * @param {Record<string, string>} [headers]
 * @returns {Call}
 */
export function conversation(baseUrl, headers = {}) {
  return async function call(method, path, { body, expected = 200, quiet = false } = {}) {
    if (!quiet)
      console.log(`\n  > ${bold(`${method} ${path}`)}${body ? `\n${indent(JSON.stringify(body, null, 2))}` : ''}`);
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error) => {
      throw new DemoFailure(
        `No answer from ${baseUrl} (${error.cause?.code ?? error.message}). Start the service with: npm start`,
      );
    });
    const answer = await response.json();
    if (!quiet) console.log(`  < ${bold(String(response.status))}\n${indent(JSON.stringify(answer, null, 2))}`);
    if (response.status !== expected) {
      throw new DemoFailure(
        `${method} ${path} answered ${response.status} where ${expected} was expected: ${JSON.stringify(answer)}`,
      );
    }
    return answer;
  };
}
