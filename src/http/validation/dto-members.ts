import { applyDecorators, type Type } from '@nestjs/common';
import { getMetadataStorage, IsObject, ValidateNested } from 'class-validator';

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

const needingMembers = new Set<Type<object>>();

/** A body of which at least one member is needed; which ones count, and the refusal, is up to who uses it. */
export const NeedsMember = (): ClassDecorator => (target) => {
  needingMembers.add(target as unknown as Type<object>);
};

/** The names of the classes that are declared with `NeedsMember`. */
export function namesNeedingMembers(): string[] {
  return [...needingMembers].map(({ name }) => name);
}

/** Whether the value is an object of JSON, which an array is not. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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
