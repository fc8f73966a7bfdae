import { applyDecorators } from '@nestjs/common';
import { IsNotEmpty, IsString, type ValidationArguments } from 'class-validator';

/** A validator's message: the member is missing, or has the `problem`. */
export const missingOr = (problem: string) => ({
  message: ({ value, property }: ValidationArguments) =>
    value === undefined ? `${property} is missing` : `${property} ${problem}`,
});

/** A required text; the refusal says whether it is missing, empty or no text. */
export const RequiredText = () =>
  applyDecorators(IsString(missingOr('must be text')), IsNotEmpty({ ...missingOr('is empty') }));
