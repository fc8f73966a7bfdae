import type { Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiProperty, type ApiPropertyOptions, DECORATORS, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { getMetadataStorage, ValidationTypes } from 'class-validator';
import { Environment } from '../config/environment.js';
import described from './openapi-document.json' with { type: 'json' };
import { addSharedParts } from './openapi-shared.js';

/** The description of the whole API: its beginning from JSON, the rest from the decorators of controllers and DTOs. */
export function describeApi(app: NestFastifyApplication): OpenAPIObject {
  const { admin, ...document } = described;
  const hasAdmin = app.get(Environment).ADMIN_TOKEN !== undefined;
  const forOperators = {
    tags: [...document.tags, admin.tag],
    components: { securitySchemes: { bearer: admin.bearer } },
  };
  describeChecks(requestClasses(app));
  const whole = { ...document, ...(hasAdmin && forOperators) } as Omit<OpenAPIObject, 'paths'>;
  const operationIdFactory = (_controller: string, method: string) => method;
  return addSharedParts(SwaggerModule.createDocument(app, whole, { autoTagControllers: false, operationIdFactory }));
}

/** The keywords of JSON Schema for the checks of class-validator. */
const KEYWORDS: Record<string, (constraints: unknown[]) => object> = {
  isNotEmpty: () => ({ minLength: 1 }),
  maxLength: ([most]) => ({ maxLength: most }),
  matches: ([pattern]) => ({ pattern: (pattern as RegExp).source }),
  isIn: ([values]) => ({ enum: values }),
  min: ([least]) => ({ minimum: least }),
  max: ([most]) => ({ maximum: most }),
  isInt: () => ({ type: 'integer' }),
  arrayMaxSize: ([most]) => ({ maxItems: most }),
};

/**
 * Adds the limits that members of bodies and queries are checked by to their description, so that the description of
 * the API cannot say anything else than what is refused. What `ApiProperty` says itself stays: a parameter may be read
 * more generously than its check. Members without `ApiProperty` are not described.
 */
function describeChecks(classes: Iterable<Type<object>>): void {
  for (const dto of classes) {
    for (const { target, propertyName, name = '', constraints = [] } of checksOf(dto)) {
      const prototype = (target as Type<object>).prototype as object;
      const described = Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES, prototype, propertyName) as
        object | undefined;
      // For an enumeration the limits of its text are redundant.
      const isOneOfSome = described && 'enum' in described;
      const keywords = isOneOfSome ? undefined : KEYWORDS[name]?.(constraints as unknown[]);
      if (described && keywords)
        ApiProperty({ ...keywords, ...described } as ApiPropertyOptions)(prototype, propertyName);
    }
  }
}

/** The classes of bodies and queries: those of the parameters of all controllers, and of objects in them. */
function requestClasses(app: NestFastifyApplication): Set<Type<object>> {
  const methods = app.get(MetadataScanner);
  const classes = new Set<Type<object>>();
  for (const { metatype } of app.get(DiscoveryService).getControllers()) {
    const prototype = (metatype as Type<object>).prototype as object;
    for (const method of methods.getAllMethodNames(prototype)) {
      const types = (Reflect.getMetadata('design:paramtypes', prototype, method) ?? []) as Type<object>[];
      for (const type of types) classes.add(type);
    }
  }
  // The set grows while it is walked.
  for (const dto of classes) {
    for (const { type, propertyName } of checksOf(dto)) {
      if (type !== ValidationTypes.NESTED_VALIDATION) continue;
      classes.add(Reflect.getMetadata('design:type', dto.prototype as object, propertyName) as Type<object>);
    }
  }
  return classes;
}

/** What class-validator checks of the members of a class, those that it inherits included. */
function checksOf(dto: Type<object>) {
  return getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
}
