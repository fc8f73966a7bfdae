import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { type ValidationError, validateSync, type ValidatorOptions } from 'class-validator';
import { InvalidRequestError } from '../../domain/domain-errors.js';
import { isObject, readDto } from './dto-members.js';

const OPTIONS: ValidatorOptions = { forbidUnknownValues: false, stopAtFirstError: true };

/** Far more than any route has; unknown ones are ignored, so some may come along. */
const MAX_PARAMETERS = 100;

/**
 * Turns a body or query into its DTO and checks it. Unknown members are ignored; a member that is `null` counts as
 * absent (docs/design/decisions.md 4), a missing required one is refused, never given a default.
 *
 * Choice: the members that a class declares are read one by one. `plainToInstance` of class-transformer, which Nest's
 * own pipe uses, walks all that it is given, in a time that grows with the square of the number of names: a body of
 * 1 MiB took it 20 seconds. Standard Schema validation of Nest 12 would replace it too; it needs a schema library,
 * whose schemas would repeat what the decorators of these classes say for the description of the API.
 * @throws InvalidRequestError (`invalid_request`) with one sentence that names every problem.
 */
@Injectable()
export class RequestValidationPipe implements PipeTransform<unknown> {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type !== 'body' && type !== 'query') return value;
    if (!isObject(value)) throw new InvalidRequestError('The body must be a JSON object.');
    if (type === 'query') refuseTooMany(value);
    const dto = readDto(metatype as Type<object>, value);
    const errors = validateSync(dto, OPTIONS);
    if (errors.length > 0) throw new InvalidRequestError(`${problemsOf(errors).join('; ')}.`);
    return dto;
  }
}

/** @throws InvalidRequestError */
function refuseTooMany(query: object): void {
  const { length } = Object.keys(query);
  if (length <= MAX_PARAMETERS) return;
  throw new InvalidRequestError(`The query has ${length} parameters; at most ${MAX_PARAMETERS} are allowed.`);
}

function problemsOf(errors: ValidationError[], path = ''): string[] {
  return errors.flatMap((error) => [
    ...Object.values(error.constraints ?? {}).map((problem) => `${path}${problem}`),
    ...problemsOf(error.children ?? [], `${path}${error.property}.`),
  ]);
}
