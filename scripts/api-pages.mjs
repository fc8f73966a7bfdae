/**
 * Writes the reference of the packages into `api/`, from the comments in their sources: a page for each entry point
 * that their manifests name. `npm run docs` does that before it builds the site; nothing of it is committed.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  Application,
  Comment,
  CommentTag,
  Converter,
  OptionDefaults,
  ReferenceReflection,
  ReflectionKind,
} from 'typedoc';
import { MarkdownPageEvent } from 'typedoc-plugin-markdown';
import { entryPoints } from './reference/entry-points.mjs';
import { readExamples } from './reference/examples.mjs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const OUT = path.join(ROOT, 'api');

const entries = entryPoints();
const app = await Application.bootstrapWithPlugins({
  entryPoints: entries.map(({ source }) => source),
  tsconfig: path.join(ROOT, 'tsconfig.json'),
  plugin: ['typedoc-plugin-markdown'],
  outputs: [{ name: 'markdown', path: OUT }],
  name: 'Reference of the packages',
  readme: 'none',
  skipErrorChecking: true, // `npm run typecheck` does that
  excludeInternal: true,
  excludePrivate: true,
  excludeExternals: true,
  disableSources: true,
  blockTags: [...OptionDefaults.blockTags, '@description'],
  validation: { notExported: false, invalidLink: true, rewrittenLink: false },
  treatWarningsAsErrors: true,
});
const LAYOUT = {
  ...{ router: 'module', entryFileName: 'index', excludeScopesInPaths: true },
  ...{ hidePageHeader: true, hideBreadcrumbs: true, useCodeBlocks: true, parametersFormat: 'table' },
  // Members and their classes would get one anchor otherwise, such as `Step.name` and `StepName`.
  ...{ useCustomAnchors: true, customAnchorsFormat: 'curlyBrace' },
};
for (const [name, value] of Object.entries(LAYOUT)) app.options.setValue(name, value);

// TypeDoc calls an entry point by its file below `packages`; a reader imports it by its name.
const calledBy = new Map(entries.map(({ source, name }) => [pathOf(source), name]));
app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
  for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
    module.name = calledBy.get(module.name) ?? module.name;
  }
  addExamples(project.getReflectionsByKind(ReflectionKind.Module));
  for (const { comment } of Object.values(project.reflections)) {
    // The description of the API has its texts behind a tag.
    const description = comment?.getTag('@description');
    if (!comment || !description) continue;
    comment.summary = description.content;
    comment.removeTags('@description');
  }
});

app.renderer.on(MarkdownPageEvent.END, (page) => {
  page.contents = page.contents
    // What is said of every function needs no anchor, which could be that of a member.
    ?.replace(/^#{4,} ((?:(?!\{#).)+)$/gm, '**$1**')
    .replace(/\[([^\]]+)\]\([^)\s]*#constructor[-\d]*\)/g, '$1')
    .replace(/<a id="[\w-]+"><\/a> /g, '');
});

const project = await app.convert();
if (!project) throw new Error('TypeDoc could not read the packages.');
app.validate(project);
rmSync(OUT, { recursive: true, force: true });
await app.generateOutputs(project);
if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exitCode = 1;

/**
 * Puts the examples that `npm test` runs into the comments of the exports that they show.
 * @param {import('typedoc').Reflection[]} modules
 */
function addExamples(modules) {
  const examples = readExamples();
  for (const module of modules) {
    for (const child of /** @type {import('typedoc').DeclarationReflection} */ (module).children ?? []) {
      const example = examples.get(`${module.name} ${child.name}`);
      if (example === undefined) continue;
      const shown = child instanceof ReferenceReflection ? child.getTargetReflectionDeep() : child;
      const { signatures } = /** @type {import('typedoc').DeclarationReflection} */ (shown);
      for (const one of shown.kindOf(ReflectionKind.Function) ? (signatures ?? []) : [shown]) {
        one.comment ??= new Comment();
        const text = `\`\`\`ts\n${example}\n\`\`\``;
        one.comment.blockTags.push(new CommentTag('@example', [{ kind: 'code', text }]));
      }
    }
  }
}

/** @param {string} source */
function pathOf(source) {
  return path.relative(path.join(ROOT, 'packages'), source).replace(/(\/index)?\.ts$/, '');
}
