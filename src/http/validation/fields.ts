import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsIn, IsInt, IsNotEmpty, IsObject, IsOptional, IsString, Max, Min, ValidateNested } from 'class-validator';

/* What decorators say of the members of a body or query. A member is read only if it has one of class-validator. */

export type Read = (value: unknown) => unknown;

/** Metadata of a member: the function that reads its value. */
const READ = Symbol('READ');
/** Metadata of a member: a function that returns the class of its value. */
const NESTED = Symbol('NESTED');

/** The value of this member of a DTO is what `read` makes of the value that was sent; it is not called for none. */
export const ReadWith =
  (read: Read): PropertyDecorator =>
  (prototype, name) =>
    Reflect.defineMetadata(READ, read, prototype, name);

/** The function that `ReadWith` gave to a member. */
export function readOf(dto: Type<object>, name: string): Read | undefined {
  return Reflect.getMetadata(READ, dto.prototype as object, name) as Read | undefined;
}

/** A member of a DTO that is an object of the class `nested`, and is checked as such. */
export const NestedObject = (nested: () => Type<object>): PropertyDecorator =>
  applyDecorators(
    (prototype: object, name: string | symbol) => Reflect.defineMetadata(NESTED, nested, prototype, name),
    IsObject({ message: ({ property }) => `${property} must be an object` }),
    ValidateNested(),
  );

/** The class that `NestedObject` gave to a member. */
export function nestedOf(dto: Type<object>, name: string): Type<object> | undefined {
  return (Reflect.getMetadata(NESTED, dto.prototype as object, name) as (() => Type<object>) | undefined)?.();
}

/** A required text, with its description; the refusal names the problem: missing, empty or not text. */
export const RequiredText = (description: ApiPropertyOptions) =>
  applyDecorators(
    ApiProperty(description),
    IsString({ message: '$property must be text' }),
    IsNotEmpty({ message: '$property is empty' }),
  );

/** An optional text, described by `options`; `problem` is what the refusal of anything else says of it. */
export const OptionalText = (problem: string, options: ApiPropertyOptions) =>
  applyDecorators(ApiPropertyOptional(options), IsOptional(), IsString({ message: `$property ${problem}` }));

/** An optional text that is one of `words`, described by `options`. */
export const OptionalChoice = (words: readonly string[], options: ApiPropertyOptions) =>
  applyDecorators(
    ApiPropertyOptional({ ...options, enum: words } as ApiPropertyOptions),
    IsOptional(),
    IsIn(words, { message: `$property must be one of ${words.join(', ')}` }),
  );

/** The checks of a whole number; `problem` is what the refusal of a smaller one than `least` says of it. */
export const WholeNumber = (least: number, problem = `must be at least ${least}`) =>
  applyDecorators(
    IsInt({ message: '$property must be a whole number' }),
    Min(least, { message: `$property ${problem}` }),
    Max(Number.MAX_SAFE_INTEGER, { message: '$property is too large' }),
  );

/**
 * A required member of a body that holds any JSON object, with any names (`__proto__` is one like any other).
 * The object is handed on as it was parsed; the code that uses it bounds its size and depth.
 */
export const FreeJsonObject = (options: ApiPropertyOptions): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: 'object', additionalProperties: true, ...options } as ApiPropertyOptions),
    IsObject({ message: '$property must be a JSON object' }),
  );

/** How `ApiProperty` describes a number from 0 to 1; every other number of the API is a whole one. */
export const FRACTION = { type: 'number', format: 'double', minimum: 0, maximum: 1 } as const;
