import { applyDecorators, type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import {
  getMetadataStorage,
  IsObject,
  ValidateNested,
  type ValidationError,
  validateSync,
  type ValidatorOptions,
} from 'class-validator';
import { isObject } from '@signet/verify';
import { InvalidRequestError } from '@signet/look';

type Read = (value: unknown) => unknown;

/** Metadata of a member of a DTO class: the function that reads its value. */
const READ = Symbol('READ');

/** The value of this member of a DTO is what `read` makes of the value that was sent; it is not called for none. */
export const ReadWith =
  (read: Read): PropertyDecorator =>
  (prototype, name) =>
    Reflect.defineMetadata(READ, read, prototype, name);

/** A member of a DTO that is an object of the class `nested`, and is checked as such. */
export const NestedObject = (nested: () => Type<object>): PropertyDecorator =>
  applyDecorators(
    ReadWith((value) => (isObject(value) ? readDto(nested(), value) : value)),
    IsObject({ message: ({ property }) => `${property} must be an object` }),
    ValidateNested(),
  );

/**
 * A new `dto` with what `given` holds under the names that `dto` declares; a member that is `null` counts as absent
 * (docs/design/decisions.md 4) and leaves the default. No other member of `given` is looked at, and no value is walked:
 * what this costs depends on the class alone.
 */
export function readDto<T extends object>(dto: Type<T>, given: object): T {
  const instance = new dto() as T & Record<string, unknown>;
  const source = given as Record<string, unknown>;
  for (const [name, read] of membersOf(dto)) {
    if (!Object.hasOwn(source, name) || source[name] === null) continue;
    (instance as Record<string, unknown>)[name] = read ? read(source[name]) : source[name];
  }
  return instance;
}

/**
 * Lets class-validator find the checks of a class once. It looks for them among those of all classes each time that
 * it checks an object, which takes an eighth of the processor time of a look-up. They are complete when a class is
 * loaded, and the DTOs have no groups of checks, by which the result could differ.
 */
function rememberChecks(): void {
  const storage = getMetadataStorage();
  const find = storage.getTargetValidationMetadatas.bind(storage);
  const known = new Map<unknown, ReturnType<typeof find>>();
  storage.getTargetValidationMetadatas = (dto, ...options) => {
    const checks = known.get(dto) ?? find(dto, ...options);
    known.set(dto, checks);
    return checks;
  };
}
rememberChecks();

const members = new Map<Type<object>, [string, Read | undefined][]>();

/** The members that a class or one it extends declares: those that have a check. */
function membersOf(dto: Type<object>): [string, Read | undefined][] {
  const known = members.get(dto);
  if (known) return known;
  const checks = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const names = [...new Set(checks.map(({ propertyName }) => propertyName))];
  const found = names.map((name): [string, Read | undefined] => [
    name,
    Reflect.getMetadata(READ, dto.prototype as object, name) as Read | undefined,
  ]);
  members.set(dto, found);
  return found;
}

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
