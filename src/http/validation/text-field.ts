import { applyDecorators } from '@nestjs/common';
import { IsNotEmpty, IsString, type ValidationArguments } from 'class-validator';

/** A validator's message: the member is missing, or has the `problem`. */
export const missingOr = (problem: string) => ({
  message: ({ value, property }: ValidationArguments) =>
    value === undefined ? `${property} is missing` : `${property} ${problem}`,
});

/** A required text; the refusal names the problem: missing, empty or not text. */
export const RequiredText = () =>
  applyDecorators(IsString(missingOr('must be text')), IsNotEmpty({ ...missingOr('is empty') }));
