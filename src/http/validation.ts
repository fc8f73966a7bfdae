import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import { type ValidationError, validateSync, type ValidatorOptions } from 'class-validator';
import { InvalidRequestError } from '../domain/domain-errors.js';
import { hideFreeJson } from './free-json.js';

/**
 * Turns a body or query into its DTO and checks it. Unknown members are ignored; a member that is `null` counts as absent (decisions.md 4), a
 * missing required one is refused, never given a default.
 * @throws InvalidRequestError (`invalid_request`) with one sentence that names every problem.
 */
@Injectable()
export class RequestValidationPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidUnknownValues: false,
      stopAtFirstError: true,
      exceptionFactory: (errors) => new InvalidRequestError(`${problemsOf(errors).join('; ')}.`),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type !== 'body') return super.transform(value, metadata);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new InvalidRequestError('The body must be a JSON object.');
    }
    return super.transform(hideFreeJson(withoutNulls(value), metadata.metatype), metadata);
  }

  /** None of our checks waits for anything, and a promise for each of them takes longer than the checks. */
  protected override validate(object: object, options?: ValidatorOptions): ValidationError[] {
    return validateSync(object, options);
  }
}

function withoutNulls(body: object): object {
  return Object.fromEntries(Object.entries(body).filter(([, member]) => member !== null));
}

function problemsOf(errors: ValidationError[], path = ''): string[] {
  return errors.flatMap((error) => [
    ...Object.values(error.constraints ?? {}).map((problem) => `${path}${problem}`),
    ...problemsOf(error.children ?? [], `${path}${error.property}.`),
  ]);
}
