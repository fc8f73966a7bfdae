import { applyDecorators, type Type } from '@nestjs/common';
import { DECORATORS } from '@nestjs/swagger';
import {
  Allow,
  getMetadataStorage,
  IsInt,
  IsOptional,
  IsString,
  registerDecorator,
  ValidateBy,
  ValidateNested,
  ValidatePromise,
} from 'class-validator';
import { CompiledDto } from '../../src/http/validation/compiled-dto.js';
import { NestedObject, ReadWith } from '../../src/http/validation/fields.js';
import { RequestValidationPipe } from '../../src/http/validation/validation.js';
import { requestClasses } from './request-classes.js';

class NamedDto {
  @IsString({ message: 'name must be text' })
  name: string;
}
class AgedDto extends NamedDto {
  @IsInt({ message: 'age must be a whole number' })
  age: number;
}
class OwnedDto {
  @IsOptional()
  @NestedObject(() => NamedDto)
  owner?: NamedDto;
}

const pipe = new RequestValidationPipe();
const check = (metatype: Type<object>, value: unknown, type: 'body' | 'query' = 'body') =>
  pipe.transform(value, { type, metatype });

/** A class with one member that has these decorators. */
function withMember(...decorators: PropertyDecorator[]): Type<object> {
  class OneMemberDto {}
  applyDecorators(...decorators)(OneMemberDto.prototype, 'member');
  return OneMemberDto;
}

it.each([1, 2])('checks the members of a class and of the one that it extends: time %i', () => {
  expect(check(AgedDto, { name: 'a', age: 1, other: 2 })).toEqual({ name: 'a', age: 1 });
  expect(check(NamedDto, { name: 'a', age: 'b' })).toEqual({ name: 'a' });
  expect(() => check(AgedDto, { name: 1, age: 'b' })).toThrow('age must be a whole number; name must be text.');
});

it('names the path of a member of an object in the request', () => {
  expect(check(OwnedDto, { owner: { name: 'a', age: 1 } })).toEqual({ owner: { name: 'a' } });
  expect(check(OwnedDto, { owner: null })).toEqual({});
  expect(() => check(OwnedDto, { owner: {} })).toThrow('owner.name is missing.');
  expect(() => check(OwnedDto, { owner: { name: 1 } })).toThrow('owner.name must be text.');
  expect(() => check(OwnedDto, { owner: ['a'] })).toThrow('owner must be an object.');
});

it('says by default what class-validator says', () => {
  expect(() => check(withMember(IsString()), { member: 1 })).toThrow('member must be a string.');
  expect(() => check(withMember(IsString({ each: true })), { member: ['a', 1] })).toThrow(
    'each value in member must be a string.',
  );
  expect(() => check(withMember(IsInt({ message: '$property of $target' })), { member: 'a' })).toThrow(
    'member of OneMemberDto.',
  );
});

it('says of each required member of every request that it is missing, and of a list that it is no text', async () => {
  const saidOf = (dto: Type<object>, sent: object) => {
    const compiled = CompiledDto.of(dto);
    return compiled.problemsOf(compiled.read(sent));
  };
  for (const { dto } of await requestClasses()) {
    const missing = saidOf(dto, {});
    expect(missing.filter((problem) => !/^\w+ is missing$/.test(problem))).toEqual([]);
    for (const name of missing.map((problem) => problem.split(' ')[0]!)) {
      expect(saidOf(dto, { [name]: [[]] })).not.toContainEqual(
        expect.stringMatching(`^${name} (is missing|.*characters)`),
      );
    }
  }
});

it('takes nothing from the prototype of what was sent, and changes none', () => {
  const sent: unknown = JSON.parse('{"__proto__":{"name":"a"},"constructor":{"name":"a"}}');

  expect(() => check(NamedDto, sent)).toThrow('name is missing.');
  expect(() => check(NamedDto, Object.create({ name: 'a' }))).toThrow('name is missing.');
  expect(Object.getPrototypeOf(check(OwnedDto, sent))).toBe(OwnedDto.prototype);
  expect(({} as { name?: string }).name).toBeUndefined();
});

