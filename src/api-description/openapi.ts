import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { Environment } from '../config/environment.js';
import { describeChecks } from './checked-schemas.js';
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
