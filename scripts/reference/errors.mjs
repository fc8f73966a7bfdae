import { readFileSync } from 'node:fs';

const CODES = new URL('../../src/api-description/error-codes.json', import.meta.url);

/** docs/reference/errors.md, whole. */
export function errorsPage() {
  /** @type {Record<string, { code: string, status: number, meaning: string }[]>} */
  const groups = JSON.parse(readFileSync(CODES, 'utf8'));
  const tables = Object.entries(groups).map(
    ([subject, codes]) =>
      `## ${subject}\n\n| code | status | meaning |\n| --- | --- | --- |\n${codes
        .map(({ code, status, meaning }) => `| \`${code}\` | ${status} | ${meaning} |`)
        .join('\n')}\n`,
  );
  return `# Error codes

<!-- Written by \`npm run reference\` from src/api-description/error-codes.json. Change that file, not this one. -->

Every error answer is \`{ "message": string, "code": string }\`. The message is one sentence for people and may change; the code is for programs and does not. A successful answer never has a
member \`message\`. Retry only after \`platform_unavailable\`, 429 and 503, and wait for \`Retry-After\` seconds when that header is there. After \`stale_chain\` and \`payload_expired\` ask for
a new payload and sign that. What an app does about the codes of the packages, and about these: [errors, by example](../guide/app/errors.md).

${tables.join('\n')}`;
}