it('looks at no member that the class does not declare', () => {
  const looked: unknown[] = [];
  const sent = new Proxy({ name: 'a', other: {} } as Record<string, unknown>, {
    get: (target, name) => {
      looked.push(name);
      return target[String(name)];
    },
    ownKeys: () => {
      throw new Error('all names are walked');
    },
  });

  expect(check(NamedDto, sent)).toEqual({ name: 'a' });
  expect(looked).toEqual(['name']);
});

it.each(['a', 1, null, undefined, ['a']])('refuses a body that is no object: %j', (body) => {
  expect(() => check(NamedDto, body)).toThrow('The body must be a JSON object.');
});

it('refuses a query of very many parameters', () => {
  const query = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`name${index}`, '']));

  expect(() => check(NamedDto, query, 'query')).toThrow('The query has 101 parameters; at most 100 are allowed.');
});

describe('a check that would be passed silently', () => {
  const late: PropertyDecorator = ({ constructor: target }, propertyName) =>
    registerDecorator({ target, propertyName: String(propertyName), async: true, validator: { validate: () => true } });

  it.each<[string, PropertyDecorator[], string]>([
    ['of a group', [IsString({ groups: ['a'] })], 'has a check of an unsupported kind: customValidation.'],
    ['of all groups', [IsString({ always: true })], 'has a check of an unsupported kind: customValidation.'],
    [
      'under a condition',
      [IsString({ validateIf: () => true })],
      'has a check of an unsupported kind: customValidation.',
    ],
    ['of nothing', [Allow()], 'has a check of an unsupported kind: whitelistValidation.'],
    ['of a promise', [ValidatePromise()], 'has a check of an unsupported kind: promiseValidation.'],
    ['of objects in a list', [ValidateNested({ each: true })], 'has a check of an unsupported kind: nestedValidation.'],
    ['of an object of any class', [ValidateNested()], 'must be declared by NestedObject.'],
    ['that answers later', [late], 'has a check without a validator that answers at once.'],
  ])('is refused when its class is compiled: %s', (_kind, decorators, problem) => {
    expect(() => CompiledDto.of(withMember(...decorators))).toThrow(`OneMemberDto.member ${problem}`);
  });

  it('is not passed by a promise', () => {
    const later = ValidateBy(
      { name: 'later', validator: { validate: () => Promise.resolve(true) } },
      { message: 'no' },
    );

    expect(() => check(withMember(later), { member: 1 })).toThrow('no.');
  });

  it('is in no class of a body or query', async () => {
    for (const { dto } of await requestClasses()) expect(() => CompiledDto.of(dto)).not.toThrow();
  });

  it('is not hidden by a member that is described and has no check', async () => {
    for (const { dto } of await requestClasses()) {
      const described = Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES_ARRAY, dto.prototype as object) as string[];
      const checked = getMetadataStorage()
        .getTargetValidationMetadatas(dto, '', false, false)
        .map(({ propertyName }) => `:${propertyName}`);

      expect(checked).toEqual(expect.arrayContaining(described));
    }
  });
});

/** A newer version may add an option, which the compiled checks would not know. */
it('knows all that class-validator keeps of a decorator', () => {
  const [kept] = getMetadataStorage().getTargetValidationMetadatas(NamedDto, '', false, false);
  const known = ['type', 'name', 'constraintCls', 'constraints', 'message', 'each', 'groups', 'always', 'validateIf'];
  // Of no concern to the outcome.
  const others = ['target', 'propertyName', 'context', 'validationTypeOptions'];

  expect(Object.keys(kept!).sort()).toEqual([...known, ...others].sort());
});

it('reads a member by the function that its class gives', () => {
  const dto = withMember(
    ReadWith((value) => Number(value)),
    IsInt(),
  );

  expect(check(dto, { member: '7' }, 'query')).toEqual({ member: 7 });
  expect(check(withMember(ReadWith(Number), IsOptional()), { member: null })).toEqual({});
});
