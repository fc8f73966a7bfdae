/** Values of options. */
import { InvalidArgumentError } from 'commander';

/** For options that are numbers above 0, fractions too. */
export function positiveNumber(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('It has to be a number above 0.');
}

/** For options that count something. */
export function positiveInteger(text: string): number {
  const value = positiveNumber(text);
  if (Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError('It has to be a whole number.');
}

/** For options that may be 0. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new InvalidArgumentError('It has to be a whole number, 0 or above.');
}
