import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { registerDecorator, type ValidationArguments } from 'class-validator';
import { isObject } from './dto-members.js';

/**
 * A required member of a body that holds any JSON object, whatever its names are (`__proto__` is one like any other).
 * It is handed on as it was parsed; whoever uses it bounds its size and depth.
 */
export const FreeJsonObject = (options: ApiPropertyOptions): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: 'object', additionalProperties: true, ...options } as ApiPropertyOptions),
    mustBeObject,
  );

const mustBeObject: PropertyDecorator = ({ constructor: target }, name) =>
  registerDecorator({
    name: 'isFreeJsonObject',
    target,
    propertyName: String(name),
    validator: {
      validate: isObject,
      defaultMessage: (argument?: ValidationArguments) =>
        argument?.value === undefined ? `${String(name)} is missing` : `${String(name)} must be a JSON object`,
    },
  });
