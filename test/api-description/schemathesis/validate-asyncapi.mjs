/**
 * Reads a JSON list of AsyncAPI documents and writes what the parser of that specification finds wrong with each:
 * errors and warnings, as a list of sentences. A program of its own because the parser compares classes, of which jest
 * makes others.
 */
import { text } from 'node:stream/consumers';
import { Parser } from '@asyncapi/parser';

/** Severities of the parser: 0 is an error, 1 a warning, the others are hints. */
const WARNING = 1;

/** @type {object[]} */
const documents = JSON.parse(await text(process.stdin));
const problems = documents.map(async (document) => {
  const diagnostics = await new Parser().validate(JSON.stringify(document));
  return diagnostics
    .filter(({ severity }) => severity <= WARNING)
    .map(({ code, message, path }) => `${code}: ${message} at ${path.join('.')}`);
});
process.stdout.write(JSON.stringify(await Promise.all(problems)));
