import { applyDecorators } from '@nestjs/common';
import { IsNotEmpty, IsString, type ValidationArguments } from 'class-validator';

const missingOr = (problem: string) => ({
  message: ({ value, property }: ValidationArguments) =>
    value === undefined ? `${property} is missing` : `${property} ${problem}`,
});

/** A required text; the refusal says whether it is missing, empty or no text. */
export const RequiredText = () =>
  applyDecorators(IsString(missingOr('must be text')), IsNotEmpty({ ...missingOr('is empty') }));
