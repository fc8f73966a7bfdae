import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiProperty, type ApiPropertyOptions, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { getMetadataStorage } from 'class-validator';
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
  describeChecks();
  const whole = { ...document, ...(hasAdmin && forOperators) } as Omit<OpenAPIObject, 'paths'>;
  const operationIdFactory = (_controller: string, method: string) => method;
  return addSharedParts(SwaggerModule.createDocument(app, whole, { autoTagControllers: false, operationIdFactory }));
}

/** The key under which `@nestjs/swagger` keeps the options of `ApiProperty`. */
const DESCRIBED = 'swagger/apiModelProperties';

interface Check {
  propertyName: string;
  name?: string;
  constraints?: unknown[];
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
function describeChecks(): void {
  // The storage can be asked for one class only, and which classes are bodies and queries stands nowhere else.
  const { validationMetadatas } = getMetadataStorage() as unknown as {
    validationMetadatas: Map<{ prototype: object }, Check[]>;
  };
  for (const [{ prototype }, checks] of validationMetadatas) {
    for (const { propertyName, name = '', constraints = [] } of checks) {
      const described = Reflect.getMetadata(DESCRIBED, prototype, propertyName) as object | undefined;
      // For an enumeration the limits of its text are redundant.
      const isOneOfSome = described && 'enum' in described;
      const keywords = isOneOfSome ? undefined : KEYWORDS[name]?.(constraints);
      if (described && keywords)
        ApiProperty({ ...keywords, ...described } as ApiPropertyOptions)(prototype, propertyName);
    }
  }
}
