import { getMetadataStorage, IsInt, IsString } from 'class-validator';
import { RequestValidationPipe } from '../../src/http/validation/validation.js';

class NamedDto {
  @IsString({ message: 'name must be text' })
  name: string;
}
class AgedDto extends NamedDto {
  @IsInt({ message: 'age must be a whole number' })
  age: number;
}

const pipe = new RequestValidationPipe();
const check = (metatype: typeof NamedDto, value: object) => pipe.transform(value, { type: 'body', metatype });

it('looks for the checks of a class once', () => {
  const find = () => getMetadataStorage().getTargetValidationMetadatas(AgedDto, '', false, false);

  expect(find()).toHaveLength(2);
  expect(find()).toBe(find());
});

it.each([1, 2])('checks the members of a class and of the one that it extends: time %i', () => {
  expect(check(AgedDto, { name: 'a', age: 1, other: 2 })).toEqual({ name: 'a', age: 1 });
  expect(check(NamedDto, { name: 'a', age: 'b' })).toEqual({ name: 'a' });
  expect(() => check(AgedDto, { name: 1, age: 'b' })).toThrow('age must be a whole number; name must be text.');
});

it('has class-validator ask for the checks of a class by the method that remembers them', () => {
  class EmptiedDto extends NamedDto {}
  const invalid = { name: 1 };
  expect(() => check(EmptiedDto, invalid)).toThrow('name must be text.');

  getMetadataStorage().getTargetValidationMetadatas(EmptiedDto, '', false, false).length = 0;

  expect(check(EmptiedDto, invalid)).toEqual(invalid);
});
