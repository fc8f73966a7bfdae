import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { registerDecorator, type ValidationArguments } from 'class-validator';

/**
 * Metadata of a DTO class: the names of its members that hold JSON of the caller's own making. Inherited by subclasses.
 */
const FREE_MEMBERS = Symbol('FREE_MEMBERS');

/**
 * A required member of a body that holds any JSON object, whatever its names are. What turns bodies into DTOs drops
 * `__proto__`, `prototype` and `constructor` at every depth, so `hideFreeJson` hands it such a member inside a
 * function, which it does not look into.
 */
export const FreeJsonObject = (options: ApiPropertyOptions): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: 'object', additionalProperties: true, ...options } as ApiPropertyOptions),
    rememberAsFree,
    Transform(({ value }: { value: unknown }) => (typeof value === 'function' ? (value as () => unknown)() : value)),
    mustBeObject,
  );

/** The body with each free member of `dto` inside a function; the members' values are not touched. */
export function hideFreeJson(body: object, dto: unknown): object {
  const free = typeof dto === 'function' ? freeMembersOf(dto) : [];
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, free.includes(name) ? () => value as unknown : value]),
  );
}

const rememberAsFree: PropertyDecorator = ({ constructor: dto }, name) => {
  Reflect.defineMetadata(FREE_MEMBERS, [...freeMembersOf(dto), String(name)], dto);
};

function freeMembersOf(dto: object): string[] {
  return (Reflect.getMetadata(FREE_MEMBERS, dto) as string[] | undefined) ?? [];
}

const mustBeObject: PropertyDecorator = ({ constructor: target }, name) =>
  registerDecorator({
    name: 'isFreeJsonObject',
    target,
    propertyName: String(name),
    validator: {
      validate: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      defaultMessage: (argument?: ValidationArguments) =>
        argument?.value === undefined ? `${String(name)} is missing` : `${String(name)} must be a JSON object`,
    },
  });
