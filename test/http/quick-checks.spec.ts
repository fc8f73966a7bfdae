import type { Type } from '@nestjs/common';
import { getMetadataStorage, validateSync } from 'class-validator';
import { readdirSync } from 'node:fs';
import { readDto } from '../../src/http/dto-members.js';
import { passesChecks } from '../../src/http/quick-checks.js';
import { SeededRandom } from '../crypto/seeded-random.js';
import { hostileValue } from '../fuzz/hostile-values.js';

const BODIES = 300;

/** Where `@nestjs/swagger` keeps what `ApiProperty` says of a member. */
const DESCRIBED = 'swagger/apiModelProperties';

const random = new SeededRandom('bodies to check');
let classes: Type<object>[];

/** Every class of a body, a query or a part of one. */
beforeAll(async () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.dto.ts'));
  classes = [];
  for (const file of files) {
    const module = (await import(`../../src/${file}`)) as object;
    classes.push(...Object.values(module).filter((one) => typeof one === 'function' && hasChecks(one)));
  }
});

function hasChecks(dto: unknown): boolean {
  return checksOf(dto as Type<object>).length > 0;
}

function checksOf(dto: Type<object>): { propertyName: string }[] {
  return getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
}

/** A value that the description gives for the member, or any other. */
function valueFor({ prototype }: Type<object>, name: string): unknown {
  const described = (Reflect.getMetadata(DESCRIBED, prototype, name) ?? {}) as Record<string, unknown>;
  const { example, enum: names, type } = described;
  const right = [example, (names as unknown[] | undefined)?.[0], undefined];
  const others = ['', 'a', '1', 'true', 0, 1, -1, 1.5, true, null, [], ['a'], {}, hostileValue(random)];
  if (random.below(4) === 0) return random.pick(others);
  return right.find((value) => value !== undefined) ?? (isDto(type) ? bodyFor(type) : random.pick(others));
}

function isDto(type: unknown): type is Type<object> {
  return classes.includes(type as Type<object>);
}

function bodyFor(dto: Type<object>): object {
  return Object.fromEntries(checksOf(dto).map(({ propertyName }) => [propertyName, valueFor(dto, propertyName)]));
}

describe('the quick checks of bodies and queries', () => {
  it('let through exactly what class-validator finds nothing wrong with, for every class', () => {
    const passed = new Set<string>();
    const failed = new Set<string>();
    const differing: object[] = [];
    for (const dto of classes) {
      for (let count = 0; count < BODIES; count++) {
        const body = bodyFor(dto);
        const given = readDto(dto, body);
        const isRight = validateSync(given, { forbidUnknownValues: false }).length === 0;
        if (passesChecks(given) !== isRight) differing.push({ dto: dto.name, body });
        (isRight ? passed : failed).add(dto.name);
      }
    }

    expect(differing).toEqual([]);
    expect([...passed]).toEqual(classes.map(({ name }) => name));
    expect([...failed]).toEqual(classes.map(({ name }) => name));
  });
});
