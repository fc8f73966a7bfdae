import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PLATFORM_DEFAULTS } from '@signet/look';
import ts from 'typescript';

const CONFIG = fileURLToPath(new URL('../../src/config/settings/', import.meta.url));

/** Headlines of the groups, in the order of the page; each is a file of src/config/settings. */
const GROUPS = {
  'service-settings.ts': 'Service',
  'database-settings.ts': 'Database',
  'proof-settings.ts': 'Payloads, bindings and rechecks',
  'kv-settings.ts': 'Key-value service',
  'log-settings.ts': 'Transparency log',
  'platform-settings.ts': 'Platforms',
  'witness-settings.ts': 'Witnesses',
  'observer-settings.ts': 'Observers',
  'delivery-settings.ts': 'Events, webhooks and archive',
  'operation-settings.ts': 'Administration, tracing and limits',
};

/**
 * @returns the groups of settings as the sources declare them: `{ title, about, settings: [{ name, fallback, about,
 * isSecret, bounds }] }`. `fallback` is the default as one would write it in the environment, `''` if there is none.
 */
function settingGroups() {
  return Object.entries(GROUPS).map(([name, title]) => {
    const source = ts.createSourceFile(name, readFileSync(CONFIG + name, 'utf8'), ts.ScriptTarget.Latest, true);
    const group = source.statements.find(ts.isClassDeclaration);
    if (!group) throw new Error(`${name} declares no settings.`);
    return {
      title,
      about: commentOf(group),
      settings: group.members.filter(ts.isPropertyDeclaration).map((member) => settingOf(member, source)),
    };
  });
}

/** @param {ts.PropertyDeclaration} member @param {ts.SourceFile} source */
function settingOf(member, source) {
  const decorators = (ts.getDecorators(member) ?? [])
    .map(({ expression }) => expression)
    .filter(ts.isCallExpression)
    .map((call) => ({ name: call.expression.getText(source), values: [...call.arguments] }));
  const [least, most] = decorators.find(({ name }) => name === 'Int')?.values.map((one) => valueOf(one, source)) ?? [];
  return {
    name: member.name.getText(source),
    fallback: member.initializer ? inEnvironment(valueOf(member.initializer, source)) : '',
    about: commentOf(member),
    isSecret: decorators.some(({ name }) => name === 'Secret'),
    bounds: { least, most },
  };
}

/** @param {ts.Node} node */
const commentOf = (node) =>
  (ts.getTextOfJSDocComment(ts.getJSDocCommentsAndTags(node)[0]?.comment) ?? '').replace(/\s*\n\s*/g, ' ').trim();

/**
 * Literals, lists and arithmetic of our own sources, such as `7 * 24 * 3600`, and the defaults of verifiers.
 * @param {ts.Node} expression
 * @param {ts.SourceFile} source
 */
const valueOf = (expression, source) =>
  new Function('PLATFORM_DEFAULTS', `return (${expression.getText(source)});`)(PLATFORM_DEFAULTS);

/** @param {unknown} value */
const inEnvironment = (value) => (typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value));

/** docs/reference/settings.md, whole. */
export function settingsPage() {
  /** @param {string} text */
  const cell = (text) => text.replaceAll('|', '\\|');
  /** @param {{ least?: number, most?: number }} bounds */
  const range = ({ least, most }) =>
    most === undefined
      ? least === undefined
        ? ''
        : ` At least ${least.toLocaleString('en')}.`
      : ` From ${(least ?? 0).toLocaleString('en')} to ${most.toLocaleString('en')}.`;
  const tables = settingGroups().map(
    ({ title, about, settings }) =>
      `## ${title}\n\n${about}\n\n| setting | default | meaning |\n| --- | --- | --- |\n${settings
        .map(
          ({ name, fallback, about: meaning, isSecret, bounds }) =>
            `| \`${name}\`${isSecret ? ' \u{1f511}' : ''} | ${fallback === '' ? '' : `\`${cell(fallback)}\``} | ${cell(meaning)}${range(bounds)} |`,
        )
        .join('\n')}\n`,
  );
  return `# Settings

<!-- Written by \`npm run reference\` from src/config/settings. Change the comments there, not this file. -->

Settings are environment variables. None is needed to start. An empty value counts as not set. A list is separated by commas; \`on\`, \`true\` and \`1\` mean the same,
and so do \`off\`, \`false\` and \`0\`. A start with wrong settings ends with one list of everything that is wrong, without the values.

A setting marked \u{1f511} opens something. It can also be given as a file: \`ADMIN_TOKEN_FILE=/run/secrets/admin-token\` names a file that holds the value of \`ADMIN_TOKEN\`, as Docker and
Kubernetes mount secrets.

${tables.join('\n')}`;
}
