import { getMetadataStorage, ValidationTypes } from 'class-validator';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata.js';
import { isObject } from './dto-members.js';

/** One check that a member of `object` with this `value` passes. */
type Check = (object: object, value: unknown) => boolean;

interface MemberChecks {
  name: string;
  /** All have to hold, or the member is not checked. */
  conditions: Check[];
  checks: Check[];
}

/** Null for a class with checks of other kinds than those that are known here. */
const known = new WeakMap<object, MemberChecks[] | null>();

/**
 * Whether `dto` passes every check that its class declares, by the validators of class-validator themselves, which are
 * looked up once for each class. `validateSync` gathers and sorts the declarations anew for each body, and makes a
 * report of it even if all is well.
 * @returns false too where this cannot tell; `validateSync` can, and says what is wrong
 */
export function passesChecks(dto: object): boolean {
  const members = checksOf(dto.constructor);
  if (!members) return false;
  const values = dto as Record<string, unknown>;
  return members.every(({ name, conditions, checks }) => {
    const value = values[name];
    return !conditions.every((holds) => holds(dto, value)) || checks.every((passes) => passes(dto, value));
  });
}

function checksOf(dto: object): MemberChecks[] | null {
  let members = known.get(dto);
  if (members === undefined) known.set(dto, (members = compile(dto)));
  return members;
}

function compile(dto: object): MemberChecks[] | null {
  const declared = getMetadataStorage().getTargetValidationMetadatas(dto as never, '', false, false);
  const members = new Map<string, MemberChecks>();
  for (const metadata of declared) {
    const name = metadata.propertyName;
    const member = members.get(name) ?? { name, conditions: [], checks: [] };
    members.set(name, member);
    if (metadata.type === ValidationTypes.CONDITIONAL_VALIDATION) member.conditions.push(conditionOf(metadata));
    else {
      const checks = checksOfOne(metadata);
      if (!checks) return null;
      member.checks.push(...checks);
    }
  }
  return [...members.values()];
}

function conditionOf({ constraints }: ValidationMetadata): Check {
  return constraints[0] as Check;
}

function checksOfOne(metadata: ValidationMetadata): Check[] | null {
  const { type, each, validateIf, groups } = metadata;
  if (validateIf || (groups?.length ?? 0) > 0) return null;
  if (type === ValidationTypes.NESTED_VALIDATION) return each ? null : [isNestedValid];
  if (type !== ValidationTypes.CUSTOM_VALIDATION) return null;
  const validators = getMetadataStorage().getTargetValidatorConstraints(metadata.constraintCls);
  if (validators.some(({ async }) => async)) return null;
  const { propertyName: property, constraints } = metadata;
  return validators.map(({ instance }) => (object, value) => {
    const about = { value, constraints, targetName: object.constructor.name, object, property };
    // A promise is not `true`.
    const passes = (one: unknown) => instance.validate(one, about) === true;
    return each && Array.isArray(value) ? value.every(passes) : passes(value);
  });
}

function isNestedValid(_object: object, value: unknown): boolean {
  return isObject(value) && passesChecks(value);
}
