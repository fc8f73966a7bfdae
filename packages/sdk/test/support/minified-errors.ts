/** Bundled and minified by errors.spec.ts: the classes of errors, each by its exported name and by what it says. */
import { KeyFileError, TextFileError } from '@signet/verify/files';
import { PolicyError } from '@signet/verify/log';
import { ObserversError } from '@signet/verify/seen';
import * as sdk from '../../src/errors.js';

type ErrorClass = new (message: string, ...facts: unknown[]) => Error;

const CLASSES = { KeyFileError, ObserversError, PolicyError, TextFileError, ...sdk };

const namesOfErrors = Object.entries(CLASSES)
  .filter(([name]) => name.endsWith('Error'))
  .map(([name, Class]) => [name, new (Class as ErrorClass)('', {}).name]);

process.stdout.write(JSON.stringify(namesOfErrors));
