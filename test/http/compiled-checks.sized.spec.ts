import { isDeepStrictEqual } from 'node:util';
import type { Type } from '@nestjs/common';
import { getMetadataStorage, type ValidationError, validateSync } from 'class-validator';
import fc from 'fast-check';
import { InvalidRequestError } from '@signet/look';
import { isObject } from '@signet/verify/internal';
import { nestedOf, readOf } from '../../src/http/validation/fields.js';
import { RequestValidationPipe } from '../../src/http/validation/validation.js';
import { sized } from '../support/tier.js';
import { type RequestClass, requestClasses } from './request-classes.js';

/*
 * What the service checks is compiled from the decorators of each class. Here class-validator itself checks the same
 * random bodies and queries of all routes, and has to say the same, but for what is missing.
 */

const REQUESTS = sized('CHECKED_REQUESTS', { short: 4000, long: 300_000 });

const ABSENT = Symbol('absent');
const NAMES_OF_NO_MEMBER = ['__proto__', 'constructor', 'toString', 'unknown'];
const TEXTS = [
  ...['', ' ', 'a', 'true', 'false', '0', '1', '-1', '15', '100', '101', '1.5', '1e3', '0x10', '9007199254740993'],
  ...['null', 'create', '1700000000', '909353ef-a9bb-4b4b-be79-a1e4eb82bd57', '9f'.repeat(32), `0x${'1b'.repeat(65)}`],
  ...['$property $target $constraint1 $value $&', 'é\u0000\ud800'],
];
const QUERY_VALUES: unknown[] = [...TEXTS, [], ['a', 'b'], ['1', '2']];
const BODY_VALUES: unknown[] = [
  ...[...QUERY_VALUES, null, true, false, 0, -0, 1, -1, 1.5, 1e300, 2 ** 53, 1_700_000_000],
  ...[['a', 1], [null], [['a']], {}, { a: 1 }, { length: 1, constructor: null }, JSON.parse('{"__proto__":{"a":1}}')],
];

const classes = await requestClasses();
const pipe = new RequestValidationPipe();

type Outcome = { dto: object } | { message: string; code: string };

/** The outcome by the code of the service. */
function outcomeOf({ dto, type }: RequestClass, sent: object): Outcome {
  try {
    return { dto: pipe.transform(sent, { type, metatype: dto }) as object };
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    return { message: error.message, code: error.code };
  }
}

/** The outcome by class-validator. */
function expectedOutcome(dto: Type<object>, sent: object): Outcome {
  const read = readPlainly(dto, sent);
  const problems = problemsOf(checkPlainly(read));
  return problems.length > 0 ? { message: `${problems.join('; ')}.`, code: 'invalid_request' } : { dto: read };
}

function checkPlainly(read: object): ValidationError[] {
  return validateSync(read, { forbidUnknownValues: false, stopAtFirstError: true });
}

function readPlainly(dto: Type<object>, sent: object): object {
  const members = namesOf(dto).flatMap((name) => {
    const value: unknown = Object.getOwnPropertyDescriptor(sent, name)?.value ?? null;
    if (value === null) return [];
    const nested = nestedOf(dto, name);
    const read = nested
      ? (given: unknown) => (isObject(given) ? readPlainly(nested, given) : given)
      : readOf(dto, name);
    return [[name, read ? read(value) : value] as const];
  });
  return Object.assign(new dto(), Object.fromEntries(members));
}

function problemsOf(errors: ValidationError[], path = ''): string[] {
  return errors.flatMap((error) => [
    ...Object.values(error.constraints ?? {}).map(
      (problem) => path + (error.value === undefined ? `${error.property} is missing` : problem),
    ),
    ...problemsOf(error.children ?? [], `${path}${error.property}.`),
  ]);
}

function checksOf(dto: Type<object>) {
  return getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
}

function namesOf(dto: Type<object>): string[] {
  return [...new Set(checksOf(dto).map(({ propertyName }) => propertyName))];
}

/** What may be sent under a name: most of the time a value that its checks allow, so that some whole requests are. */
function sentValue(request: RequestClass, name: string): fc.Arbitrary<unknown> {
  const { dto, type } = request;
  const nested = nestedOf(dto, name);
  const values = [...(type === 'query' ? QUERY_VALUES : BODY_VALUES), ...limitsOf(request, name)];
  const isAllowed = (value: unknown) =>
    checkPlainly(readPlainly(dto, { [name]: value })).every(({ property }) => property !== name);
  const refused = values.filter((value) => !isAllowed(value));
  return fc.oneof(
    {
      weight: 2 * namesOf(dto).length,
      arbitrary: nested ? sentTo({ dto: nested, type }) : fc.constantFrom(...values.filter(isAllowed)),
    },
    fc.constantFrom(ABSENT, ...refused),
    fc.constant(ABSENT),
  );
}

/** Values at the limits that the decorators of a member name. */
function limitsOf({ dto, type }: RequestClass, name: string): unknown[] {
  const limits = checksOf(dto)
    .filter(({ propertyName }) => propertyName === name)
    .flatMap(({ name: check, constraints = [] }): unknown[] => {
      const [limit] = constraints as unknown[];
      if (check === 'isIn') return limit as unknown[];
      if (check === 'maxLength') return [0, 1].map((more) => 'x'.repeat((limit as number) + more));
      return typeof limit === 'number' ? [limit - 1, limit, limit + 1] : [];
    });
  return type === 'query' ? limits.map(String) : [...limits, ...limits.map(String)];
}

function sentTo(request: RequestClass): fc.Arbitrary<object> {
  const declared = namesOf(request.dto).map((name) => fc.tuple(fc.constant(name), sentValue(request, name)));
  const others = fc.tuple(fc.constantFrom(...NAMES_OF_NO_MEMBER), fc.constantFrom(ABSENT, ...TEXTS));
  return fc.tuple(others, ...declared).map((members) => {
    const sent: object = Object.fromEntries(members.filter(([, value]) => value !== ABSENT));
    // As the parser of queries makes them.
    return request.type === 'query' ? Object.setPrototypeOf(sent, null) : sent;
  });
}

it('finds the classes of bodies and queries of all controllers', () => {
  const names = classes.map(({ dto }) => dto.name);

  expect(names).toEqual(
    expect.arrayContaining([
      'SubmitRequestDto',
      'BindingQueryDto',
      'SubscriptionRequestDto',
      'EventsQueryDto',
      'SeenQueryDto',
    ]),
  );
  expect(names.length).toBeGreaterThan(25);
});

it(
  `answers ${REQUESTS} random bodies and queries as class-validator does`,
  () => {
    const seen = new Map(classes.map(({ dto }) => [dto.name, { accepted: 0, refused: 0 }]));
    const request = fc.oneof(...classes.map((one) => sentTo(one).map((sent) => ({ ...one, sent }))));

    fc.assert(
      fc.property(request, ({ sent, ...one }) => {
        const outcome = outcomeOf(one, sent);
        seen.get(one.dto.name)!['dto' in outcome ? 'accepted' : 'refused'] += 1;
        const expected = expectedOutcome(one.dto, sent);
        if (isDeepStrictEqual(outcome, expected)) return;
        expect(outcome).toStrictEqual(expected);
      }),
      { numRuns: REQUESTS },
    );

    expect([...seen].filter(([, { accepted, refused }]) => accepted === 0 || refused === 0)).toEqual([]);
  },
  15 * 60_000,
);
