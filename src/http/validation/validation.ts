import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { isObject } from '@signet/verify/internal';
import { InvalidRequestError } from '@signet/look';
import { CompiledDto } from './compiled-dto.js';

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
    const compiled = CompiledDto.of(metatype as Type<object>);
    const dto = compiled.read(value);
    const problems = compiled.problemsOf(dto);
    if (problems.length > 0) throw new InvalidRequestError(`${problems.join('; ')}.`);
    return dto;
  }
}

/** @throws InvalidRequestError */
function refuseTooMany(query: object): void {
  const { length } = Object.keys(query);
  if (length <= MAX_PARAMETERS) return;
  throw new InvalidRequestError(`The query has ${length} parameters; at most ${MAX_PARAMETERS} are allowed.`);
}
