import type { Type } from '@nestjs/common';
import {
  getMetadataStorage,
  type ValidationArguments,
  ValidationTypes,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { isObject } from '@signet/verify/internal';
import { nestedOf, type Read, readOf } from './fields.js';

const storage = getMetadataStorage();

/** What one decorator of class-validator says of a member. */
type Declared = ReturnType<typeof storage.getTargetValidationMetadatas>[number];

/** Whether a member of `dto` with this value is checked at all. */
type Condition = (dto: object, value: unknown) => boolean;
/** The sentence that refuses a value of a member of `dto`, or null. */
type Check = (dto: object, value: unknown) => string | null;

interface Member {
  name: string;
  /** Makes the value from what was sent; absent: the value is what was sent. */
  read: Read | undefined;
  /** All have to hold, or the member is not checked. */
  conditions: Condition[];
  /** The first that refuses gives the sentence. */
  checks: Check[];
  /** The class of an object, whose members are checked if it passes its own checks. */
  nested: CompiledDto | null;
}

/**
 * The functions that read and check a body or query of one class. They are made once from the decorators of the class
 * and of those that it extends, by the validators of class-validator, and give its sentences.
 *
 * Choice: class-validator itself gathers the declarations of a class for each object that it checks, and makes a report
 * of it even if all is well, which takes longer than all checks (docs/benchmarks.md).
 */
export class CompiledDto<T extends object = object> {
  private static readonly known = new Map<Type<object>, CompiledDto>();

  private constructor(
    private readonly dto: Type<T>,
    private readonly members: Member[],
  ) {}

  /** @throws Error for a decorator that is not supported here, whose check would be passed silently otherwise */
  static of<T extends object>(dto: Type<T>): CompiledDto<T> {
    const known = CompiledDto.known.get(dto);
    if (known) return known as CompiledDto<T>;
    const compiled = new CompiledDto(dto, membersOf(dto));
    CompiledDto.known.set(dto, compiled);
    return compiled;
  }

  /**
   * A new object of the class with what `given` holds under the names that the class declares; a member that is `null`
   * counts as absent (docs/design/decisions.md 4) and leaves the default. No other member of `given` is looked at, and
   * no value is walked: what this costs depends on the class alone.
   */
  read(given: object): T {
    const dto = new this.dto() as Record<string, unknown>;
    const source = given as Record<string, unknown>;
    for (const { name, read } of this.members) {
      const value = Object.hasOwn(source, name) ? source[name] : null;
      if (value !== null) dto[name] = read ? read(value) : value;
    }
    return dto as T;
  }

  /**
   * One sentence for each member of `dto` that is refused; `path` comes before the name of a member. A member without
   * a value is missing, whatever its checks say.
   */
  problemsOf(dto: T, path = ''): string[] {
    const problems: string[] = [];
    for (const { name, conditions, checks, nested } of this.members) {
      const value = (dto as Record<string, unknown>)[name];
      if (!conditions.every((holds) => holds(dto, value))) continue;
      const problem = firstProblem(checks, dto, value);
      if (problem !== null) problems.push(path + (value === undefined ? `${name} is missing` : problem));
      else if (nested) problems.push(...nested.problemsOf(value as object, `${path}${name}.`));
    }
    return problems;
  }
}

function firstProblem(checks: Check[], dto: object, value: unknown): string | null {
  for (const check of checks) {
    const problem = check(dto, value);
    if (problem !== null) return problem;
  }
  return null;
}

/** The members that have a decorator of class-validator, in the order in which class-validator checks them. */
function membersOf(dto: Type<object>): Member[] {
  const declared = storage.getTargetValidationMetadatas(dto, '', false, false);
  return Object.entries(storage.groupByPropertyName(declared)).map(([name, ofMember]) => {
    const unsupported = ofMember.find((one) => !isSupported(one));
    if (unsupported) throw new Error(`${dto.name}.${name} has a check of an unsupported kind: ${unsupported.type}.`);
    const ofType = (type: string) => ofMember.filter((one) => one.type === type);
    const nested = ofType(ValidationTypes.NESTED_VALIDATION).length > 0 ? nestedMember(dto, name, ofMember) : null;
    return {
      name,
      read: nested ? (value) => (isObject(value) ? nested.read(value) : value) : readOf(dto, name),
      conditions: ofType(ValidationTypes.CONDITIONAL_VALIDATION).map(({ constraints }) => constraints[0] as Condition),
      checks: ofType(ValidationTypes.CUSTOM_VALIDATION).flatMap((one) => checksOf(dto, one)),
      nested,
    };
  });
}

const SUPPORTED: string[] = [
  ValidationTypes.CUSTOM_VALIDATION,
  ValidationTypes.CONDITIONAL_VALIDATION,
  ValidationTypes.NESTED_VALIDATION,
];

/** Groups of checks, checks under a condition of their own and lists of nested objects are not. */
function isSupported({ type, groups, always, validateIf, each }: Declared): boolean {
  const isNestedList = type === ValidationTypes.NESTED_VALIDATION && each;
  const isPlain = always === undefined && validateIf === undefined && (groups?.length ?? 0) === 0;
  return SUPPORTED.includes(type) && isPlain && !isNestedList;
}

/** @throws Error if the member is not declared by `NestedObject`, so that its value may be no object of the class */
function nestedMember(dto: Type<object>, name: string, declared: Declared[]): CompiledDto {
  const nested = nestedOf(dto, name);
  if (nested && declared.some((one) => one.name === 'isObject')) return CompiledDto.of(nested);
  throw new Error(`${dto.name}.${name} must be declared by NestedObject.`);
}

function checksOf(dto: Type<object>, { propertyName: property, constraintCls, ...declared }: Declared): Check[] {
  const { constraints, each, message } = declared;
  const validators = storage.getTargetValidatorConstraints(constraintCls);
  if (validators.length === 0 || validators.some(({ async }) => async)) {
    throw new Error(`${dto.name}.${property} has a check without a validator that answers at once.`);
  }
  return validators.map(({ instance: validator }) => {
    // A promise is not `true`.
    const passes = (value: unknown, about: ValidationArguments) => validator.validate(value, about) === true;
    return (object, value) => {
      const about = { value, constraints, targetName: dto.name, object, property };
      const isList = each && Array.isArray(value);
      if (isList ? value.every((one) => passes(one, about)) : passes(value, about)) return null;
      return sentence(message, validator, about);
    };
  });
}

/** The sentence of a failed check as class-validator writes it, with names and limits in the place of their words. */
function sentence(message: Declared['message'], validator: ValidatorConstraintInterface, about: ValidationArguments) {
  const given = message || (validator.defaultMessage?.(about) ?? '');
  let text = typeof given === 'string' ? given : given(about);
  for (const [index, constraint] of (about.constraints ?? []).entries()) {
    text = text.replaceAll(`$constraint${index + 1}`, () => shown(constraint));
  }
  return text.replaceAll('$property', () => about.property).replaceAll('$target', () => about.targetName);
}

function shown(constraint: unknown): string {
  return Array.isArray(constraint) ? constraint.join(', ') : String(constraint);
}
